//! URLs row by row: nothing slips a host past the list, and what is admitted is spelled in one way.

use callgate_host::admission::Admission;
use callgate_runtime::transport::{TransportDenied, TransportPolicy};
use proptest::prelude::{ProptestConfig, proptest};

use crate::admission;

/// Under the list `a.example`, `Bücher.example`, `::1`, `10.0.0.1`: the URL that is connected to, or what is wrong.
const ROWS: [(&str, Result<&str, &str>); 82] = [
    // Plain.
    ("https://a.example", Ok("https://a.example/")),
    ("https://a.example/mcp?x=1#y", Ok("https://a.example/mcp?x=1#y")),
    ("wss://a.example/socket", Ok("wss://a.example/socket")),
    ("https://a.example.", Err("host")),
    ("https://a.example..", Err("host")),
    ("https://b.example", Err("host")),
    ("https://sub.a.example", Err("host")),
    ("https://aa.example", Err("host")),
    ("https://a.example.evil", Err("host")),
    ("https://evil.example/a.example", Err("host")),
    ("https://evil.example?a.example", Err("host")),
    ("https://evil.example#a.example", Err("host")),
    ("https://evil.example/?https://a.example", Err("host")),
    ("https://evil.example/@a.example", Err("host")),
    ("https://evil.example?@a.example", Err("host")),
    ("https://evil.example#@a.example", Err("host")),
    // Schemes.
    ("http://a.example", Err("scheme")),
    ("ws://a.example", Err("scheme")),
    ("HTTP://a.example", Err("scheme")),
    ("ftp://a.example", Err("scheme")),
    ("file:///etc/passwd", Err("scheme")),
    ("file://a.example/x", Err("scheme")),
    ("javascript:alert(1)", Err("scheme")),
    ("javascript://a.example/%0aalert(1)", Err("scheme")),
    ("data:text/html,a.example", Err("scheme")),
    ("stdio://a.example", Err("scheme")),
    ("blob:https://a.example/x", Err("scheme")),
    ("view-source:https://a.example", Err("scheme")),
    ("unix:/run/a.example", Err("scheme")),
    ("HTTPS://a.example", Ok("https://a.example/")),
    ("hTTpS://A.Example", Ok("https://a.example/")),
    ("a.example", Err("unclear")),
    ("//a.example", Err("unclear")),
    ("/a.example", Err("unclear")),
    ("", Err("unclear")),
    ("https", Err("unclear")),
    ("a.example:443", Err("scheme")),
    // Slashes.
    ("https:a.example", Err("unclear")),
    ("https:/a.example", Err("unclear")),
    ("https:///a.example", Err("unclear")),
    ("https:////a.example", Err("unclear")),
    ("https://", Err("unclear")),
    ("https:///", Err("unclear")),
    ("https:\\\\a.example", Err("unclear")),
    ("https:/\\a.example", Err("unclear")),
    ("https://a.example\\@evil.example", Err("unclear")),
    ("https://evil.example\\@a.example", Err("unclear")),
    ("https://a.example\\.evil.example", Err("unclear")),
    ("https://a.example/..\\..", Err("unclear")),
    // Userinfo.
    (
        "https://user:secret@a.example/",
        Ok("https://user:secret@a.example/"),
    ),
    ("https://a.example@evil.example", Err("host")),
    ("https://a.example:443@evil.example", Err("host")),
    ("https://a.example%40evil.example", Err("unclear")),
    ("https://a.example%2F@evil.example", Err("host")),
    ("https://x@a.example@evil.example", Err("unclear")),
    ("https://evil.example@x@a.example", Err("unclear")),
    ("https://@a.example", Ok("https://a.example/")),
    // Ports.
    ("https://a.example:443/", Ok("https://a.example/")),
    ("https://a.example:8443/", Ok("https://a.example:8443/")),
    ("https://a.example:/", Ok("https://a.example/")),
    ("https://a.example:99999/", Err("unclear")),
    ("https://a.example:b.example/", Err("unclear")),
    ("https://evil.example:443#a.example:443", Err("host")),
    // Spelling: percent-encoding, blanks, controls.
    ("https://%61.example", Err("unclear")),
    ("https://a%2eexample", Err("unclear")),
    ("https://a.example%00.evil.example", Err("unclear")),
    ("https://a.example%2f.evil.example", Err("unclear")),
    (" https://a.example", Err("unclear")),
    ("https://a.example ", Err("unclear")),
    ("https://a.exa\tmple", Err("unclear")),
    ("https://evil.example\n@a.example", Err("unclear")),
    ("ht\ntps://a.example", Err("unclear")),
    ("https://a.example\0", Err("unclear")),
    ("https://a.example/\u{a0}", Err("unclear")),
    // IDNA: one host in several spellings, and look-alikes of another.
    ("https://bücher.example", Ok("https://xn--bcher-kva.example/")),
    ("https://BÜCHER.example", Ok("https://xn--bcher-kva.example/")),
    (
        "https://xn--bcher-kva.example",
        Ok("https://xn--bcher-kva.example/"),
    ),
    ("https://ａ.example", Ok("https://a.example/")),
    ("https://а.example", Err("host")),
    // Addresses.
    ("https://[::1]:8443/mcp", Ok("https://[::1]:8443/mcp")),
    ("https://[0:0:0:0:0:0:0:1]/", Ok("https://[::1]/")),
    ("https://[::2]/", Err("host")),
];

/// Further rows, for lists of their own.
const LISTS: [(&str, &[&str], bool); 20] = [
    ("https://10.0.0.1/", &["10.0.0.1"], true),
    ("https://10.0.0.1/", &["10.0.0.10"], false),
    ("https://0xa.1/", &["10.0.0.1"], true),
    ("https://10.0.0.1./", &["10.0.0.1"], true),
    ("https://a.example/", &["A.EXAMPLE"], true),
    ("https://a.example./", &["a.example."], true),
    ("https://a.example/", &["a.example."], false),
    ("https://a.example/", &["https://a.example"], false),
    ("https://a.example/", &["a.example/"], false),
    ("https://a.example:8443/", &["a.example:8443"], false),
    ("https://a.example/", &["*"], false),
    ("https://a.example/", &["*.example"], false),
    ("https://a.example/", &[".example"], false),
    ("https://a.example/", &["user@a.example"], false),
    ("https://a.example/", &["%61.example"], false),
    ("https://a.example/", &[""], false),
    ("https://a.example/", &[], false),
    ("https://[::1]/", &["[::1]"], true),
    ("https://[::1]/", &["0:0::1"], true),
    ("https://faß.example/", &["fass.example"], false),
];

#[test]
fn rows() {
    let list = ["a.example", "Bücher.example", "::1", "10.0.0.1"];
    let listed = admission(None, Some(&list));
    let open = admission(None, None);
    for (text, due) in ROWS {
        let found = listed.admit_url(text);
        let short = match &found {
            Ok(url) => Ok(url.as_str()),
            Err(TransportDenied::HostNotListed { .. }) => Err("host"),
            Err(TransportDenied::Scheme { .. }) => Err("scheme"),
            Err(TransportDenied::UnclearUrl { .. }) => Err("unclear"),
            Err(other) => panic!("{text}: {other}"),
        };
        assert_eq!(short, due, "{text:?}");
        // Without a list every host goes, and nothing else changes.
        let without = open.admit_url(text);
        match due {
            Err("host") => assert!(without.is_ok(), "{text:?}"),
            _ => assert_eq!(without, found, "{text:?}"),
        }
    }
}

#[test]
fn lists() {
    for (text, list, due) in LISTS {
        assert_eq!(
            admission(None, Some(list)).admit_url(text).is_ok(),
            due,
            "{text} {list:?}"
        );
    }
}

/// Without `allow_urls` nothing is admitted, whatever the list says, and no credentials are told.
#[test]
fn nothing_given_admits_nothing() {
    for (text, _) in ROWS {
        let policy = TransportPolicy {
            url_allowlist: Some(vec!["a.example".into()]),
            ..TransportPolicy::default()
        };
        for policy in [policy, TransportPolicy::default()] {
            let denied = Admission::new(policy).admit_url(text).unwrap_err();
            assert!(matches!(denied, TransportDenied::Urls { .. }), "{text:?}");
            assert!(!denied.to_string().contains("secret"), "{denied}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is pasted together: an admitted URL reads back as itself, at a listed host, over a secure scheme.
    #[test]
    fn admitted_is_listed(text in "(https?|wss?|HTTPS|javascript):?[/\\\\]{0,3}([ae]\\.example|user|@|:|443|%2f|%40|[/?#\\\\.]|\\[::1\\]| |\t|ａ|。){0,6}") {
        let listed = admission(None, Some(&["a.example"]));
        if let Ok(url) = listed.admit_url(&text) {
            assert_eq!(url.host(), "a.example", "{text}");
            let scheme = url.as_str().split(':').next().unwrap();
            assert!(["https", "wss"].contains(&scheme), "{text}");
            assert_eq!(listed.admit_url(url.as_str()).as_ref(), Ok(&url), "{text}");
            // The naive reading of RFC 3986 sees the same host, up to case and IDNA.
            let authority = text.split("//").nth(1).unwrap().split(['/', '?', '#']).next().unwrap();
            let host = authority.rsplit('@').next().unwrap().split(':').next().unwrap();
            assert_eq!(host.replace('ａ', "a").replace('。', "."), "a.example", "{text}");
        }
    }

    #[test]
    fn any_text_gets_an_answer(text in ".*") {
        assert!(admission(None, Some(&["a.example"])).admit_url(&text).is_err());
    }
}
