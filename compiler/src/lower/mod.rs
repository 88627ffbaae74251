//! Syntax trees to typed documents, reporting everything that page 10 forbids on the way.
//!
//! Lowering never stops at a finding: it goes on with what it has, and the caller throws the document away if there was
//! an error. One file a kind; `read` holds the steps that all of them take.

mod agent;
mod catalogue;
mod count;
mod hooks;
mod kind;
mod layered;
mod modes;
mod pack;
mod permissions;
mod read;
mod settings;
mod suggestion;
mod tests;
mod transport;

use callgate_grammar::{Document, Mapping, Node, Reading, Span, Value};

use crate::findings::Findings;
use crate::ir;
use crate::lints;
use crate::options::Options;
use crate::source::{Kind, Source};

pub(crate) use agent::agent_names;
pub(crate) use count::count;
pub(crate) use modes::modes_allowed;
pub(crate) use suggestion::{nearest, quoted, single_quoted};

/// Keys that carry executable rules.
const EXECUTABLE_KEYS: [&str; 7] = [
    "allow",
    "deny",
    "ask",
    "escalate",
    "mode",
    "permissions",
    "on_escalate",
];

/// Keys that carry prompt text.
const DIRECTIVE_KEYS: [&str; 4] = ["authority", "boundaries", "escalations", "roles"];

/// What every step of lowering one source needs.
struct Lowering<'a, 'f> {
    findings: &'f mut Findings<'a>,
    options: &'f Options,
    source: &'f Source<'a>,
    comments: &'f [Span],
}

/// The kind and the typed form of `tree`. The form is worthless when `findings` holds an error.
pub(crate) fn document<'a>(
    tree: &Document,
    source: &Source<'a>,
    options: &Options,
    findings: &mut Findings<'a>,
) -> (Option<Kind>, Option<ir::Document>) {
    let mut lowering = Lowering {
        findings,
        options,
        source,
        comments: &tree.comments,
    };
    let empty = Mapping {
        entries: Vec::new(),
        flow: false,
    };
    let (span, mapping) = match tree.root.as_ref() {
        None => (Span::at(0), &empty),
        Some(node) if is_null(node) => (node.span, &empty),
        Some(Node {
            span,
            value: Value::Mapping(mapping),
        }) => (*span, mapping),
        Some(node) => {
            lowering.wrong_type(
                node,
                "a document",
                "a mapping",
                "begin with a key, such as `mode: rules`",
            );
            return (options.kind, None);
        }
    };
    let Some(kind) = options.kind.or_else(|| lowering.kind_of(span, mapping)) else {
        return (None, None);
    };
    let document = match kind {
        Kind::Permissions => ir::Document::Permissions(lowering.permissions(span, mapping)),
        Kind::Settings => ir::Document::Settings(Box::new(lowering.settings(mapping))),
        Kind::Pack => ir::Document::Pack(lowering.pack(mapping)),
        Kind::Agent => ir::Document::Agent(Box::new(lowering.agent(span, mapping))),
        Kind::Catalogue => ir::Document::Catalogue(lowering.catalogue(mapping)),
        Kind::Tests => match lowering.tests(span, mapping) {
            Some(tests) => ir::Document::Tests(tests),
            None => return (Some(kind), None),
        },
    };
    (Some(kind), Some(document))
}

/// Whether a node is null to every YAML parser, or empty.
fn is_null(node: &Node) -> bool {
    matches!(&node.value, Value::Scalar(scalar) if scalar.reading() == Reading::Null)
}

impl Lowering<'_, '_> {
    /// Reports more rules than a policy may have.
    fn limit_rules(&mut self, n_rules: usize, span: Span) {
        let max = self.options.max_rules;
        if n_rules > max {
            let message = format!("the policy has {n_rules} rules, more than the limit of {max}");
            let help = String::from("split the policy, join patterns, or raise the limit");
            self.findings
                .report(&lints::POLICY_TOO_LARGE, span, message, help);
        }
    }
}
