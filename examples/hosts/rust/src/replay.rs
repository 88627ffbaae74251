//! A bundle of recorded answers to how many of them the evaluator gives differently.

use std::error::Error;
use std::fmt::Write as _;

use callgate_host::{Audience, Decision, Effect, Error as NoDecision, Evaluator, Mode, Policy};
use sha2::{Digest, Sha256};

type Recorded<'b> = (&'b [u8], &'b [u8], bool);

/// Replays the bundle and prints its line; whether nothing differs.
pub(crate) fn run(module: &[u8], bundle: &[u8]) -> Result<bool, Box<dyn Error>> {
    let mut evaluator = Evaluator::new(module)?;
    let (mut rows, mut differences) = (0_u32, 0_u32);
    let mut policy: Option<Policy> = None;
    let mut asked: &[u8] = &[];
    let mut batch: Vec<Recorded<'_>> = Vec::new();
    let mut rest = bundle;
    while let Some((tag, after)) = rest.split_first() {
        let (length, after) = after.split_first_chunk().ok_or("the bundle ends too early")?;
        let length = usize::try_from(u32::from_le_bytes(*length))?;
        let (bytes, after) = after
            .split_at_checked(length)
            .ok_or("the bundle ends too early")?;
        rest = after;
        let current = policy.ok_or("no table");
        match tag {
            b'T' => {
                if let Some(policy) = policy {
                    differences += finish(&mut evaluator, policy, &mut batch)?;
                }
                policy = Some(evaluator.load(bytes)?);
            }
            b'L' => {
                // A call that cannot be read teaches nothing.
                if let Err(error @ NoDecision::Trapped) = evaluator.learn(current?, bytes) {
                    return Err(error.into());
                }
            }
            b'Q' | b'X' => asked = bytes,
            b'A' => {
                let holds = is_same(&evaluator.decide(current?, asked), bytes);
                rows += 1;
                differences += u32::from(!holds);
                batch.push((asked, bytes, holds));
            }
            b'Y' => {
                rows += 1;
                let expected = i32::from_le_bytes(bytes.try_into()?);
                differences += u32::from(number(&mut evaluator, current?, asked)? != expected);
            }
            _ => return Err("an entry of an unknown kind".into()),
        }
    }
    if let Some(policy) = policy {
        differences += finish(&mut evaluator, policy, &mut batch)?;
    }
    let mut sha256 = String::new();
    for byte in Sha256::digest(module) {
        write!(sha256, "{byte:02x}")?;
    }
    println!("rust: module {sha256}, {rows} rows, {differences} differences");
    Ok(rows > 0 && differences == 0)
}

/// Asks everything that was asked of the policy again, at once; how many answers differ only here.
fn finish(
    evaluator: &mut Evaluator,
    policy: Policy,
    batch: &mut Vec<Recorded<'_>>,
) -> Result<u32, Box<dyn Error>> {
    let requests: Vec<&[u8]> = batch.iter().map(|(request, ..)| *request).collect();
    let answers = evaluator.decide_many(policy, &requests)?;
    let mut differences = 0;
    for (answer, (_, expected, held)) in answers.iter().zip(batch.drain(..)) {
        differences += u32::from(held && !is_same(answer, expected));
    }
    evaluator.close(policy)?;
    Ok(differences)
}

/// Whether the answer is the recorded one; nothing recorded stands for an error.
fn is_same(answer: &Result<Decision, NoDecision>, expected: &[u8]) -> bool {
    match answer {
        Ok(decision) => decision.record == expected,
        Err(NoDecision::Trapped) => false,
        Err(_) => expected.is_empty(),
    }
}

fn number(evaluator: &mut Evaluator, policy: Policy, asked: &[u8]) -> Result<i32, Box<dyn Error>> {
    let short = "a fast path entry is too short";
    let (flags, rest) = asked.split_first_chunk().ok_or(short)?;
    let (length, rest) = rest.split_first_chunk().ok_or(short)?;
    let length = usize::try_from(u32::from_le_bytes(*length))?;
    let (tool, subject) = rest.split_at_checked(length).ok_or(short)?;
    let flags = u32::from_le_bytes(*flags);
    let audience = match flags & 3 {
        0 => Audience::Main,
        1 => Audience::Subagent,
        _ => Audience::All,
    };
    let mode = match flags >> 2 {
        0 => Mode::Default,
        1 => Mode::Plan,
        _ => Mode::AcceptEdits,
    };
    let (tool, subject) = (str::from_utf8(tool)?, str::from_utf8(subject)?);
    let verdict = match evaluator.decide_text(policy, tool, subject, audience, mode) {
        Ok(verdict) => verdict,
        Err(NoDecision::Refused { code, .. }) => return Ok(code),
        Err(error) => return Err(error.into()),
    };
    let effect = match verdict.effect {
        Effect::Deny => 0,
        Effect::Ask => 1,
        Effect::Allow => 2,
    };
    let rule = verdict.rule.map_or(0, |rule| rule + 1);
    Ok(effect | i32::try_from(rule)? << 2)
}
