//! Everything that answers calls, behind one interface: the reference evaluator, the compiled table.

mod reference;
mod table;

use crate::oracle::{Answer, CallText};

use super::policy::CompiledPolicy;

pub use reference::Reference;
pub(super) use table::record;
pub use table::{Table, answer_of};

/// Something that loads policies.
pub trait Engine {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// Loads a policy; otherwise why it cannot.
    fn load<'p>(&self, policy: &'p CompiledPolicy) -> Result<Box<dyn Evaluator + 'p>, String>;

    /// The pattern that a fresh session learns from the call, if it does.
    fn learnable(&self, call: &CallText) -> Option<String>;
}

/// A loaded policy.
pub trait Evaluator {
    /// Decides one call in a session that was told to learn these calls before; otherwise why there is no answer.
    fn decide(&self, call: &CallText, learned: &[CallText]) -> Result<Answer, String>;
}

/// Every engine there is.
pub fn all() -> [&'static dyn Engine; 2] {
    [&Reference, &Table]
}

/// One policy, loaded by every engine.
pub(super) struct Loaded<'p>(Vec<(&'static str, Box<dyn Evaluator + 'p>)>);

impl<'p> Loaded<'p> {
    /// Loads the policy into every engine; otherwise which cannot, and why.
    pub(super) fn new(policy: &'p CompiledPolicy, engines: &[&dyn Engine]) -> Result<Self, String> {
        let load = |engine: &&dyn Engine| {
            let loaded = engine
                .load(policy)
                .map_err(|problem| format!("{}: {problem}", engine.name()))?;
            Ok((engine.name(), loaded))
        };
        engines.iter().map(load).collect::<Result<_, _>>().map(Self)
    }

    /// What every engine answers; otherwise what two of them answer differently.
    pub(super) fn decide(&self, call: &CallText, learned: &[CallText]) -> Result<Answer, String> {
        let mut agreed: Option<(&str, Answer)> = None;
        for (name, engine) in &self.0 {
            let answer = engine
                .decide(call, learned)
                .map_err(|problem| format!("{name}: {problem}"))?;
            match &agreed {
                Some((first, other)) if *other != answer => {
                    return Err(format!("{first}: {other}\n{name}: {answer}"));
                }
                Some(_) => {}
                None => agreed = Some((name, answer)),
            }
        }
        agreed
            .map(|(_, answer)| answer)
            .ok_or_else(|| String::from("there is no engine"))
    }
}
