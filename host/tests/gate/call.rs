//! Whole calls: a compiled policy, plans over a snapshot with a discovered tool, the driver.

use std::cell::RefCell;

use callgate_compiler::{Options, Source, compile};
use callgate_runtime::driver::{Handlers, Stopped, invoke};
use callgate_runtime::interceptor::{Answer, ArgumentMapping, Escalation, Raised, ToolCall};
use callgate_runtime::plan::{
    Declarations, HandlerId, PlanSet, PolicyIdentity, RegisteredTool, SecurityCheck, ToolSource,
};
use callgate_runtime::{Call, Decision, Permit, Policy};

use crate::waiting::wait;

pub(crate) fn policy(text: &str) -> Policy {
    let source = Source {
        name: "policy.yaml",
        bytes: text.as_bytes(),
    };
    let compilation = compile(&[source], &Options::default());
    Policy::from_bytes(compilation.policy.expect("a policy").bytes).unwrap()
}

struct Host {
    policy: Policy,
    escalation: Escalation<ArgumentMapping, &'static str>,
    transform: Answer<ArgumentMapping, &'static str>,
    asked: RefCell<Vec<String>>,
    ran: RefCell<Vec<String>>,
}

impl Host {
    fn new(text: &str) -> Self {
        Self {
            policy: policy(text),
            escalation: Escalation::NoHandler,
            transform: Answer::Keep,
            asked: RefCell::default(),
            ran: RefCell::default(),
        }
    }

    fn plans(&self) -> PlanSet {
        let snapshot = [
            RegisteredTool::new("bash_tool", ToolSource::BuiltIn),
            RegisteredTool::new("mcp__web__fetch", ToolSource::Discovered("web".to_owned())),
        ];
        let mut declared = Declarations::default();
        if self.transform != Answer::Keep {
            declared
                .transforms
                .insert("bash".to_owned(), vec![HandlerId::new("rewrite")]);
        }
        let identity = PolicyIdentity::Table(*self.policy.table().digest());
        PlanSet::sealed(&snapshot, Some(&identity), &declared).unwrap()
    }

    fn call(&self, tool: &str, arguments: &str) -> Result<(), Stopped<'_, &'static str>> {
        let arguments = ArgumentMapping::parse(arguments).unwrap();
        wait(invoke(self, self.plans().plan(tool).unwrap(), &arguments, None))
    }
}

impl Handlers for Host {
    type Arguments = ArgumentMapping;
    type Value = ();
    type Error = &'static str;

    fn judge(&self, call: Call<'_>) -> Option<Result<Permit, Box<Decision<'_>>>> {
        Some(self.policy.permit(&call))
    }

    async fn escalate(
        &self,
        _: &Decision<'_>,
        call: ToolCall<'_, ArgumentMapping>,
    ) -> Escalation<ArgumentMapping, &'static str> {
        self.asked.borrow_mut().push(call.arguments.as_str().to_owned());
        self.escalation.clone()
    }

    async fn transform(
        &self,
        _: &HandlerId,
        _: ToolCall<'_, ArgumentMapping>,
    ) -> Answer<ArgumentMapping, &'static str> {
        self.transform.clone()
    }

    async fn invoke(&self, call: ToolCall<'_, ArgumentMapping>) -> Result<(), &'static str> {
        self.ran.borrow_mut().push(call.arguments.as_str().to_owned());
        Ok(())
    }
}

const POLICY: &str =
    "mode: rules\ndeny: {bash: ['rm *']}\nallow: {bash: ['echo *']}\nescalate: {bash: ['*']}\n";
const ECHO: &str = r#"{"command":"echo hi"}"#;
const REMOVE: &str = r#"{"command":"rm -rf x"}"#;
const MAKE: &str = r#"{"command":"make"}"#;

fn mapping(text: &str) -> ArgumentMapping {
    ArgumentMapping::parse(text).unwrap()
}

#[test]
fn a_compiled_policy_permits_asks_and_denies() {
    let host = Host::new(POLICY);
    assert_eq!(host.call("bash_tool", ECHO), Ok(()));
    let denied = host.call("bash_tool", REMOVE).unwrap_err();
    let expected = r#"{"error":"denied","tool":"bash_tool","reason":"denied by rule rm *"}"#;
    assert_eq!(denied.to_tool_error("bash_tool").as_deref(), Some(expected));
    let nobody = host.call("bash_tool", MAKE).unwrap_err();
    assert!(
        matches!(nobody, Stopped::Raised(Raised::ControlUnavailable(_))),
        "{nobody:?}"
    );
    assert_eq!(*host.ran.borrow(), [ECHO]);
}

#[test]
fn a_discovered_tool_is_denied_by_deny_all_as_every_other() {
    let host = Host::new("mode: deny_all\n");
    for tool in ["bash_tool", "mcp__web__fetch"] {
        let denied = host.call(tool, "{}").unwrap_err();
        assert!(matches!(denied, Stopped::Raised(Raised::Denied(_))), "{denied:?}");
    }
    let digest = *host.policy.table().digest();
    let policy_first = [SecurityCheck::Policy(PolicyIdentity::Table(digest))];
    assert!(
        host.plans()
            .coverage()
            .all(|line| line.plan.security_pre == policy_first)
    );
    assert!(host.ran.borrow().is_empty());
}

#[test]
fn a_transform_cannot_turn_what_was_allowed_into_what_is_denied() {
    let host = Host {
        transform: Answer::Replace(mapping(REMOVE)),
        ..Host::new(POLICY)
    };
    let denied = host.call("bash_tool", ECHO).unwrap_err();
    assert!(matches!(denied, Stopped::Raised(Raised::Denied(_))), "{denied:?}");
    assert!(host.ran.borrow().is_empty());
}

#[test]
fn nobody_is_asked_twice_about_the_same_arguments() {
    let keep = Answer::Replace(mapping(MAKE));
    let host = Host {
        escalation: Escalation::Yes,
        transform: keep,
        ..Host::new(POLICY)
    };
    assert_eq!(host.call("bash_tool", MAKE), Ok(()));
    assert_eq!(*host.asked.borrow(), [MAKE]);
    let other = r#"{"command":"make install"}"#;
    assert_eq!(
        host.call("bash_tool", other),
        Ok(()),
        "the second pass asks about what the transform gave"
    );
    assert_eq!(*host.asked.borrow(), [MAKE, other, MAKE]);
}

#[test]
fn arguments_that_were_put_in_when_asked_go_through_the_policy() {
    let replace = |text| Host {
        escalation: Escalation::Replace(mapping(text)),
        ..Host::new(POLICY)
    };
    let host = replace(r#"{"command":"make check"}"#);
    assert_eq!(host.call("bash_tool", MAKE), Ok(()));
    assert_eq!(
        (host.asked.borrow().len(), host.ran.borrow()[0].as_str()),
        (1, r#"{"command":"make check"}"#)
    );
    let host = replace(REMOVE);
    let denied = host.call("bash_tool", MAKE).unwrap_err();
    assert!(matches!(denied, Stopped::Raised(Raised::Denied(_))), "{denied:?}");
}

#[test]
fn a_policy_that_the_plan_was_not_bound_to_gives_no_permit() {
    let bound = Host::new(POLICY).plans();
    let swapped = Host::new("mode: allow_all\n");
    let refused = wait(invoke(
        &swapped,
        bound.plan("bash_tool").unwrap(),
        &mapping(REMOVE),
        None,
    ));
    assert!(
        matches!(refused, Err(Stopped::Raised(Raised::Protocol(_)))),
        "{refused:?}"
    );
    assert!(swapped.ran.borrow().is_empty());
}
