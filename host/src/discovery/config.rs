//! A `.mcp.json` file to the servers that it configures. Nothing in it is admitted by being there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use callgate_runtime::json::{self, JsonError, Value};
use thiserror::Error;

/// LIMIT: bytes of a file.
const MAX_BYTES: u64 = 1 << 20;

/// The servers of a file, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Servers {
    /// The servers.
    pub entries: Vec<ServerEntry>,
}

/// One server by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerEntry {
    /// The name.
    pub name: String,
    /// How it is reached, or why that cannot be told. A server that cannot be read does not stand in the way of others.
    pub config: Result<ServerConfig, &'static str>,
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerConfig {
    /// By starting a program.
    Command {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables for it, beside the inherited ones.
        env: BTreeMap<String, String>,
    },
    /// By connecting to a URL.
    Url {
        /// The URL.
        url: String,
        /// Headers to send.
        headers: BTreeMap<String, String>,
    },
}

/// Why a file gives no servers at all.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("cannot read `{}`: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// It is longer than any such file.
    #[error("`{}` has more than {MAX_BYTES} bytes", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
    },
    /// It is not UTF-8.
    #[error("`{}` is not UTF-8", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
    },
    /// It is no JSON that has one reading.
    #[error("the server configuration cannot be read: {0}")]
    Json(#[from] JsonError),
    /// It is JSON of another shape.
    #[error("the server configuration must be an object with an object `mcpServers`")]
    Shape,
}

impl Servers {
    /// The servers of a file.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let failed = |error| ConfigError::Read {
            path: path.to_owned(),
            error,
        };
        let length = fs::metadata(path).map_err(failed)?.len();
        if length > MAX_BYTES {
            return Err(ConfigError::TooLong {
                path: path.to_owned(),
            });
        }
        let bytes = fs::read(path).map_err(failed)?;
        let text = String::from_utf8(bytes).map_err(|_| ConfigError::NotUtf8 {
            path: path.to_owned(),
        })?;
        Self::parse(&text)
    }

    /// The servers of a file's text. JSON with two readings (a name that stands twice, a lone surrogate) is refused.
    /// Without `mcpServers` there are none.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let root = json::parse(text)?;
        let members = root.as_object().ok_or(ConfigError::Shape)?;
        let servers = members.iter().find(|member| member.name == "mcpServers");
        let Some(servers) = servers else {
            return Ok(Self::default());
        };
        let servers = servers.value.as_object().ok_or(ConfigError::Shape)?;
        let entries = servers.iter().map(|member| ServerEntry {
            name: member.name.to_string(),
            config: server(&member.value),
        });
        Ok(Self {
            entries: entries.collect(),
        })
    }
}

/// One server. Exactly one of `command` and `url` says how it is reached; keys that nobody here reads are other tools'.
fn server(value: &Value<'_>) -> Result<ServerConfig, &'static str> {
    let members = value.as_object().ok_or("it is no object")?;
    let get = |name: &str| {
        members
            .iter()
            .find(|member| member.name == name)
            .map(|member| &member.value)
    };
    match (get("command"), get("url")) {
        (Some(_), Some(_)) => Err("it has both a command and a URL"),
        (None, None) => Err("it has neither a command nor a URL"),
        (Some(command), None) => Ok(ServerConfig::Command {
            command: command.as_str().ok_or("its command is no text")?.to_owned(),
            args: get("args").map_or(Ok(Vec::new()), texts)?,
            env: get("env").map_or(Ok(BTreeMap::new()), |env| {
                pairs(env, "its env is no object of texts")
            })?,
        }),
        (None, Some(url)) => Ok(ServerConfig::Url {
            url: url.as_str().ok_or("its URL is no text")?.to_owned(),
            headers: get("headers").map_or(Ok(BTreeMap::new()), |headers| {
                pairs(headers, "its headers are no object of texts")
            })?,
        }),
    }
}

fn texts(value: &Value<'_>) -> Result<Vec<String>, &'static str> {
    let reason = "its args are no list of texts";
    let Value::Array(items) = value else {
        return Err(reason);
    };
    items
        .iter()
        .map(|item| item.as_str().map(str::to_owned).ok_or(reason))
        .collect()
}

fn pairs(value: &Value<'_>, reason: &'static str) -> Result<BTreeMap<String, String>, &'static str> {
    let members = value.as_object().ok_or(reason)?;
    let pairs = members.iter().map(|member| {
        let value = member.value.as_str().ok_or(reason)?;
        Ok((member.name.to_string(), value.to_owned()))
    });
    pairs.collect()
}
