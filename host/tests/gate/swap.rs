//! Policies that are swapped while calls are on their way.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use callgate_host::reload::Reload;
use callgate_runtime::driver::{Handlers, Stopped, invoke};
use callgate_runtime::interceptor::{Answer, ArgumentMapping, Raised, ToolCall};
use callgate_runtime::plan::{HandlerId, PolicyIdentity, SecurityCheck, ToolInterceptorPlan};
use callgate_runtime::rule::Mode;
use callgate_runtime::{Call, Decision, Digest, Permit, Policy};

use crate::call::policy;
use crate::waiting::wait;

const N_CALLERS: usize = 4;
const N_CALLS: usize = 500;

/// A caller, with what the policy of the moment said to the one call it makes at a time.
struct Caller<'r> {
    policy: &'r Reload<Policy>,
    said: RefCell<Vec<(Digest, bool)>>,
}

impl Handlers for Caller<'_> {
    type Arguments = ArgumentMapping;
    type Value = ();
    type Error = ();

    fn judge(&self, call: Call<'_>) -> Option<Result<Permit, Box<Decision<'_>>>> {
        let judged = Permit::from_policy(self.policy, "s", Mode::Default, &call, None);
        let policy = match &judged {
            Ok(permit) => *permit.policy(),
            Err(decision) => decision.policy,
        };
        self.said.borrow_mut().push((policy, judged.is_ok()));
        Some(judged)
    }

    async fn transform(
        &self,
        _: &HandlerId,
        _: ToolCall<'_, ArgumentMapping>,
    ) -> Answer<ArgumentMapping, ()> {
        thread::yield_now();
        Answer::Keep
    }

    async fn invoke(&self, _: ToolCall<'_, ArgumentMapping>) -> Result<(), ()> {
        Ok(())
    }
}

/// A plan with two policy checks, so that a swap can come between them.
fn plan(identity: PolicyIdentity) -> ToolInterceptorPlan {
    ToolInterceptorPlan {
        tool_name: String::from("bash"),
        security_pre: vec![SecurityCheck::Policy(identity)],
        transforms: vec![HandlerId::new("keep")],
        post: Vec::new(),
        on_error: Vec::new(),
    }
}

#[test]
fn a_call_runs_when_every_policy_of_its_moments_permitted_it() {
    let (open, closed) = (policy("mode: allow_all\n"), policy("mode: deny_all\n"));
    let reload: Reload<Policy> = Reload::new("settings");
    let load = |policy: &Policy| reload.load(|| Ok::<_, ()>(policy.clone())).map(drop);
    load(&open).unwrap();
    let (done, n_ran, n_denied) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let (pinned, live) = (
        plan(PolicyIdentity::Table(*open.table().digest())),
        plan(PolicyIdentity::Reloaded(String::from("settings"))),
    );
    thread::scope(|scope| {
        let callers: Vec<_> = (0..N_CALLERS)
            .map(|place| {
                let plan = if place % 2 == 0 { &live } else { &pinned };
                scope.spawn(|| {
                    let caller = Caller {
                        policy: &reload,
                        said: RefCell::default(),
                    };
                    let arguments = ArgumentMapping::parse(r#"{"command":"ls"}"#).unwrap();
                    for _ in 0..N_CALLS {
                        let ended = wait(invoke(&caller, plan, &arguments, None));
                        let said = caller.said.take();
                        let is_open = |policy: &Digest| policy == open.table().digest();
                        assert!(
                            said.iter().all(|(policy, yes)| *yes == is_open(policy)),
                            "{said:?}"
                        );
                        let permitted = said.len() == 2 && said.iter().all(|(_, yes)| *yes);
                        match ended {
                            Ok(()) => assert!(permitted, "{said:?}"),
                            Err(Stopped::Raised(Raised::Denied(_))) => assert!(!permitted, "{said:?}"),
                            Err(other) => panic!("{other:?} {said:?}"),
                        }
                        let count = if permitted { &n_ran } else { &n_denied };
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        let swaps = scope.spawn(|| {
            let mut policies = [&open, &closed].into_iter().cycle();
            while !done.load(Ordering::Relaxed) {
                assert_eq!(reload.load(|| Err::<Policy, ()>(())).map(drop), Err(()));
                if let Some(policy) = policies.next() {
                    load(policy).unwrap();
                }
                thread::yield_now();
            }
        });
        let ended: Vec<_> = callers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        done.store(true, Ordering::Relaxed);
        swaps.join().unwrap();
        assert!(ended.iter().all(Result::is_ok));
    });
    assert_eq!(n_ran.into_inner() + n_denied.into_inner(), N_CALLERS * N_CALLS);
}

#[test]
fn a_swap_between_the_two_checks_counts() {
    struct Swapping<'r>(Caller<'r>, Policy);
    impl Handlers for Swapping<'_> {
        type Arguments = ArgumentMapping;
        type Value = ();
        type Error = ();
        fn judge(&self, call: Call<'_>) -> Option<Result<Permit, Box<Decision<'_>>>> {
            self.0.judge(call)
        }
        async fn transform(
            &self,
            _: &HandlerId,
            _: ToolCall<'_, ArgumentMapping>,
        ) -> Answer<ArgumentMapping, ()> {
            self.0.policy.load(|| Ok::<_, ()>(self.1.clone())).unwrap();
            Answer::Keep
        }
        async fn invoke(&self, _: ToolCall<'_, ArgumentMapping>) -> Result<(), ()> {
            panic!("the policy of the last check denies it")
        }
    }
    let (open, closed) = (policy("mode: allow_all\n"), policy("mode: deny_all\n"));
    let live = plan(PolicyIdentity::Reloaded(String::from("settings")));
    let reload = Reload::new("settings");
    let arguments = ArgumentMapping::parse("{}").unwrap();
    let caller = || Caller {
        policy: &reload,
        said: RefCell::default(),
    };

    let unloaded = caller();
    let refused = wait(invoke(&unloaded, &live, &arguments, None));
    assert!(
        matches!(refused, Err(Stopped::Raised(_))),
        "no policy was loaded yet: {refused:?}"
    );

    reload.load(|| Ok::<_, ()>(open)).unwrap();
    let swapping = Swapping(caller(), closed);
    let refused = wait(invoke(&swapping, &live, &arguments, None));
    assert!(
        matches!(refused, Err(Stopped::Raised(Raised::Denied(_)))),
        "{refused:?}"
    );
    let said: Vec<bool> = swapping.0.said.take().into_iter().map(|(_, yes)| yes).collect();
    assert_eq!(said, [true, false]);
}
