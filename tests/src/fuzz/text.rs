//! Bytes as documents and as patterns.

use callgate_compiler::emit;
use callgate_compiler::normal::{Dialect, Matcher, NormalPolicy, NormalRule, Origin, PolicyMode, ToolKey};
use callgate_compiler::{Checked, Diagnostic, Kind, Missing, Options, Severity, Source, compile, inspect};
use callgate_grammar::Position;
use callgate_grammar::pattern::{Flavor, Token, parse};
use callgate_runtime::Policy;
use callgate_runtime::case::lower_text;
use callgate_runtime::rule::{Audience, Effect, Mode};

use crate::oracle::fnmatch;

/// Reads the bytes as a document of every kind. Whatever they are, the answer is a document or an error, never both;
/// every finding points into the text; what compiles, loads, and answers as the findings say.
pub fn yaml(bytes: &[u8]) {
    // What is no YAML is none as any kind.
    if checked(bytes, None).missing == Missing::Unknown {
        assert!(compile(&[source(bytes)], &Options::default()).policy.is_none());
        return;
    }
    for kind in std::iter::once(None).chain(Kind::ALL.into_iter().map(Some)) {
        let checked = checked(bytes, kind);
        if checked.document.is_some() {
            compiled(bytes, kind);
            answered(bytes, kind, &checked.diagnostics);
        }
    }
}

fn source(bytes: &[u8]) -> Source<'_> {
    Source {
        name: "fuzz.yaml",
        bytes,
    }
}

fn options(kind: Option<Kind>) -> Options {
    Options {
        kind,
        ..Options::default()
    }
}

fn checked(bytes: &[u8], kind: Option<Kind>) -> Checked {
    let checked = inspect(&source(bytes), &options(kind));
    assert_eq!(checked.document.is_some(), !checked.has_errors());
    assert_eq!(checked.document.is_some(), checked.missing == Missing::Nothing);
    for finding in &checked.diagnostics {
        let span = finding.location.span;
        assert!(span.start <= span.end && span.end <= bytes.len(), "{finding:?}");
        assert!(
            !finding.message.is_empty() && !finding.help.is_empty(),
            "{finding:?}"
        );
    }
    checked
}

/// The policy answers each call that a finding names as the finding says.
fn answered(bytes: &[u8], kind: Option<Kind>, findings: &[Diagnostic]) {
    let mut witnesses = findings
        .iter()
        .filter_map(|finding| finding.witness.as_ref())
        .peekable();
    if witnesses.peek().is_none() {
        return;
    }
    let compiled = compile(&[source(bytes)], &options(kind))
        .policy
        .expect("what is asked compiles");
    let policy = Policy::from_bytes(compiled.bytes).expect("what compiles loads");
    for witness in witnesses {
        let verdict = policy.decide_text_as(&witness.tool, &witness.subject, witness.audience, Mode::Default);
        assert_eq!(verdict.effect, witness.effect, "{witness}");
    }
}

fn compiled(bytes: &[u8], kind: Option<Kind>) {
    let compilation = compile(&[source(bytes)], &options(kind));
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

/// Takes the first line of the bytes, as far as they are text, for a pattern and the rest for a subject. In both
/// languages stars never stand side by side, ranges are sorted and apart, and the layered language has no sets. The
/// compiled pattern matches the subject where the reference says so, alone and behind the filters of a larger machine.
pub fn pattern(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (pattern, subject) = text.split_once('\n').unwrap_or((&text, ""));
    for flavor in [Flavor::Fnmatch, Flavor::Layered] {
        let tokens = parse(pattern, flavor);
        assert!(tokens.len() <= pattern.chars().count());
        assert!(!tokens.windows(2).any(|pair| pair == [Token::Star, Token::Star]));
        for token in &tokens {
            if let Token::Set(set) = token {
                assert_eq!(flavor, Flavor::Fnmatch);
                assert!(set.ranges.iter().all(|(low, high)| low <= high), "{set:?}");
                assert!(set.ranges.windows(2).all(|pair| pair[0].1 < pair[1].0), "{set:?}");
            }
        }
    }
    for others in [0, 20] {
        let mut patterns = std::iter::once(pattern.to_owned()).chain((0..others).map(other));
        let matching = patterns.position(|pattern| fnmatch::matches_either_case(&pattern, subject));
        let wanted = matching.and_then(|place| u32::try_from(place).ok());
        let verdict = one_rule(pattern, others).decide_text("tool", subject, Mode::Default);
        assert_eq!(
            verdict.rule, wanted,
            "{pattern:?} and {subject:?} with {others} other rules"
        );
    }
}

/// A pattern that stands beside the one under test. A fuzzer that watches comparisons finds its text, too.
fn other(index: u32) -> String {
    format!("never\u{FDD0}met{index}")
}

/// A policy of one allow rule and of others.
fn one_rule(pattern: &str, others: u32) -> Policy {
    let rules = std::iter::once(pattern.to_owned()).chain((0..others).map(other));
    let rules = rules.map(|pattern| NormalRule {
        effect: Effect::Allow,
        tool: ToolKey::Named(String::from("tool")),
        matcher: Matcher::Glob {
            tokens: parse(&pattern, Flavor::Fnmatch),
            lowered: Some(parse(&lower_text(&pattern), Flavor::Fnmatch)),
        },
        pattern,
        scope: None,
        audience: Audience::All,
        origin: Origin {
            source: String::new(),
            position: Position { line: 1, column: 1 },
        },
    });
    let normal = NormalPolicy {
        dialect: Dialect::Rules,
        mode: PolicyMode::Rules,
        rules: rules.collect(),
        loose_substitution_main: false,
        loose_substitution_child: false,
    };
    Policy::from_bytes(emit::table(&normal).expect("few rules fit a table")).expect("the table loads")
}
