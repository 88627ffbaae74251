//! The loop: what the model wants to what it is told.

use callgate_runtime::driver::{Stopped, invoke};
use callgate_runtime::interceptor::{ArgumentMapping, Raised};

use crate::gate::Gate;
use crate::model::{Model, Move};
use crate::tools::Failure;

/// Runs the model's moves until it has nothing more to say. Everything that happens is written down in the gate's
/// transcript.
pub async fn run(model: &mut dyn Model, gate: &Gate) {
    let mut reply = String::new();
    loop {
        match model.next(&reply) {
            Move::Say(text) => gate.tell(&format!("model: {text}")),
            Move::Call { tool, arguments } => {
                gate.tell(&format!("model: {tool} {arguments}"));
                reply = call(gate, &tool, &arguments).await;
                gate.tell(&format!("  reply: {reply}"));
            }
            Move::Done => return,
        }
    }
}

/// One tool call, through everything that its plan says, to the text that the model gets.
async fn call(gate: &Gate, tool: &str, arguments: &str) -> String {
    let plan = match gate.plans.plan(tool) {
        Ok(plan) => plan,
        Err(error) => return error.to_string(),
    };
    let arguments = match ArgumentMapping::parse(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return format!("the arguments cannot be read: {error}"),
    };
    match invoke(gate, plan, &arguments, Some("main")).await {
        Ok(value) => value,
        Err(stopped) => stopped.to_tool_error(tool).unwrap_or_else(|| described(&stopped)),
    }
}

/// What the model is told of a call that was not denied, and has no result.
fn described(stopped: &Stopped<'_, Failure>) -> String {
    match stopped {
        Stopped::Refused(denied) => denied.to_tool_error(),
        Stopped::Raised(Raised::Validation(failure) | Raised::Invocation { error: failure, .. }) => {
            failure.to_string()
        }
        Stopped::Raised(other) => other.to_string(),
    }
}
