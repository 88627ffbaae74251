//! Page 10, packs: prompt text and configuration, checked and kept apart from anything that enforces.

use callgate_compiler::Options;
use callgate_compiler::ir::{Catalogue, Document, Pack};

use crate::harness::{assert_findings, checked, findings_with};

fn pack(name: &str, text: &str) -> Pack {
    match checked(name, text, &Options::default()).document {
        Some(Document::Pack(pack)) => pack,
        other => panic!("{text} {other:?}"),
    }
}

pub(crate) fn catalogue(text: &str) -> Catalogue {
    match checked("catalogue.yaml", text, &Options::default()).document {
        Some(Document::Catalogue(catalogue)) => catalogue,
        other => panic!("{text} {other:?}"),
    }
}

#[test]
fn a_whole_pack() {
    let text = "name: team\nroles:\n  critic:\n    authority: [Decide.]\n    boundaries: [Cannot push.]\n    escalations: [Scope grows]\n    \
                model: null\n    effort: high\n    default_modes: [adversarial]\n    modes_allow: [adversarial, premortem]\n    \
                active: false\n  other: {}\n";
    let pack = pack("packs/x.yaml", text);
    assert_eq!(pack.name, "team");
    let directives = pack.prompt_directives("critic").unwrap();
    assert_eq!(directives.boundaries[0].as_str(), "Cannot push.");
    let config = pack.config("critic").unwrap();
    assert_eq!((config.model.as_ref(), config.is_active()), (None, false));
    assert_eq!(config.effort.as_ref().map(|effort| effort.as_str()), Some("high"));
    assert!(pack.config("other").unwrap().is_active());
    assert!(pack.prompt_directives("nobody").is_none());
}

#[test]
fn the_name_defaults_to_the_stem() {
    assert_eq!(pack("packs/default.yaml", "roles: {}\n").name, "default");
    assert_eq!(pack("a.b.yaml", "roles: {}\n").name, "a.b");
    assert_eq!(pack("-", "roles: {}\n").name, "-");
}

#[test]
#[expect(deprecated, reason = "the former names must go on giving the same data")]
fn the_former_names_are_the_same_data() {
    let pack = pack("p.yaml", "roles: {critic: {authority: [Decide.]}}\n");
    assert_eq!(pack.policy("critic"), pack.prompt_directives("critic"));
    assert_eq!(
        pack.policies().get("critic").copied(),
        pack.prompt_directives("critic")
    );
}

#[test]
fn keys_and_values() {
    let role = |entry: &str| format!("roles:\n  critic: {{{entry}}}\n");
    for (entry, due) in [
        ("autority: [x]", "CG0201@2"),
        ("authority: Decide", "CG0202@2"),
        ("authority: ", "CG0202@2"),
        ("authority: [no]", "CG0203@2"),
        ("active: yes", "CG0202@2"),
        ("effort: 5", "CG0203@2"),
        ("default_modes: [thorough]", "CG0701@2"),
        ("default_modes: [fast, slow]", "CG0702@2"),
        ("default_modes: [systematic, fast]", "CG0702@2"),
        ("default_modes: [slow, slow]", "CG0703@2"),
        ("modes_allow: [fast, slow]", ""),
        ("default_modes: [fast], modes_allow: [slow]", "CG0704@2"),
        ("default_modes: [fast], modes_allow: []", ""),
    ] {
        assert_findings(&[(&role(entry), due)]);
    }
    assert_findings(&[
        ("roles: [critic]\n", "CG0202@1"),
        ("roles: {critic: }\n", "CG0202@1"),
        ("roles: {no: {}}\n", "CG0203@1"),
        ("name: 5\nroles: {}\n", "CG0203@1"),
        ("roles: {}\nboundaries: [x]\n", "CG0201@2"),
        ("roles: {}\nrols: {}\n", "CG0201@2"),
    ]);
}

#[test]
fn a_catalogue_adds_modes() {
    let text = "roles:\n  critic: {default_modes: [thorough, hasty]}\n";
    let added = "callgate: catalogue\nmodes: {thorough: {behaviors: Be thorough.}, hasty: {conflicts_with: [thorough]}}\n";
    let options = Options {
        catalogue: Some(catalogue(added)),
        ..Options::default()
    };
    assert_eq!(findings_with(text, &options), ["CG0702@2"]);
    assert_eq!(findings_with(text, &Options::default()), ["CG0701@2", "CG0701@2"]);
}
