//! A question and its decision to what lies between them: the texts that rules were held against, and which rule met
//! which.
//!
//! Nothing here decides. In the layered dialect the decision is made once more by an order that writes down what it is
//! asked, so what is told is what was really asked, whatever the rules of the shell analysis are.

use std::borrow::Cow;
use std::cell::RefCell;

use callgate_runtime::json::Value;
use callgate_runtime::layered::SegmentRuling;
use callgate_runtime::rule::{Audience, Classes, Provenance, Query, Rank, RuleFacts, RuleOrder, Text};
use callgate_runtime::shell::{self, Role, Unit};
use callgate_runtime::table::{Dialect, RuleView, order};
use callgate_runtime::{Arguments, Call, Decision, Order, Policy, tool};

use crate::question::Question;

/// What lies between a question and its decision.
pub(crate) struct Explanation<'p> {
    /// Rules were asked at all.
    pub(crate) asked: bool,
    /// The texts they were held against, in the order of asking; `…` stands for words that nobody knows.
    pub(crate) texts: Vec<String>,
    /// The segments of a shell line.
    pub(crate) segments: Vec<Segment>,
    /// The rules of the tool, and of any tool, that bind the audience, by rank.
    pub(crate) considered: Vec<Considered<'p>>,
    /// How many rules there are beside them.
    pub(crate) left_out: usize,
}

/// A rule that was considered.
pub(crate) struct Considered<'p> {
    pub(crate) rank: u32,
    pub(crate) rule: RuleView<'p>,
    /// The texts that its pattern matched.
    pub(crate) met: Vec<String>,
    /// The decision names it.
    pub(crate) decides: bool,
}

/// A segment of a shell line, or what stands in for one.
pub(crate) struct Segment {
    /// As written.
    pub(crate) raw: String,
    /// Unquoted, wrappers peeled.
    pub(crate) plain: String,
    /// As `plain`, the program by its file name.
    pub(crate) base: String,
    /// What makes it opaque.
    pub(crate) opaque: Vec<&'static str>,
    /// The file it writes to.
    pub(crate) writes: Option<String>,
    /// It is judged by denies and configured asks only: the program around it was allowed for it.
    pub(crate) is_covered: bool,
    /// The answer to it alone.
    pub(crate) ruling: Option<SegmentRuling>,
}

/// Which texts the rules of a tool met.
type Met = Vec<(u32, String)>;

impl<'p> Explanation<'p> {
    /// The explanation of `decision`, which is the policy's answer to `question`.
    pub(crate) fn of(policy: &'p Policy, question: &Question<'_>, decision: &Decision<'_>) -> Self {
        let table = policy.table();
        let (tool, audience, texts, met, asked): (Cow<'_, str>, _, _, _, _) =
            match (table.options().dialect, question) {
                (Dialect::Layered, Question::Call(call)) => {
                    let recorder = Recorder::new(policy, call.audience);
                    policy.decide_by(&recorder, call, None);
                    let (texts, met) = recorder.into_record();
                    let asked = !texts.is_empty();
                    (
                        Cow::Borrowed(call.tool.as_str()),
                        call.audience,
                        texts,
                        met,
                        asked,
                    )
                }
                (Dialect::Rules, _) | (Dialect::Layered, Question::Text { .. }) => {
                    let tool = tool::canonical(&decision.tool);
                    let (texts, met) = by_subject(policy, &tool, question);
                    (
                        Cow::Owned(tool),
                        Audience::All,
                        texts,
                        met,
                        rules_were_asked(decision.provenance),
                    )
                }
            };
        let rules = (0..table.len()).filter_map(|rank| Some((rank, table.rule(rank)?)));
        let own = rules.filter(|(_, rule)| {
            asked && rule.tool.is_none_or(|named| named == tool) && rule.orders & bit(audience) != 0
        });
        let deciding = decision.rule.as_ref().and_then(|rule| rule.index);
        let considered: Vec<Considered<'p>> = own
            .map(|(rank, rule)| Considered {
                rank,
                rule,
                met: met
                    .iter()
                    .filter(|(met, _)| *met == rank)
                    .map(|(_, text)| text.clone())
                    .collect(),
                decides: deciding == Some(rank),
            })
            .collect();
        let n_rules = usize::try_from(table.len()).unwrap_or(usize::MAX);
        Self {
            asked,
            texts,
            segments: if asked {
                segments(policy, question)
            } else {
                Vec::new()
            },
            left_out: n_rules.saturating_sub(considered.len()),
            considered,
        }
    }
}

/// Whether a decision of the rules dialect came from its rules, not from something that stands before them.
fn rules_were_asked(provenance: Provenance) -> bool {
    match provenance {
        Provenance::Rule
        | Provenance::Default
        | Provenance::FloorConfiguredAllow
        | Provenance::FloorBuiltin
        | Provenance::Floor
        | Provenance::Learned
        | Provenance::BrokenSource => true,
        Provenance::Mode
        | Provenance::PlanMode
        | Provenance::ShellControl
        | Provenance::MalformedArguments => false,
    }
}

/// The rules dialect: one subject, and every rule held against it by itself.
fn by_subject(policy: &Policy, tool: &str, question: &Question<'_>) -> (Vec<String>, Met) {
    let Ok(subject) = question.subject() else {
        return (Vec::new(), Vec::new());
    };
    let query = Query {
        tool,
        text: Text::Whole(&subject),
        classes: Classes::ALL,
        assigned: &[],
    };
    let order = policy.order(Audience::All);
    let met = (0..policy.table().len()).filter(|rank| order.answers(Rank(*rank), &query));
    (
        vec![subject.to_string()],
        met.map(|rank| (rank, subject.to_string())).collect(),
    )
}

/// The segments of the command of a layered `Shell` call.
fn segments(policy: &Policy, question: &Question<'_>) -> Vec<Segment> {
    match (policy.table().options().dialect, question) {
        (Dialect::Layered, Question::Call(call)) if call.tool == "Shell" => {
            let line = command(call);
            let rulings = policy.segment_rulings(&policy.order(call.audience), call.audience, line);
            let ruling = |index: usize| rulings.get(index).copied();
            let units = shell::read(line).units;
            let numbered = units.iter().enumerate();
            numbered
                .map(|(index, unit)| segment(unit, ruling(index)))
                .collect()
        }
        (Dialect::Layered | Dialect::Rules, _) => Vec::new(),
    }
}

/// The first of `command` and `cmd` that says anything.
fn command<'c>(call: &'c Call<'_>) -> &'c str {
    let Arguments::Read(members) = &call.arguments else {
        return "";
    };
    let text = |name: &str| {
        let member = members.iter().find(|member| member.name == name)?;
        match &member.value {
            Value::String(text) if !text.trim().is_empty() => Some(&**text),
            _ => None,
        }
    };
    text("command").or_else(|| text("cmd")).unwrap_or_default()
}

fn segment(unit: &Unit<'_>, ruling: Option<SegmentRuling>) -> Segment {
    let constructs = [unit.construct, unit.substitution, unit.group];
    let mut opaque: Vec<&'static str> = constructs
        .into_iter()
        .flatten()
        .map(shell::Construct::name)
        .collect();
    if !unit.named.is_empty() {
        opaque.push(shell::Construct::DangerousVariable.name());
    }
    Segment {
        raw: unit.raw_redirected().to_owned(),
        plain: unit.plain().to_owned(),
        base: unit.base().to_owned(),
        opaque,
        writes: unit.write.clone(),
        is_covered: unit.role == Role::Covered,
        ruling,
    }
}

/// The bit that rules of this audience's order have.
fn bit(audience: Audience) -> u8 {
    match audience {
        Audience::Main => order::MAIN,
        Audience::Subagent => order::SUBAGENT,
        Audience::All => order::ALL,
    }
}

/// A rule order that answers as the table does, and writes down the texts it is asked about and every rule that meets
/// one.
struct Recorder<'p> {
    policy: &'p Policy,
    order: Order<'p>,
    record: RefCell<(Vec<String>, Met)>,
}

impl<'p> Recorder<'p> {
    fn new(policy: &'p Policy, audience: Audience) -> Self {
        Self {
            policy,
            order: policy.order(audience),
            record: RefCell::default(),
        }
    }

    fn into_record(self) -> (Vec<String>, Met) {
        self.record.into_inner()
    }
}

impl RuleOrder for Recorder<'_> {
    fn first(&self, query: &Query<'_>) -> Option<Rank> {
        let text = match query.text {
            Text::Whole(text) => text.to_owned(),
            Text::Open(text) | Text::Placeholder(text) => format!("{text} …"),
        };
        let (texts, met) = &mut *self.record.borrow_mut();
        for rank in 0..self.policy.table().len() {
            if self.order.answers(Rank(rank), query) && !met.contains(&(rank, text.clone())) {
                met.push((rank, text.clone()));
            }
        }
        if !texts.contains(&text) {
            texts.push(text);
        }
        self.order.first(query)
    }

    fn facts(&self, rank: Rank) -> RuleFacts {
        self.order.facts(rank)
    }
}
