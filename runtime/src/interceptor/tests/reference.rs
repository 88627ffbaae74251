//! ADR-0044's D4 algorithm, transcribed line by line, with the gate of D6 before it and the policy's escalation of D2 as
//! the first security check. It knows nothing of the machine.

use alloc::vec::Vec;

use super::world::{
    ASKED, Args, Asked, ERROR_HANDLER, End, Exception, FIRST_RESULT, GATE, Gate, HANDLER, Judged, Outcome,
    PLAIN, POLICY_ANSWERS, POST, REPLACED_ERROR, Script, Seen, Shape,
};

pub(super) struct Reference<'s> {
    shape: Shape,
    script: &'s mut Script,
    pub(super) trace: Vec<Seen>,
    /// Every mapping somebody said yes to, with how much was seen before the yes.
    pub(super) approved: Vec<(usize, Args)>,
}

impl<'s> Reference<'s> {
    pub(super) fn new(shape: Shape, script: &'s mut Script) -> Self {
        Self {
            shape,
            script,
            trace: Vec::new(),
            approved: Vec::new(),
        }
    }

    /// D6: before anything else, the session gate.
    pub(super) fn act(&mut self, arguments: Args) -> End {
        self.trace.push(Seen::Gate(arguments));
        match self.script.choose(&GATE) {
            Gate::Pass => {}
            Gate::Deny => return End::GateDenied { failed: false },
            Gate::Fail => return End::GateDenied { failed: true },
            Gate::Cancel => return End::Raised(Exception::Cancelled),
        }
        match self.invoke_with_interceptor(arguments) {
            Ok(result) => End::Returned(result),
            Err(exception) => End::Raised(exception),
        }
    }

    fn invoke_with_interceptor(&mut self, arguments: Args) -> Result<u8, Exception> {
        let original = arguments;
        let mut current = original;
        let mut security_changed = false;

        // S1
        for check in 0..self.shape.n_checks() {
            let prior = current;
            let replacement = self.security(check, current)?;
            current = replacement.unwrap_or(current);
            security_changed = security_changed || current != prior;
        }

        // T
        for transform in 0..self.shape.n_transforms {
            let replacement = self.transform(transform, current)?;
            current = replacement.unwrap_or(current);
        }

        // S2
        if self.shape.n_transforms > 0 || security_changed {
            for check in 0..self.shape.n_checks() {
                let replacement = self.security(check, current)?;
                let checked = replacement.unwrap_or(current);
                if checked != current {
                    return Err(Exception::Permission);
                }
            }
        }

        self.validate(current)?;

        match self.invoke_and_post(current) {
            Ok(result) => Ok(result),
            Err(Exception::Cancelled) => Err(Exception::Cancelled),
            Err(Exception::Failed(error, _)) => self.handle_invocation_error(current, error),
            Err(other) => Err(other),
        }
    }

    fn invoke_and_post(&mut self, current: Args) -> Result<u8, Exception> {
        self.trace.push(Seen::Invoke(current));
        match self.script.choose(&PLAIN) {
            Outcome::Fail => return Err(Exception::Failed(30, Vec::new())),
            Outcome::Cancel => return Err(Exception::Cancelled),
            _ => {}
        }
        let mut result = FIRST_RESULT;
        for handler in 0..self.shape.n_post {
            self.trace.push(Seen::Post(handler, current, result));
            let replacement = match self.script.choose(&POST) {
                Outcome::Fail => return Err(Exception::Failed(31, Vec::new())),
                Outcome::Cancel => return Err(Exception::Cancelled),
                Outcome::Equal => Some(result),
                Outcome::Replace => Some(result + 1),
                _ => None,
            };
            if let Some(replacement) = replacement {
                result = replacement;
            }
        }
        Ok(result)
    }

    fn handle_invocation_error(&mut self, current: Args, original: u8) -> Result<u8, Exception> {
        let mut first_replacement = None;
        let mut secondary = Vec::new();
        for handler in 0..self.shape.n_error_handlers {
            self.trace.push(Seen::OnError(handler, current, original));
            match self.script.choose(&ERROR_HANDLER) {
                Outcome::Cancel => return Err(Exception::Cancelled),
                Outcome::Fail | Outcome::WrongType => secondary.push(handler),
                Outcome::Replace if first_replacement.is_none() => {
                    first_replacement = Some(REPLACED_ERROR + u8::try_from(handler).unwrap());
                }
                _ => {}
            }
        }
        first_replacement.ok_or(Exception::Failed(original, secondary))
    }

    /// A check of the chain: nothing, a mapping, or an exception.
    fn security(&mut self, check: usize, current: Args) -> Result<Option<Args>, Exception> {
        self.trace.push(Seen::Check(check, current));
        if self.shape.policy && check == 0 {
            return self.policy(current);
        }
        match self.script.choose(&HANDLER) {
            Outcome::None => Ok(None),
            Outcome::Equal => Ok(Some(current)),
            Outcome::Replace => Ok(Some(current.other())),
            Outcome::Fail => Err(Exception::SecurityFailed(check, 20)),
            Outcome::WrongType => Err(Exception::Type),
            Outcome::Cancel => Err(Exception::Cancelled),
        }
    }

    /// D2: the policy as a check, and what an escalation comes to.
    fn policy(&mut self, current: Args) -> Result<Option<Args>, Exception> {
        match self.script.choose(&POLICY_ANSWERS) {
            Judged::Allow => return Ok(None),
            Judged::Ask if self.approved.iter().any(|(_, of)| *of == current) => return Ok(None),
            Judged::Ask => {}
            Judged::Deny => return Err(Exception::Denied),
            Judged::Fail => return Err(Exception::SecurityFailed(0, 21)),
            Judged::WrongType => return Err(Exception::Type),
            Judged::Missing => return Err(Exception::PolicyUnavailable),
            Judged::Cancel => return Err(Exception::Cancelled),
        }
        self.trace.push(Seen::Escalate(current));
        match self.script.choose(&ASKED) {
            Asked::Yes => {
                self.approved.push((self.trace.len(), current));
                Ok(None)
            }
            Asked::Equal => {
                self.approved.push((self.trace.len(), current));
                Ok(Some(current))
            }
            Asked::Other => {
                self.approved.push((self.trace.len(), current.other()));
                Ok(Some(current.other()))
            }
            Asked::No => Err(Exception::NotApproved(None)),
            Asked::Nobody => Err(Exception::ControlUnavailable),
            Asked::Fail => Err(Exception::NotApproved(Some(22))),
            Asked::Cancel => Err(Exception::Cancelled),
        }
    }

    fn transform(&mut self, transform: usize, current: Args) -> Result<Option<Args>, Exception> {
        self.trace.push(Seen::Transform(transform, current));
        match self.script.choose(&HANDLER) {
            Outcome::None => Ok(None),
            Outcome::Equal => Ok(Some(current)),
            Outcome::Replace => Ok(Some(current.other())),
            Outcome::Fail => Err(Exception::TransformFailed(transform, 23)),
            Outcome::WrongType => Err(Exception::Type),
            Outcome::Cancel => Err(Exception::Cancelled),
        }
    }

    fn validate(&mut self, current: Args) -> Result<(), Exception> {
        self.trace.push(Seen::Validate(current));
        match self.script.choose(&PLAIN) {
            Outcome::Fail => Err(Exception::Invalid(24)),
            Outcome::Cancel => Err(Exception::Cancelled),
            _ => Ok(()),
        }
    }
}
