//! A workspace, a home and an agent's words to the servers that may be loaded, and to the tools that they have (page 50,
//! *MCP discovery*).
//!
//! Which file counts, which servers are wanted and which are admitted is decided here. Talking to a server is the host's:
//! it hands in a function, which is called only when every wanted server was admitted.

mod config;
mod load;
mod locate;

pub use config::{ConfigError, ServerConfig, ServerEntry, Servers};
pub use load::{AdmittedEndpoint, AdmittedServer, DiscoveryError, DiscoveryFailure, ServerTools, discover};
pub use locate::{ConfigFile, ConfigOrigin, Search};
