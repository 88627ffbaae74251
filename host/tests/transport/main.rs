//! Page 50, transport admission: which URL, environment, connection and server gets in, and which configuration counts.

#[cfg(test)]
mod connections;
#[cfg(test)]
mod discovery;
#[cfg(test)]
mod environment;
#[cfg(test)]
mod locate;
#[cfg(test)]
mod urls;

#[cfg(test)]
use callgate_host::admission::Admission;
#[cfg(test)]
use callgate_runtime::transport::TransportPolicy;

/// Both transports open, under these lists.
#[cfg(test)]
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
