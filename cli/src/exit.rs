//! What a command found to the number that its process ends with (page 70).

use std::process::ExitCode;

use callgate_runtime::rule::Effect;

/// An exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exit(u8);

impl Exit {
    /// Done; nothing to complain of.
    pub(crate) const CLEAN: Self = Self(0);
    /// Done; there are findings.
    pub(crate) const FINDINGS: Self = Self(1);
    /// Not done, or not in full.
    pub(crate) const COULD_NOT_RUN: Self = Self(2);

    /// The code of a decision under `--exit-code`.
    pub(crate) fn of_effect(effect: Effect) -> Self {
        match effect {
            Effect::Allow => Self(0),
            Effect::Ask => Self(3),
            Effect::Deny => Self(4),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.0)
    }
}
