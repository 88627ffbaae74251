//! A command line's units to one judgement: every view of every segment, the floor, the fold (pages 31 and 32).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::call::{LayeredCall, LayeredOptions};
use super::judge::{first, is_configured, plan_denies};
use super::judgement::{Cause, Judgement, Segment, Synthetic, View};
use crate::rule::{Classes, Effect, Mode, Provenance, Query, Rank, RuleOrder, Text};
use crate::shell::{self, Kind, Line, Role, Unit};

const TOOL: &str = "Shell";
/// Rules whose pattern does not name `>`.
const PLAIN: Classes = Classes::DENY.with(Classes::ASK);
/// Those that do.
const REDIRECTED: Classes = Classes::DENY_REDIRECT.with(Classes::ASK_REDIRECT);
/// The allows that lift the floor under a write (ruling 12).
const COVERS_WRITES: Classes = Classes::ALLOW_TOOL_WIDE.with(Classes::ALLOW_REDIRECT);

/// What the rules say of one unit, before the floor.
#[derive(Clone, Copy)]
struct Ruling {
    effect: Effect,
    rank: Option<Rank>,
    view: View,
    learned: bool,
    /// The deciding rule stands above the built-in floor.
    configured: bool,
    /// Leading assignments are named by the deciding allow.
    named: bool,
}

/// Why a unit is floored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Floor {
    /// By a substitution alone.
    Substitution,
    /// By something else too.
    Other,
}

/// What a unit adds to the fold.
struct Folded {
    ruling: Ruling,
    effect: Effect,
    floor: Option<Floor>,
}

/// What a line's fold is made of: the answer to one of its units, in the order of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentRuling {
    /// The answer, the floor counted.
    pub effect: Effect,
    /// The rule that meets it first; `None` where none does, and where it needs no allow of its own.
    pub rank: Option<Rank>,
    /// The floor makes an ask of what the rule allows.
    pub floored: bool,
}

/// The answers to every unit of a command line, plan mode left out, before they are folded. As dear as a decision.
pub(crate) fn rulings(order: &dyn RuleOrder, line: &str, options: &LayeredOptions<'_>) -> Vec<SegmentRuling> {
    let judge = Judge { order, options };
    let ruling = |unit: &Unit<'_>| {
        let folded = judge.unit(unit);
        SegmentRuling {
            effect: folded.effect,
            rank: folded.ruling.rank,
            floored: folded.floor.is_some(),
        }
    };
    shell::read(line).units.iter().map(ruling).collect()
}

/// Judges a command line.
pub(super) fn judge_command<'a>(
    order: &dyn RuleOrder,
    line: &'a str,
    call: &LayeredCall<'a>,
    options: &LayeredOptions<'_>,
) -> Judgement<'a> {
    let read = shell::read(line);
    if call.mode == Mode::Plan && !read.is_read_only() {
        return plan_denies();
    }
    let judge = Judge { order, options };
    let mut folded: Vec<Folded> = Vec::with_capacity(read.units.len());
    folded.extend(read.units.iter().map(|unit| judge.unit(unit)));
    fold(&judge, line, read, &folded)
}

struct Judge<'j, 'o> {
    order: &'j dyn RuleOrder,
    options: &'j LayeredOptions<'o>,
}

impl Judge<'_, '_> {
    fn unit(&self, unit: &Unit<'_>) -> Folded {
        if unit.kind == Kind::Header {
            return self.floored(unit, Ruling::neutral());
        }
        let ruling = self.ruling(unit);
        if unit.role == Role::Covered {
            let ruling = if ruling.stands() {
                ruling
            } else {
                Ruling::neutral()
            };
            return Folded {
                effect: ruling.effect,
                ruling,
                floor: None,
            };
        }
        self.floored(unit, ruling)
    }

    /// What the rules say, all views asked.
    fn ruling(&self, unit: &Unit<'_>) -> Ruling {
        let mut best = Best(None);
        self.tightening(unit, &mut best);
        let tightest = best.0;
        self.loosening(unit, &mut best);
        let ruling = self.decided(best);
        if unit.kind == Kind::Redirections && unit.write.is_none() && !ruling.stands() {
            // It runs nothing and writes nothing, so nothing has to allow it.
            return Ruling::neutral();
        }
        if let Some(named) = self.named(unit, tightest) {
            return named;
        }
        let lifts = ruling.effect != Effect::Deny && !ruling.configured;
        let learned = self
            .options
            .learned
            .filter(|_| lifts && !unit.open && !unit.here_document);
        if unit.kind != Kind::Redirections
            && learned.is_some_and(|learned| learned.has(TOOL, unit.raw_redirected()))
        {
            return Ruling {
                effect: Effect::Allow,
                rank: None,
                learned: true,
                configured: true,
                ..ruling
            };
        }
        ruling
    }

    /// Denies and asks, on every view.
    fn tightening(&self, unit: &Unit<'_>, best: &mut Best) {
        self.tighten(unit, [unit.raw(), unit.raw_redirected()], View::Raw, best);
        if unit.kind != Kind::Segment && unit.is_redirected() {
            let text = Text::Whole(unit.plain_redirected());
            best.take(first(self.order, TOOL, text, REDIRECTED), View::Plain);
        } else if !unit.is_plainly_written() {
            self.tighten(unit, [unit.plain(), unit.plain_redirected()], View::Plain, best);
        }
        if unit.has_base() {
            self.tighten(unit, [unit.base(), unit.base_redirected()], View::Base, best);
        }
    }

    /// Denies and asks on one view, without its redirections and with them.
    fn tighten(&self, unit: &Unit<'_>, [plain, redirected]: [&str; 2], view: View, best: &mut Best) {
        let mut ask = |text, classes| {
            let text = if unit.open {
                Text::Open(text)
            } else {
                Text::Whole(text)
            };
            best.take(first(self.order, TOOL, text, classes), view);
        };
        if unit.is_redirected() {
            ask(plain, PLAIN);
            ask(redirected, REDIRECTED);
        } else {
            ask(plain, Classes::TIGHTENING);
        }
    }

    /// Allows: on `plain`, or on `raw` where nothing is peeled; under an assignment on `raw` alone.
    fn loosening(&self, unit: &Unit<'_>, best: &mut Best) {
        if unit.role == Role::Covered {
            return;
        }
        if unit.open {
            best.take(
                first(
                    self.order,
                    TOOL,
                    Text::Placeholder(unit.plain()),
                    Classes::LOOSENING,
                ),
                View::Plain,
            );
            return;
        }
        let by_raw = unit.assigned || !unit.wrapped;
        let by_plain = !unit.assigned && unit.kind == Kind::Segment;
        let mut on_raw = Classes::ALLOW_TOOL_WIDE;
        if by_raw {
            on_raw = on_raw.with(Classes::ALLOW);
            if !unit.is_redirected() {
                on_raw = on_raw.with(Classes::ALLOW_REDIRECT);
            }
        }
        best.take(
            first(self.order, TOOL, Text::Whole(unit.raw()), on_raw),
            View::Raw,
        );
        if by_raw && unit.is_redirected() {
            let text = Text::Whole(unit.raw_redirected());
            best.take(first(self.order, TOOL, text, Classes::ALLOW_REDIRECT), View::Raw);
        }
        if by_plain && !unit.is_plainly_written() {
            best.take(
                first(self.order, TOOL, Text::Whole(unit.plain()), Classes::ALLOW),
                View::Plain,
            );
        }
    }

    /// The allow that names every dangerous variable the unit assigns (ruling 17a), where it decides.
    fn named(&self, unit: &Unit<'_>, tightest: Option<(Rank, View)>) -> Option<Ruling> {
        if unit.named.is_empty() {
            return None;
        }
        let names: Vec<&str> = unit.named.iter().map(String::as_str).collect();
        let mut best = Best(tightest);
        let queries = [
            (unit.raw(), Classes::ALLOW),
            (unit.raw_redirected(), Classes::ALLOW_REDIRECT),
        ];
        for (text, classes) in queries {
            let query = Query {
                tool: TOOL,
                text: Text::Whole(text),
                classes,
                assigned: &names,
            };
            best.take(self.order.first(&query), View::Raw);
        }
        let ruling = self.decided(best);
        (ruling.effect == Effect::Allow).then_some(Ruling {
            named: true,
            ..ruling
        })
    }

    fn decided(&self, best: Best) -> Ruling {
        let Some((rank, view)) = best.0 else {
            return Ruling {
                effect: Effect::Ask,
                rank: None,
                view: View::Raw,
                learned: false,
                configured: false,
                named: false,
            };
        };
        let facts = self.order.facts(rank);
        let configured = is_configured(&facts);
        Ruling {
            effect: facts.effect,
            rank: Some(rank),
            view,
            learned: false,
            configured,
            named: false,
        }
    }

    /// The floor: what cannot be read is at least an ask.
    fn floored(&self, unit: &Unit<'_>, ruling: Ruling) -> Folded {
        let mut floor = None;
        if ruling.effect == Effect::Allow && !self.options.loose_substitution {
            if unit.substitution.is_some() && !unit.only_reads() {
                floor = Some(Floor::Substitution);
            }
            let named = unit.named.is_empty() || ruling.named;
            if unit.construct.is_some() || unit.group.is_some() || !named || !self.covers_write(unit) {
                floor = Some(Floor::Other);
            }
        }
        let effect = if floor.is_some() {
            Effect::Ask
        } else {
            ruling.effect
        };
        Folded {
            ruling,
            effect,
            floor,
        }
    }

    /// Whether an allow covers what the unit writes.
    fn covers_write(&self, unit: &Unit<'_>) -> bool {
        let text = Text::Whole(unit.raw_redirected());
        let classes = if unit.assigned || !unit.wrapped {
            COVERS_WRITES
        } else {
            Classes::ALLOW_TOOL_WIDE
        };
        unit.write.is_none() || first(self.order, TOOL, text, classes).is_some()
    }
}

impl Ruling {
    /// No allow stands against it.
    fn stands(self) -> bool {
        self.effect == Effect::Deny || (self.effect == Effect::Ask && self.configured)
    }

    /// Nothing to allow, nothing against it.
    fn neutral() -> Self {
        Self {
            effect: Effect::Allow,
            rank: None,
            view: View::Raw,
            learned: false,
            configured: false,
            named: false,
        }
    }
}

/// The smallest rank so far and the view that met it.
#[derive(Clone, Copy)]
struct Best(Option<(Rank, View)>);

impl Best {
    fn take(&mut self, rank: Option<Rank>, view: View) {
        if let Some(rank) = rank
            && self.0.is_none_or(|(best, _)| rank < best)
        {
            self.0 = Some((rank, view));
        }
    }
}

/// The worst over all units, deny before ask before allow (ruling 35: the first of the worst is named).
fn fold<'a>(judge: &Judge<'_, '_>, line: &'a str, mut read: Line<'a>, folded: &[Folded]) -> Judgement<'a> {
    let worst = folded
        .iter()
        .map(|unit| unit.effect)
        .min()
        .unwrap_or(Effect::Allow);
    let asked = |unit: &Folded| unit.floor.is_none() && unit.effect == Effect::Ask && unit.ruling.configured;
    let configured_ask = worst == Effect::Ask && folded.iter().any(asked);
    if worst == Effect::Allow {
        if let Some(fault) = read.fault {
            return faulted(judge, line, Cause::Construct(fault.name()), Provenance::Floor);
        }
        if !read.has_segment() {
            return faulted(judge, line, Cause::NoRule, Provenance::Default);
        }
    }
    let deciding = folded.iter().position(|unit| unit.effect == worst);
    let Some((index, unit)) = deciding.and_then(|index| Some((index, folded.get(index)?))) else {
        return faulted(judge, line, Cause::NoRule, Provenance::Default);
    };
    let covered = worst == Effect::Ask && !configured_ask && read.fault.is_none();
    let floored_configured_allow = covered
        && folded.iter().zip(&read.units).all(|(folded, unit)| {
            folded.effect == Effect::Allow
                || (folded.floor == Some(Floor::Substitution)
                    && folded.ruling.configured
                    && unit.escape_free
                    && unit.inner_reads)
        });
    let provenance = provenance(
        unit,
        floored_configured_allow,
        covered && by_builtin_floor(folded),
    );
    let cause = cause(unit, read.units.get(index));
    let ruling = unit.ruling;
    let segment = (index < read.units.len())
        .then(|| read.units.swap_remove(index))
        .map(|unit| Segment {
            index,
            text: unit.into_raw(),
            view: ruling.view,
        });
    Judgement {
        effect: worst,
        provenance,
        rank: ruling.rank,
        synthetic: ruling.learned.then_some(Synthetic::Learned),
        segment,
        configured_ask,
        floored_configured_allow,
        cause,
    }
}

/// Every floored unit is covered by a built-in allow alone, and nothing else asks.
fn by_builtin_floor(folded: &[Folded]) -> bool {
    folded.iter().all(|unit| {
        unit.effect == Effect::Allow
            || (unit.floor.is_some() && unit.ruling.rank.is_some() && !unit.ruling.configured)
    })
}

fn provenance(unit: &Folded, configured: bool, builtin: bool) -> Provenance {
    match (unit.floor, unit.ruling.rank) {
        (Some(_), _) if configured => Provenance::FloorConfiguredAllow,
        (Some(_), _) if builtin => Provenance::FloorBuiltin,
        (Some(_), _) => Provenance::Floor,
        (None, _) if unit.ruling.learned => Provenance::Learned,
        (None, Some(_)) => Provenance::Rule,
        (None, None) => Provenance::Default,
    }
}

fn cause<'a>(folded: &Folded, unit: Option<&Unit<'_>>) -> Cause<'a> {
    let floored = unit.filter(|_| folded.floor.is_some());
    if let Some(unit) = floored {
        let dangerous =
            (!unit.named.is_empty() && !folded.ruling.named).then_some(shell::Construct::DangerousVariable);
        let substitution = unit.substitution.filter(|_| !unit.only_reads());
        if let Some(construct) = unit.construct.or(dangerous).or(substitution).or(unit.group) {
            return Cause::Construct(construct.name());
        }
        return Cause::Redirection(Cow::Owned(unit.write.clone().unwrap_or_default()));
    }
    match folded.ruling {
        Ruling { learned: true, .. } => Cause::Learned,
        Ruling { rank: Some(_), .. } => Cause::Rule,
        Ruling { rank: None, .. } => Cause::NoRule,
    }
}

/// A line that nothing in it asks about, and that still cannot be allowed: rules without a pattern, and those that meet
/// the line as it is written, may be stricter.
fn faulted<'a>(
    judge: &Judge<'_, '_>,
    line: &'a str,
    cause: Cause<'a>,
    provenance: Provenance,
) -> Judgement<'a> {
    let rank = first(judge.order, TOOL, Text::Whole(line.trim()), Classes::TIGHTENING);
    if let Some((rank, facts)) = rank.map(|rank| (rank, judge.order.facts(rank)))
        && (facts.effect == Effect::Deny || is_configured(&facts))
    {
        return super::judge::by_rule(rank, &facts);
    }
    Judgement::plain(Effect::Ask, provenance, cause)
}
