//! Connections to servers to permits, of which each server has no more than its cap at a time.
//!
//! Every operation is one critical section of one lock, so threads can only order whole operations, never interleave
//! their steps.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use callgate_runtime::transport::TransportDenied;

/// The open connections of every server. Clones count together.
#[derive(Clone, Debug)]
pub struct Connections {
    max: u32,
    /// How many permits each server has; a server without one is not there, so the map holds no more than live permits.
    open: Arc<Mutex<BTreeMap<String, u32>>>,
}

/// The right to one connection; dropping it gives it back, also while a thread unwinds.
#[derive(Debug)]
#[must_use = "dropping the permit gives the connection back"]
pub struct ConnectionPermit {
    server: String,
    connections: Connections,
}

impl Connections {
    /// No connection is open, and each server may have `max`.
    pub fn new(max: u32) -> Self {
        Self {
            max,
            open: Arc::default(),
        }
    }

    /// A permit for one more connection to `server`, or a denial.
    pub fn try_connect(&self, server: &str) -> Result<ConnectionPermit, TransportDenied> {
        let mut open = self.lock();
        let n_open = open.get(server).copied().unwrap_or(0);
        if n_open >= self.max {
            return Err(TransportDenied::TooManyConnections {
                server: server.to_owned(),
                max: self.max,
            });
        }
        open.insert(server.to_owned(), n_open.saturating_add(1));
        Ok(ConnectionPermit {
            server: server.to_owned(),
            connections: self.clone(),
        })
    }

    /// How many connections `server` has.
    pub fn n_open(&self, server: &str) -> u32 {
        self.lock().get(server).copied().unwrap_or(0)
    }

    /// INVARIANT: nothing inside a critical section panics between two writes, so the map is whole even if a thread
    /// died with the lock.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, u32>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionPermit {
    /// The server it is for.
    pub fn server(&self) -> &str {
        &self.server
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        match open.get_mut(&self.server) {
            Some(n_open) if *n_open > 1 => *n_open -= 1,
            Some(_) | None => {
                open.remove(&self.server);
            }
        }
    }
}
