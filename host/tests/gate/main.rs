//! The gate as a host puts it together: documents, plans, hooks, schemas and compiled policies.

mod call;
mod hooks;
mod processes;
mod schema;
mod waiting;
