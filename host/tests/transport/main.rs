//! Page 50, transport admission: which URL, environment, connection and server gets in, and which configuration counts.

mod connections;
mod discovery;
mod environment;
mod locate;
mod urls;

use callgate_host::admission::Admission;
use callgate_runtime::transport::TransportPolicy;

/// Both transports open, under these lists.
fn admission(commands: Option<&[&str]>, hosts: Option<&[&str]>) -> Admission {
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    Admission::new(TransportPolicy {
        allow_commands: true,
        command_allowlist: commands.map(names),
        allow_urls: true,
        url_allowlist: hosts.map(names),
        ..TransportPolicy::default()
    })
}
