//! Everything that answers calls, behind one interface: the reference evaluator, the compiled table.

mod reference;
mod table;

use crate::oracle::{Answer, CallText};

use super::policy::CompiledPolicy;

pub use reference::Reference;
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

/// What every engine answers, each with the engine's name; an error where two disagree.
pub(super) fn decide_all(
    policy: &CompiledPolicy,
    engines: &[&dyn Engine],
    call: &CallText,
    learned: &[CallText],
) -> Result<Answer, String> {
    let mut agreed: Option<(&str, Answer)> = None;
    for engine in engines {
        let answer = engine
            .load(policy)
            .and_then(|loaded| loaded.decide(call, learned));
        let answer = answer.map_err(|problem| format!("{}: {problem}", engine.name()))?;
        match &agreed {
            Some((first, other)) if *other != answer => {
                return Err(format!("{first}: {other}\n{}: {answer}", engine.name()));
            }
            Some(_) => {}
            None => agreed = Some((engine.name(), answer)),
        }
    }
    agreed
        .map(|(_, answer)| answer)
        .ok_or_else(|| String::from("there is no engine"))
}
