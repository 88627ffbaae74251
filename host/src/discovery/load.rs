//! Configured servers to their tools: wanted ones only, admitted before any of them is touched.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;

use callgate_runtime::transport::TransportDenied;
use thiserror::Error;

use super::config::{ServerConfig, ServerEntry, Servers};
use crate::admission::{Admission, AdmittedUrl};

/// A server that may be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdmittedServer {
    /// Its name.
    pub name: String,
    /// How it is reached.
    pub endpoint: AdmittedEndpoint,
}

/// How an admitted server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdmittedEndpoint {
    /// By starting a program.
    Command {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// All of its environment: the host clears what is inherited and sets this.
        env: BTreeMap<OsString, OsString>,
    },
    /// By connecting to a URL.
    Url {
        /// The URL.
        url: AdmittedUrl,
        /// Headers to send.
        headers: BTreeMap<String, String>,
    },
}

/// What one server brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerTools<T> {
    /// The server.
    pub server: String,
    /// Its tools; none when it failed.
    pub tools: Vec<T>,
    /// Why it failed, for the host's log.
    pub failure: Option<String>,
}

impl<T> ServerTools<T> {
    /// What the host logs of a failure.
    pub fn log_line(&self) -> Option<String> {
        let failure = self.failure.as_ref()?;
        Some(format!("server `{}` brings no tools: {failure}", self.server))
    }
}

/// Why a server's tools could not be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiscoveryFailure {
    /// A connection was denied; the whole discovery ends.
    Denied(TransportDenied),
    /// The server does not answer, or not as it should; it brings no tools.
    Failed(String),
}

impl From<TransportDenied> for DiscoveryFailure {
    fn from(denied: TransportDenied) -> Self {
        Self::Denied(denied)
    }
}

/// Why nothing was discovered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DiscoveryError {
    /// Names that no configured server has.
    #[error("no server is configured as {}; there {}", Quoted(.unknown), Known(.known))]
    UnknownServers {
        /// The names, in the order in which they were asked for.
        unknown: Vec<String>,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A server must not be loaded, so none is.
    #[error("the server `{server}` is not admitted: {denied}")]
    Denied {
        /// The server.
        server: String,
        /// Why.
        #[source]
        denied: TransportDenied,
    },
}

/// Finds the tools of the wanted servers (`None`: all of them), in the order of the configuration. Every wanted server is
/// admitted before `tools` is called for the first one, and a denial, there or in `tools`, ends it all: no tool of any
/// server is handed out. Any other failure of a server leaves it without tools, and the others with theirs.
///
/// What is admitted here permits no call: the tools that come out go through the permission policy like any others.
pub fn discover<T>(
    servers: &Servers,
    wanted: Option<&[String]>,
    admission: &Admission,
    inherited: &[(OsString, OsString)],
    mut tools: impl FnMut(&AdmittedServer) -> Result<Vec<T>, DiscoveryFailure>,
) -> Result<Vec<ServerTools<T>>, DiscoveryError> {
    let chosen = chosen(servers, wanted)?;
    let mut admitted = Vec::new();
    for entry in chosen {
        let server = match &entry.config {
            Ok(config) => Ok(admit(&entry.name, config, admission, inherited)?),
            Err(reason) => Err(*reason),
        };
        admitted.push((entry.name.clone(), server));
    }
    let mut found = Vec::new();
    for (name, server) in admitted {
        let outcome = match &server {
            Ok(server) => tools(server),
            Err(reason) => Err(DiscoveryFailure::Failed((*reason).to_owned())),
        };
        found.push(match outcome {
            Ok(tools) => ServerTools {
                server: name,
                tools,
                failure: None,
            },
            Err(DiscoveryFailure::Failed(reason)) => ServerTools {
                server: name,
                tools: Vec::new(),
                failure: Some(reason),
            },
            Err(DiscoveryFailure::Denied(denied)) => {
                return Err(DiscoveryError::Denied { server: name, denied });
            }
        });
    }
    Ok(found)
}

/// The wanted servers; a name that none has is an error, not a server less.
fn chosen<'s>(
    servers: &'s Servers,
    wanted: Option<&[String]>,
) -> Result<Vec<&'s ServerEntry>, DiscoveryError> {
    let Some(wanted) = wanted else {
        return Ok(servers.entries.iter().collect());
    };
    let has = |name: &String| servers.entries.iter().any(|entry| entry.name == *name);
    let unknown: Vec<String> = wanted.iter().filter(|name| !has(name)).cloned().collect();
    if !unknown.is_empty() {
        let known = servers.entries.iter().map(|entry| entry.name.clone()).collect();
        return Err(DiscoveryError::UnknownServers { unknown, known });
    }
    Ok(servers
        .entries
        .iter()
        .filter(|entry| wanted.contains(&entry.name))
        .collect())
}

fn admit(
    name: &str,
    config: &ServerConfig,
    admission: &Admission,
    inherited: &[(OsString, OsString)],
) -> Result<AdmittedServer, DiscoveryError> {
    let denied = |denied| DiscoveryError::Denied {
        server: name.to_owned(),
        denied,
    };
    let endpoint = match config {
        ServerConfig::Command { command, args, env } => {
            admission.admit_command(command).map_err(denied)?;
            let configured = env
                .iter()
                .map(|(name, value)| (OsString::from(name), OsString::from(value)));
            AdmittedEndpoint::Command {
                command: command.clone(),
                args: args.clone(),
                env: admission.environment(inherited.iter().cloned(), configured),
            }
        }
        ServerConfig::Url { url, headers } => AdmittedEndpoint::Url {
            url: admission.admit_url(url).map_err(denied)?,
            headers: headers.clone(),
        },
    };
    Ok(AdmittedServer {
        name: name.to_owned(),
        endpoint,
    })
}

struct Quoted<'n>(&'n [String]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.0.iter().map(|name| format!("`{name}`")).collect();
        f.write_str(&names.join(", "))
    }
}

struct Known<'n>(&'n [String]);

impl fmt::Display for Known<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("is none"),
            [one] => write!(f, "is only `{one}`"),
            several => write!(f, "are {}", Quoted(several)),
        }
    }
}
