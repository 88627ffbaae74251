//! The seam where an agent loop asks for a decision and teaches one: ours, or a host's over another engine (page 30).
//!
//! Whoever implements it keeps the five invariants of the layered dialect: a deny stands against everything, a
//! configured ask against every allow, plan mode comes before any rule, learned allows stand lowest, and no compound or
//! substituted shell line is learned. The host crate has a suite that holds an implementation to them.

use crate::call::Call;
use crate::decision::Decision;
use crate::eval::Policy;
use crate::rule::Mode;
use crate::session::Refusal;

/// Decides whether tool calls may run, and learns what was answered with *allow always*.
pub trait PermissionPolicy {
    /// Decides one call of a session in a mode, below a workspace. Without a workspace there is no project
    /// configuration; that is no error. Mode, session, workspace and audience of the call itself do not count: the
    /// first three are given here, the audience is the policy's own.
    fn evaluate(
        &self,
        session: &str,
        mode: Mode,
        call: &Call<'_>,
        workspace: Option<&str>,
    ) -> Decision<'static>;

    /// Learns the narrow allow that this very call teaches, for this session only, or says why it does not.
    fn learn(&self, session: &str, call: &Call<'_>) -> Result<(), Refusal>;
}

/// One compiled policy for the main engine: no project configuration, and no store, so learning is off.
impl PermissionPolicy for Policy {
    fn evaluate(
        &self,
        _session: &str,
        mode: Mode,
        call: &Call<'_>,
        _workspace: Option<&str>,
    ) -> Decision<'static> {
        let call = Call {
            mode,
            audience: crate::rule::Audience::Main,
            ..call.clone()
        };
        self.decide(&call).into_owned()
    }

    fn learn(&self, _session: &str, _call: &Call<'_>) -> Result<(), Refusal> {
        Err(Refusal::LearningIsOff)
    }
}
