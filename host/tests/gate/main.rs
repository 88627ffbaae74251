//! The gate as a host puts it together: documents, plans, hooks, schemas and compiled policies.

#[cfg(test)]
mod call;
#[cfg(test)]
mod hooks;
#[cfg(test)]
mod processes;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod swap;
mod waiting;
