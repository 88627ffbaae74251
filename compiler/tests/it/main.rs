//! Source texts to what the public interface makes of them: kinds, findings, typed documents, normal form, schemas.

mod agents;
mod confusion;
mod documents;
mod generated;
mod golden;
mod harness;
mod hooks;
mod kinds;
mod normal_form;
mod packs;
mod permissions;
mod properties;
mod resolve;
mod schemas;
mod settings;
mod tests_documents;
mod written;
