//! What a server gets of its environment.

use std::ffi::OsString;

use callgate_host::admission::Admission;
use callgate_runtime::transport::TransportPolicy;

fn pairs(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
    pairs
        .iter()
        .map(|(name, value)| (OsString::from(name), OsString::from(value)))
        .collect()
}

#[test]
fn inherited_and_configured_variables_are_filtered_alike() {
    let inherited = pairs(&[
        ("PATH", "inherited"),
        ("LANG", "C"),
        ("GITHUB_api_KEY", "x"),
        ("Db_Password", "x"),
    ]);
    let configured = pairs(&[
        ("PATH", "configured"),
        ("MODE", "fast"),
        ("OPENAI_API_KEY", "x"),
        ("my_credentials", "x"),
    ]);
    let filtered =
        Admission::new(TransportPolicy::default()).environment(inherited.clone(), configured.clone());
    let due = pairs(&[("LANG", "C"), ("MODE", "fast"), ("PATH", "configured")]);
    assert_eq!(filtered.into_iter().collect::<Vec<_>>(), due);
    let off = TransportPolicy {
        filter_sensitive_env: false,
        ..TransportPolicy::default()
    };
    assert_eq!(
        Admission::new(off)
            .environment(inherited.clone(), configured.clone())
            .len(),
        7
    );
    let own = TransportPolicy {
        env_denylist_patterns: Some(vec!["mode".into()]),
        ..TransportPolicy::default()
    };
    let own = Admission::new(own).environment(inherited, configured);
    assert!(
        own.contains_key(&OsString::from("OPENAI_API_KEY")) && !own.contains_key(&OsString::from("MODE"))
    );
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_read_as_far_as_they_are() {
    use std::os::unix::ffi::OsStringExt;

    let name = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let inherited = vec![
        (name(b"\xffAPI_KEY\xff"), OsString::new()),
        (name(b"\xffPLAIN"), OsString::new()),
    ];
    let got = Admission::new(TransportPolicy::default()).environment(inherited, []);
    assert_eq!(got.into_keys().collect::<Vec<_>>(), [name(b"\xffPLAIN")]);
}
