//! CG0514: a deny (or, in the layered dialect, an ask) of an address that is allowed when the same address is written in
//! another way.
//!
//! A host's name is the same in capitals, with a dot at its end, and with the port that its scheme has anyway.

use callgate_runtime::rule::Effect;

use super::DODGED_URL;
use super::dodged_deny::{does, engine};
use crate::lower::quoted;
use crate::spelling::{Form, sample};
use crate::world::{Finding, Placed, World};

/// A rule at most once.
pub(crate) fn find<'a>(world: &World<'a>) -> Vec<Finding<'a>> {
    let rules = world.tightening();
    rules.filter_map(|placed| dodged(world, placed)).collect()
}

fn dodged<'a>(world: &World<'a>, placed: Placed<'a>) -> Option<Finding<'a>> {
    let tool = placed.tool(world);
    if tool == world.shell() {
        return None;
    }
    let address = sample(placed.tokens()?, Form::Name)?;
    let others = other_addresses(&address)?;
    placed.audiences().iter().copied().find_map(|audience| {
        let verdict = world.ask(tool, &address, audience);
        if verdict.effect != placed.rule.effect || verdict.rule.is_none() {
            return None;
        }
        let witness = others
            .iter()
            .map(|other| world.witness(tool, other, audience))
            .find(|witness| witness.effect == Effect::Allow)?;
        let message = format!(
            "{} {} {}{}, and the same address in other words is allowed: {}",
            quoted(&placed.rule.pattern),
            does(placed.rule.effect),
            quoted(&address),
            engine(audience),
            quoted(&witness.subject)
        );
        let help = String::from(
            "allow no more than the hosts that are needed, or have the host bring addresses into one form",
        );
        let allow = world.decider(world.ask(tool, &witness.subject, audience));
        Some(Finding::new(&DODGED_URL, placed, (message, help), witness).with(allow, "this rule allows it"))
    })
}

/// The same address in other words; `None` where the text is no address with a host.
fn other_addresses(address: &str) -> Option<Vec<String>> {
    let (scheme, rest) = address.split_once("://")?;
    let port = match scheme {
        "https" => "443",
        "http" => "80",
        _ => return None,
    };
    let (host, path) = rest
        .split_once('/')
        .map_or((rest, None), |(host, path)| (host, Some(path)));
    let is_name = host.contains('.')
        && host
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
    if !is_name || host.starts_with('.') || host.ends_with('.') {
        return None;
    }
    let path = path.map_or(String::new(), |path| format!("/{path}"));
    Some(vec![
        format!("{scheme}://{}{path}", host.to_ascii_uppercase()),
        format!("{scheme}://{host}:{port}{path}"),
        format!("{scheme}://{host}.{path}"),
        format!("{}://{host}{path}", scheme.to_ascii_uppercase()),
    ])
}

#[cfg(test)]
mod tests {
    use super::other_addresses;

    #[test]
    fn addresses_are_told_from_other_texts() {
        let others = other_addresses("https://a.example/x").unwrap();
        assert_eq!(
            others,
            [
                "https://A.EXAMPLE/x",
                "https://a.example:443/x",
                "https://a.example./x",
                "HTTPS://a.example/x"
            ]
        );
        assert!(
            other_addresses("http://a.example")
                .unwrap()
                .contains(&String::from("http://a.example:80"))
        );
        for text in [
            "",
            "a.example",
            "ftp://a.example/",
            "https://",
            "https://x/y",
            "https://.a/",
            "https://a b.c/",
        ] {
            assert_eq!(other_addresses(text), None, "{text}");
        }
    }
}
