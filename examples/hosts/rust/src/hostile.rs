//! The list of hostile inputs to those that the evaluator, or this host, lets through or does not survive.

use std::error::Error;
use std::fs;
use std::path::Path;

use callgate_host::{Audience, Decision, Effect, Error as NoDecision, Evaluator, Mode, Policy};

const CALL: &[u8] = br#"{"tool":"reader","args":{"path":"x"}}"#;

type Answers = Vec<Result<Effect, NoDecision>>;

/// Puts the list and prints its line; whether everything was refused and survived.
pub(crate) fn run(module: &[u8], table: &[u8], list: &str) -> Result<bool, Box<dyn Error>> {
    let folder = Path::new(list).parent().unwrap_or(Path::new(""));
    let mut evaluator = Evaluator::new(module)?;
    let good = evaluator.load(table)?;
    let (mut cases, mut faults) = (0_u32, 0_u32);
    for line in fs::read_to_string(list)?.split('\n') {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let parts: Vec<&str> = line.split('\t').collect();
        let [name, kind, argument] = parts.as_slice() else {
            return Err(format!("not a hostile input: {line}").into());
        };
        cases += 1;
        let mut fault = |what: &str| {
            faults += 1;
            println!("  {name}: {what}");
        };
        let answers = put(&mut evaluator, good, table, kind, argument, folder)?;
        if answers
            .iter()
            .any(|answer| !matches!(answer, Ok(Effect::Deny) | Err(_)))
        {
            fault("not refused");
        }
        if ask(&mut evaluator, good)
            .iter()
            .any(|answer| !matches!(answer, Ok(Effect::Allow)))
        {
            fault("dead afterwards");
        }
    }
    println!("rust: {cases} hostile inputs, {faults} faults");
    Ok(cases > 0 && faults == 0)
}

/// The answers to one hostile input; none where it was refused before any policy could be asked.
fn put(
    evaluator: &mut Evaluator,
    good: Policy,
    table: &[u8],
    kind: &str,
    argument: &str,
    folder: &Path,
) -> Result<Answers, Box<dyn Error>> {
    Ok(match kind {
        "table" => match evaluator.load(&damaged(table, argument)?) {
            Ok(policy) => ask(evaluator, policy),
            Err(_) => Vec::new(),
        },
        "request" => raw(evaluator, good, argument.as_bytes()),
        "request-hex" => raw(evaluator, good, &unhex(argument)?),
        "request-fill" => {
            let path = "x".repeat(argument.parse()?);
            let request = format!(r#"{{"tool":"reader","args":{{"path":"{path}"}}}}"#);
            raw(evaluator, good, request.as_bytes())
        }
        "units" => {
            let mut request = br#"{"tool":"reader","args":{"path":""#.to_vec();
            for unit in unhex(argument)?.as_chunks::<2>().0 {
                let [high, low] = *unit;
                request.extend([
                    0xE0 | high >> 4,
                    0x80 | (high & 15) << 2 | low >> 6,
                    0x80 | low & 0x3F,
                ]);
            }
            request.extend(br#""}}"#);
            raw(evaluator, good, &request)
        }
        "handle" => ask(evaluator, Policy::of_handle(argument.parse()?)),
        "freed" => {
            let policy = evaluator.load(table)?;
            evaluator.close(policy)?;
            ask(evaluator, policy)
        }
        "module" => {
            let Ok(module) = fs::read(folder.join(argument)) else {
                return Ok(Vec::new());
            };
            let started = Evaluator::new(&module).and_then(|mut other| {
                let policy = other.load(table)?;
                Ok(ask(&mut other, policy))
            });
            started.unwrap_or_default()
        }
        _ => return Err(format!("a hostile input of an unknown kind: {kind}").into()),
    })
}

fn ask(evaluator: &mut Evaluator, policy: Policy) -> Answers {
    let mut answers = raw(evaluator, policy, CALL);
    let verdict = evaluator.decide_text(policy, "reader", "x", Audience::Main, Mode::Default);
    answers.push(verdict.map(|verdict| verdict.effect));
    answers
}

fn raw(evaluator: &mut Evaluator, policy: Policy, request: &[u8]) -> Answers {
    let effect = |answer: Result<Decision, NoDecision>| answer.map(|decision| decision.effect);
    let mut answers = vec![effect(evaluator.decide(policy, request))];
    match evaluator.decide_many(policy, &[request]) {
        Ok(many) => answers.extend(many.into_iter().map(effect)),
        Err(error) => answers.push(Err(error)),
    }
    answers
}

fn damaged(table: &[u8], argument: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut changed = table.to_vec();
    let words: Vec<&str> = argument.split(' ').collect();
    match words.as_slice() {
        ["keep", count] => changed.truncate(count.parse()?),
        ["cut", count] => changed.truncate(table.len().saturating_sub(count.parse()?)),
        ["set", offset, bytes] => {
            let places = changed.iter_mut().skip(offset.parse()?);
            for (place, byte) in places.zip(unhex(bytes)?) {
                *place = byte;
            }
        }
        _ => return Err(format!("no damage: {argument}").into()),
    }
    Ok(changed)
}

fn unhex(text: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let (pairs, odd) = text.as_bytes().as_chunks::<2>();
    if !odd.is_empty() {
        return Err("half a byte".into());
    }
    let byte = |pair: &[u8; 2]| Ok(u8::from_str_radix(str::from_utf8(pair)?, 16)?);
    pairs.iter().map(byte).collect()
}
