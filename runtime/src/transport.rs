//! A server that is about to be loaded, and a transport policy, to whether it may be loaded, with which environment, and
//! over how many connections (page 50, *Transport admission*).
//!
//! The policy and every rule that needs no URL library are here, so that a host without the standard library decides as
//! any other. Reading a URL is the one step that must not be written by hand: the `url` crate needs `std` tables of some
//! 100 KiB, so the host crate parses, and hands scheme and hosts to [`TransportPolicy::admit_endpoint`]. Counting
//! connections needs a lock, so permits are the host's as well.

mod default_env;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use thiserror::Error;

pub use default_env::SENSITIVE_ENV;

/// Connections to one server where nothing else is said.
pub const DEFAULT_MAX_CONNECTIONS: u32 = 5;

/// Which servers may be loaded, and what they get. The default denies every transport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransportPolicy {
    /// Servers that are commands may be loaded.
    pub allow_commands: bool,
    /// Only these bare names; `None`: any command.
    pub command_allowlist: Option<Vec<String>>,
    /// Servers behind URLs may be loaded.
    pub allow_urls: bool,
    /// Only these hosts; `None`: any host.
    pub url_allowlist: Option<Vec<String>>,
    /// A variable whose name holds one of these, in any case, is withheld; `None`: [`SENSITIVE_ENV`].
    pub env_denylist_patterns: Option<Vec<String>>,
    /// Whether variables are withheld at all.
    pub filter_sensitive_env: bool,
    /// Most connections to one server at a time.
    pub max_connections_per_server: u32,
}

impl Default for TransportPolicy {
    fn default() -> Self {
        Self {
            allow_commands: false,
            command_allowlist: None,
            allow_urls: false,
            url_allowlist: None,
            env_denylist_patterns: None,
            filter_sensitive_env: true,
            max_connections_per_server: DEFAULT_MAX_CONNECTIONS,
        }
    }
}

/// Why a server is not loaded, or not connected to. A denial ends the discovery it comes up in; it is never turned into
/// an empty list of tools.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TransportDenied {
    /// No command may be started.
    #[error("`{command}` is not started: the transport policy allows no commands (`allow_commands`)")]
    Commands {
        /// The command.
        command: String,
    },
    /// A command that names no program.
    #[error("an empty command names no program")]
    EmptyCommand,
    /// A path where the list holds bare names.
    #[error("`{command}` is a path, and `command_allowlist` holds bare names: write `{bare}`")]
    CommandPath {
        /// The command.
        command: String,
        /// Its last part.
        bare: String,
    },
    /// A command that the list does not hold.
    #[error("`{command}` is not in `command_allowlist`")]
    CommandNotListed {
        /// The command.
        command: String,
    },
    /// No URL may be connected to.
    #[error("`{host}` is not connected to: the transport policy allows no URLs (`allow_urls`)")]
    Urls {
        /// The host, or the whole text where it has none.
        host: String,
    },
    /// A text that is no URL, or that two parsers read as different hosts.
    #[error("the URL has no one reading: {reason}")]
    UnclearUrl {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A scheme without a secure transport.
    #[error("the scheme `{scheme}` is not admitted: only `https` and `wss` are")]
    Scheme {
        /// The scheme.
        scheme: String,
    },
    /// A host that the list does not hold.
    #[error("the host `{host}` is not in `url_allowlist`")]
    HostNotListed {
        /// The host, as the URL library writes it.
        host: String,
    },
    /// All connections to the server are in use.
    #[error("the server `{server}` has {max} connections already, the most it may have")]
    TooManyConnections {
        /// The server's name.
        server: String,
        /// The cap.
        max: u32,
    },
}

impl TransportPolicy {
    /// Whether a server may be started by this command (the program, without its arguments). Under an allowlist the bare
    /// name must be in it, letter for letter.
    pub fn admit_command(&self, command: &str) -> Result<(), TransportDenied> {
        if !self.allow_commands {
            return Err(TransportDenied::Commands {
                command: command.to_owned(),
            });
        }
        if command.is_empty() {
            return Err(TransportDenied::EmptyCommand);
        }
        let Some(allowed) = &self.command_allowlist else {
            return Ok(());
        };
        if command.contains(SEPARATORS) {
            let bare = command.rsplit(SEPARATORS).next().unwrap_or_default();
            return Err(TransportDenied::CommandPath {
                command: command.to_owned(),
                bare: bare.to_owned(),
            });
        }
        if allowed.iter().any(|name| name == command) {
            Ok(())
        } else {
            Err(TransportDenied::CommandNotListed {
                command: command.to_owned(),
            })
        }
    }

    /// Whether a server may be reached over this scheme at this host, both as a URL library writes them. `canonical`
    /// brings an entry of the allowlist into the form of `host`, or says that it is no host; hosts are equal when those
    /// forms are, byte for byte.
    pub fn admit_endpoint(
        &self,
        scheme: &str,
        host: &str,
        canonical: impl Fn(&str) -> Option<String>,
    ) -> Result<(), TransportDenied> {
        if !self.allow_urls {
            return Err(TransportDenied::Urls {
                host: host.to_owned(),
            });
        }
        if !matches!(scheme, "https" | "wss") {
            return Err(TransportDenied::Scheme {
                scheme: scheme.to_owned(),
            });
        }
        let listed = match &self.url_allowlist {
            None => true,
            Some(allowed) => allowed
                .iter()
                .any(|entry| canonical(entry).is_some_and(|entry| entry == host)),
        };
        if listed {
            Ok(())
        } else {
            Err(TransportDenied::HostNotListed {
                host: host.to_owned(),
            })
        }
    }

    /// Whether a server gets the variable of this name, wherever its value comes from.
    pub fn passes_env(&self, name: &str) -> bool {
        if !self.filter_sensitive_env {
            return true;
        }
        let name = folded(name);
        match &self.env_denylist_patterns {
            None => !SENSITIVE_ENV.iter().any(|part| name.contains(part)),
            Some(parts) => !parts.iter().any(|part| name.contains(&folded(part))),
        }
    }
}

/// What makes a command a path, on any system.
const SEPARATORS: [char; 2] = ['/', '\\'];

/// The text with the differences of case taken out. Through lower to upper case, so that `ſ` is `S` and `K` (kelvin) is
/// `K`: whoever compares in either case finds no other name here.
fn folded(text: &str) -> String {
    text.chars()
        .flat_map(char::to_lowercase)
        .flat_map(char::to_uppercase)
        .collect()
}

#[cfg(test)]
mod tests;
