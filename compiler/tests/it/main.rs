//! Source texts to what the public interface makes of them: kinds, findings, typed documents, normal form, schemas.

#![expect(
    clippy::as_conversions,
    clippy::string_slice,
    reason = "tests name the type of an empty list, and cut the ASCII documents of their own"
)]

#[cfg(test)]
mod agents;
#[cfg(test)]
mod confusion;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod hooks;
#[cfg(test)]
mod kinds;
#[cfg(test)]
mod normal_form;
#[cfg(test)]
mod packs;
#[cfg(test)]
mod permissions;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod resolve;
#[cfg(test)]
mod schemas;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod tests_documents;
#[cfg(test)]
mod written;
