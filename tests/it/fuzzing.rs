//! The bodies of the fuzz targets on random bytes, so that every test run fuzzes a little.

use callgate_tests::fuzz;
use callgate_tests::generate::{self, Choices};
use proptest::prelude::{ProptestConfig, Strategy, any, prop, proptest};

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..400)
}

/// Bytes that are more often JSON.
fn json() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"a\"",
        "\"tool\":\"bash\"",
        "\"args\":",
        "\"command\":\"rm x\"",
        "\"\\u0061\"",
        "\"\\ud800\"",
        "\"\\ud83d\\ude00\"",
        "1",
        "-0",
        "1e400",
        "1.50",
        "12345678901234567890",
        "true",
        "null",
        " ",
        "\n",
        "\"mode\":\"plan\"",
        "{\"a\":1,\"a\":1}",
        "{\"tool\":\"bash\",\"args\":{\"command\":\"ls\"}}",
        "\\",
        "é",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..12)
        .prop_map(|pieces| pieces.concat().into_bytes())
}

/// Bytes that are more often YAML of ours.
fn yaml() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "mode: rules\n",
        "deny:\n",
        "allow: ",
        "{bash: ['rm *']}\n",
        "  bash:\n",
        "    - 'git *'\n",
        "  - ",
        "'*'",
        "\"\\x41\"",
        "permissions:\n",
        "  deny: ['Shell(rm:*)']\n",
        "hooks:\n",
        "roles:\n",
        "role: x\n",
        "policy: p.yaml\n",
        "cases: []\n",
        "&a ",
        "*a",
        "!t ",
        "? ",
        "- ",
        "|\n",
        ">-\n",
        "#c\n",
        "---\n",
        "...\n",
        "\t",
        "\r\n",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ": ",
        "é",
        "\u{FEFF}",
        "\u{85}",
        "~",
        "yes",
        "\n",
        " ",
        "'",
        "\"",
        "\\",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..14)
        .prop_map(|pieces| pieces.concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_document_or_an_error(bytes in bytes()) {
        fuzz::yaml(&bytes);
    }

    #[test]
    fn anything_like_yaml_is_a_document_or_an_error(bytes in yaml()) {
        fuzz::yaml(&bytes);
    }

    #[test]
    fn any_bytes_are_a_pattern(bytes in bytes()) {
        fuzz::pattern(&bytes);
    }

    #[test]
    fn a_pattern_matches_as_the_reference_says(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut choices = Choices::new(&bytes);
        let pattern = generate::pattern(&mut choices).replace('\n', " ");
        let subject = generate::near(&mut choices, &[&pattern]);
        fuzz::pattern(format!("{pattern}\n{subject}").as_bytes());
    }

    #[test]
    fn any_bytes_are_arguments_or_malformed(bytes in bytes()) {
        fuzz::request_json(&bytes);
    }

    #[test]
    fn anything_like_json_is_arguments_or_malformed(bytes in json()) {
        fuzz::request_json(&bytes);
    }

    #[test]
    fn any_bytes_are_a_line_with_one_decision(bytes in bytes()) {
        fuzz::shell(&bytes);
    }

    #[test]
    fn the_pipeline_agrees_with_the_reference(bytes in prop::collection::vec(any::<u8>(), 0..1_500)) {
        fuzz::pipeline(&bytes);
    }
}

/// Inputs that fuzzers found to trip a target: whatever was wrong then must not be wrong again.
#[test]
fn what_fuzzers_found_stays_found() {
    fuzz::request_json(b"855555555.25555545");
    fuzz::request_json("7".repeat(319).as_bytes());
    fuzz::request_json(b"-0");
    fuzz::pattern("***[!]]\u{FFFD}\u{10}*\nnever\u{FDD0}met11".as_bytes());
    fuzz::shell(b"\x00\r");
}
