//! A command, a URL or an environment and a transport policy to what may be started, connected to, or handed over.
//!
//! The rules are the runtime's ([`callgate_runtime::transport`]); here stands what they need of the standard library: a
//! URL parser, so that no host is read by hand, the names of a system's variables, and the count of connections.
//!
//! A URL is read once. What is handed out is the parser's own spelling of it, and a text that another parser could read as
//! another host is refused, so that no client connects to a host that was not looked at.

use std::collections::BTreeMap;
use std::ffi::OsString;

use callgate_runtime::transport::{TransportDenied, TransportPolicy};
use url::{Host, Url};

use crate::connections::{ConnectionPermit, Connections};

/// A transport policy at work. Clones share their connections.
#[derive(Clone, Debug)]
pub struct Admission {
    policy: TransportPolicy,
    connections: Connections,
}

/// A URL that may be connected to, in the parser's own spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdmittedUrl {
    url: Url,
}

impl AdmittedUrl {
    /// The URL to connect to. Not the text that was asked about: that one may be spelled in ways that clients read
    /// differently.
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// The host: a name in lower-case ASCII, or an address.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }
}

impl Admission {
    /// Puts a policy to work, with no connection open.
    pub fn new(policy: TransportPolicy) -> Self {
        let connections = Connections::new(policy.max_connections_per_server);
        Self { policy, connections }
    }

    /// The policy.
    pub fn policy(&self) -> &TransportPolicy {
        &self.policy
    }

    /// Whether this program may be started as a server.
    pub fn admit_command(&self, command: &str) -> Result<(), TransportDenied> {
        self.policy.admit_command(command)
    }

    /// The URL to connect to, if it may be. Userinfo, port, path and query do not count; the host does, exactly.
    pub fn admit_url(&self, text: &str) -> Result<AdmittedUrl, TransportDenied> {
        if !self.policy.allow_urls {
            // The text may hold credentials: only its host is named.
            let url = Url::parse(text).ok();
            let host = url
                .as_ref()
                .and_then(Url::host_str)
                .unwrap_or("a server without a host")
                .to_owned();
            return Err(TransportDenied::Urls { host });
        }
        let url = Url::parse(text).map_err(|_| unclear("it is no absolute URL"))?;
        if !matches!(url.scheme(), "https" | "wss") {
            return Err(TransportDenied::Scheme {
                scheme: url.scheme().to_owned(),
            });
        }
        has_one_reading(text)?;
        let host = url.host_str().ok_or(unclear("it names no host"))?;
        self.policy.admit_endpoint(url.scheme(), host, canonical_host)?;
        Ok(AdmittedUrl { url })
    }

    /// What a server gets of inherited and configured variables: sensitive names are left out of both, and a configured
    /// variable replaces an inherited one.
    pub fn environment(
        &self,
        inherited: impl IntoIterator<Item = (OsString, OsString)>,
        configured: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> BTreeMap<OsString, OsString> {
        let all = inherited.into_iter().chain(configured);
        all.filter(|(name, _)| self.policy.passes_env(&name.to_string_lossy()))
            .collect()
    }

    /// One more connection to this server, for as long as the permit lives; or a denial, when it has as many as it may.
    pub fn try_connect(&self, server: &str) -> Result<ConnectionPermit, TransportDenied> {
        self.connections.try_connect(server)
    }
}

/// A host as the parser writes hosts: an entry of an allowlist, to be compared with a URL's. An IPv6 address may stand with
/// or without brackets.
fn canonical_host(entry: &str) -> Option<String> {
    if entry.contains(['%', '/', '\\', '@']) {
        return None;
    }
    let bracketed;
    let entry = if entry.contains(':') && !entry.starts_with('[') {
        bracketed = format!("[{entry}]");
        &bracketed
    } else {
        entry
    };
    Host::parse(entry).ok().map(|host| host.to_string())
}

/// Refuses what RFC 3986 and the URL standard of browsers read as different hosts: backslashes, blanks and controls inside,
/// an encoded host, a second `@`, and any number of slashes but two.
fn has_one_reading(text: &str) -> Result<(), TransportDenied> {
    if text.contains('\\') {
        return Err(unclear("it holds a backslash"));
    }
    if text
        .chars()
        .any(|character| character.is_whitespace() || character.is_control())
    {
        return Err(unclear("it holds a blank or a control character"));
    }
    let Some((_, rest)) = text.split_once(':') else {
        return Err(unclear("it has no scheme"));
    };
    let authority = rest
        .strip_prefix("//")
        .map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    let Some(authority) = authority.filter(|authority| !authority.is_empty()) else {
        return Err(unclear("no host follows two slashes"));
    };
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    if user.contains('@') {
        return Err(unclear("there are two `@` before the host"));
    }
    if host.contains('%') {
        return Err(unclear("the host is percent-encoded"));
    }
    Ok(())
}

fn unclear(reason: &'static str) -> TransportDenied {
    TransportDenied::UnclearUrl { reason }
}
