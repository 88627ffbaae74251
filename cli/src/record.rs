//! A line of recorded calls to a call, or to what is answered instead: the one reading of call records that every command
//! which takes them shares.

use std::io::{self, BufRead, Read};

use callgate_runtime::call::{Call, CallError};
use callgate_runtime::decision::Cause;
use callgate_runtime::json;
use callgate_runtime::rule::{Audience, Effect, Mode, Provenance};
use callgate_runtime::{Decision, Policy};
use thiserror::Error;

/// LIMIT: bytes of one call record. A longer line is answered by a deny and read no further than its end.
const MAX_RECORD: u64 = 64 << 20;

/// Why a line is no call.
#[derive(Debug, Error)]
pub(crate) enum NoCall {
    /// The record is wrong.
    #[error(transparent)]
    Record(#[from] CallError),
    /// The line is no text.
    #[error("the call is not UTF-8")]
    NotUtf8,
    /// The line is longer than anything that will be read.
    #[error("the call has more than {MAX_RECORD} bytes")]
    TooLong,
}

/// Appends the next line, without its break, to `line`; `None` at the end of the input. Of a line that is too long the
/// beginning is appended.
pub(crate) fn next_line(
    reader: &mut impl BufRead,
    line: &mut Vec<u8>,
) -> io::Result<Option<Result<(), NoCall>>> {
    let read = reader.by_ref().take(MAX_RECORD).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if u64::try_from(read).is_ok_and(|read| read == MAX_RECORD) {
        skip_line(reader)?;
        return Ok(Some(Err(NoCall::TooLong)));
    }
    Ok(Some(Ok(())))
}

/// Reads to the end of the line and keeps nothing of it.
fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let (used, done) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at.saturating_add(1), true),
            None => (buffer.len(), buffer.is_empty()),
        };
        reader.consume(used);
        if done {
            return Ok(());
        }
    }
}

/// The call of a line. What the record does not say of audience and mode, the command line does.
pub(crate) fn call(line: &[u8], audience: Option<Audience>, mode: Option<Mode>) -> Result<Call<'_>, NoCall> {
    let text = std::str::from_utf8(line).map_err(|_| NoCall::NotUtf8)?;
    let mut call = Call::parse(text)?;
    if audience.is_some() || mode.is_some() {
        let members = json::parse_members(text).map_err(CallError::from)?;
        let says = |name: &str| {
            members
                .iter()
                .any(|(member, value)| member == name && *value != "null")
        };
        call.audience = audience.filter(|_| !says("audience")).unwrap_or(call.audience);
        call.mode = mode.filter(|_| !says("mode")).unwrap_or(call.mode);
    }
    Ok(call)
}

/// The answer to what is no call.
pub(crate) fn denied(policy: &Policy, what: String) -> Decision<'_> {
    Decision {
        effect: Effect::Deny,
        tool: String::new(),
        canonical_tool: String::new(),
        action: String::new(),
        cause: Cause::Malformed(what),
        provenance: Provenance::MalformedArguments,
        rule: None,
        segment: None,
        configured_ask: false,
        floored_configured_allow: false,
        policy: *policy.table().digest(),
    }
}
