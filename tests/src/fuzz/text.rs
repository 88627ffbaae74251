//! Bytes as documents and as patterns.

use callgate_compiler::{Kind, Options, Severity, Source, check, compile};
use callgate_grammar::pattern::{Flavor, Token, parse};
use callgate_runtime::Policy;

/// Reads the bytes as a document of every kind. Whatever they are, the answer is a document or an error, never both;
/// every finding points into the text; what compiles, loads.
pub fn yaml(bytes: &[u8]) {
    for kind in std::iter::once(None).chain(Kind::ALL.into_iter().map(Some)) {
        let options = Options {
            kind,
            ..Options::default()
        };
        let source = Source {
            name: "fuzz.yaml",
            bytes,
        };
        let checked = check(&source, &options);
        assert_eq!(checked.document.is_some(), !checked.has_errors());
        for finding in &checked.diagnostics {
            let span = finding.location.span;
            assert!(span.start <= span.end && span.end <= bytes.len(), "{finding:?}");
            assert!(
                !finding.message.is_empty() && !finding.help.is_empty(),
                "{finding:?}"
            );
        }
        let compilation = compile(&[source], &options);
        let refused = compilation
            .diagnostics
            .iter()
            .any(|finding| finding.severity == Severity::Error);
        assert_eq!(compilation.policy.is_some(), !refused);
        if let Some(compiled) = compilation.policy {
            let policy = Policy::from_bytes(compiled.bytes).expect("what was compiled loads");
            super::exercise(&policy);
        }
    }
}

/// Parses the bytes, as far as they are text, as a pattern of both languages. Stars never stand side by side, ranges are
/// sorted and apart, and the layered language has no sets.
pub fn pattern(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for flavor in [Flavor::Fnmatch, Flavor::Layered] {
        let tokens = parse(&text, flavor);
        assert!(tokens.len() <= text.chars().count());
        assert!(!tokens.windows(2).any(|pair| pair == [Token::Star, Token::Star]));
        for token in &tokens {
            if let Token::Set(set) = token {
                assert_eq!(flavor, Flavor::Fnmatch);
                assert!(set.ranges.iter().all(|(low, high)| low <= high), "{set:?}");
                assert!(set.ranges.windows(2).all(|pair| pair[0].1 < pair[1].0), "{set:?}");
            }
        }
    }
}
