//! Plans: which keys apply in which order, and what sealing means.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{
    ConstructionError, Declarations, HandlerId, HandlerMap, PlanSet, PolicyIdentity, RegisteredTool,
    SecurityCheck, ToolSource,
};
use crate::table::Digest;

const POLICY: PolicyIdentity = PolicyIdentity::Table(Digest([7; 32]));

fn map(entries: &[(&str, &[&str])]) -> HandlerMap {
    let handlers = |names: &[&str]| names.iter().map(|name| HandlerId::new(name)).collect();
    entries
        .iter()
        .map(|(key, names)| (key.to_string(), handlers(names)))
        .collect()
}

fn snapshot() -> Vec<RegisteredTool> {
    let mut reader = RegisteredTool::new("reader_tool", ToolSource::BuiltIn);
    reader.preprocessor = Some(HandlerId::new("own_pre"));
    reader.postprocessor = Some(HandlerId::new("own_post"));
    let fetch = RegisteredTool::new("mcp__web__fetch", ToolSource::Discovered("web".to_string()));
    alloc::vec![reader, RegisteredTool::new("bash", ToolSource::BuiltIn), fetch]
}

fn declared() -> Declarations {
    Declarations {
        security_pre: map(&[("*", &["guard"])]),
        transforms: map(&[
            ("*", &["all", "twice"]),
            ("Bash", &["own", "twice"]),
            ("bash_tool", &["old", "own"]),
        ]),
        post: map(&[("reader", &["trim"]), ("mcp__web__fetch_tool", &["strip"])]),
        on_error: map(&[("nobody", &["idle"])]),
    }
}

fn names(handlers: &[HandlerId]) -> Vec<&str> {
    handlers.iter().map(|handler| handler.0.as_str()).collect()
}

#[test]
fn wildcard_name_and_compatible_key_apply_in_that_order_each_handler_once() {
    let set = PlanSet::sealed(&snapshot(), Some(&POLICY), &declared()).unwrap();
    let bash = set.plan("bash").unwrap();
    assert_eq!(names(&bash.transforms), ["all", "twice", "own", "old"]);
    let guard = SecurityCheck::Handler(HandlerId::new("guard"));
    assert_eq!(bash.security_pre, [SecurityCheck::Policy(POLICY), guard]);
    let reader = set.plan("reader_tool").unwrap();
    assert_eq!(reader.tool_name, "reader_tool", "the registered name is kept");
    assert_eq!(names(&reader.transforms), ["own_pre", "all", "twice"]);
    assert_eq!(names(&reader.post), ["own_post", "trim"]);
    assert_eq!(names(&set.plan("mcp__web__fetch").unwrap().post), ["strip"]);
    assert_eq!(set.idle_keys(), ["nobody"]);
}

#[test]
fn every_tool_is_covered_whatever_its_source() {
    let set = PlanSet::sealed(&snapshot(), Some(&POLICY), &Declarations::default()).unwrap();
    let coverage: Vec<(&str, &ToolSource)> = set.coverage().map(|line| (line.name, line.source)).collect();
    let web = ToolSource::Discovered("web".to_string());
    let expected = [
        ("bash", &ToolSource::BuiltIn),
        ("mcp__web__fetch", &web),
        ("reader_tool", &ToolSource::BuiltIn),
    ];
    assert_eq!(coverage, expected);
    assert!(
        set.coverage()
            .all(|line| line.plan.security_pre == [SecurityCheck::Policy(POLICY)])
    );
}

#[test]
fn nothing_registered_and_no_policy_are_fine() {
    let set = PlanSet::sealed(&[], Some(&POLICY), &declared()).unwrap();
    assert_eq!(set.coverage().count(), 0);
    let no_policy = Declarations {
        transforms: map(&[("*", &["all"])]),
        ..Declarations::default()
    };
    let set = PlanSet::sealed(&snapshot(), None, &no_policy).unwrap();
    assert!(set.coverage().all(|line| line.plan.security_pre.is_empty()));
    assert!(
        set.coverage()
            .all(|line| names(&line.plan.transforms).contains(&"all"))
    );
}

#[test]
fn binding_twice_leaves_one_plan_and_sealing_keeps_it() {
    let given = (snapshot(), declared());
    let mut set = PlanSet::sealed(&given.0, Some(&POLICY), &given.1).unwrap();
    assert_eq!(set, PlanSet::sealed(&given.0, Some(&POLICY), &given.1).unwrap());
    assert_eq!(
        given,
        (snapshot(), declared()),
        "what the caller gave is as it was"
    );
    let sealed = set.clone();
    assert_eq!(set.bind(&given.0, Some(&POLICY), &given.1), Ok(()));

    let replaced = |name: &str| Err(ConstructionError::PlanReplaced(name.to_string()));
    assert_eq!(set.bind(&given.0, None, &given.1), replaced("bash"));
    let other = PolicyIdentity::Table(Digest([8; 32]));
    assert_eq!(set.bind(&given.0, Some(&other), &given.1), replaced("bash"));
    let more = Declarations {
        post: map(&[("reader", &["more"])]),
        ..declared()
    };
    assert_eq!(
        set.bind(&given.0, Some(&POLICY), &more),
        replaced("mcp__web__fetch")
    );
    assert_eq!(
        set.bind(&given.0[1..], Some(&POLICY), &given.1),
        replaced("reader_tool"),
        "left out"
    );
    assert_eq!(set, sealed, "an error changes nothing");

    let mut nothing = PlanSet::sealed(&[], Some(&POLICY), &given.1).unwrap();
    assert_eq!(
        nothing.bind(&[], None, &given.1),
        Err(ConstructionError::BindingReplaced)
    );
}

#[test]
fn until_sealed_a_binding_can_be_made_anew_and_gives_no_plan() {
    let mut set = PlanSet::default();
    set.bind(&snapshot(), None, &Declarations::default()).unwrap();
    assert_eq!(set.plan("bash"), Err(ConstructionError::NotSealed));
    set.bind(&snapshot(), Some(&POLICY), &declared()).unwrap();
    set.seal();
    assert_eq!(
        set,
        PlanSet::sealed(&snapshot(), Some(&POLICY), &declared()).unwrap()
    );
}

#[test]
fn a_late_tool_is_bound_first_or_unknown() {
    let mut set = PlanSet::sealed(&snapshot()[..2], Some(&POLICY), &declared()).unwrap();
    let late = snapshot().swap_remove(2);
    let unbound = Err(ConstructionError::NotBound(late.name.clone()));
    assert_eq!(set.plan(&late.name).map(drop), unbound);
    assert_eq!(set.bind(&snapshot(), Some(&POLICY), &declared()), unbound);
    set.bind_late(&late).unwrap();
    assert_eq!(
        set,
        PlanSet::sealed(&snapshot(), Some(&POLICY), &declared()).unwrap()
    );
    assert_eq!(
        set.bind_late(&late),
        Err(ConstructionError::DuplicateTool(late.name.clone()))
    );
}

#[test]
fn what_has_two_meanings_is_no_binding() {
    let mut twice = snapshot();
    twice.push(RegisteredTool::new(
        "bash",
        ToolSource::Discovered("other".to_string()),
    ));
    let duplicate = ConstructionError::DuplicateTool("bash".to_string());
    assert_eq!(
        PlanSet::sealed(&twice, None, &Declarations::default()),
        Err(duplicate)
    );
    let colliding = Declarations {
        post: map(&[("BASH", &["a"]), ("bash", &["b"])]),
        ..Declarations::default()
    };
    let error = ConstructionError::CollidingKeys("BASH".to_string(), String::from("bash"));
    assert_eq!(PlanSet::sealed(&[], None, &colliding), Err(error));
}
