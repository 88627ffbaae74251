//! The cap on connections. Each operation is one critical section, so what threads can do is order whole operations: every
//! order up to a length is tried here, and threads are let loose beside that.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use callgate_host::admission::Admission;
use callgate_host::connections::{ConnectionPermit, Connections};
use callgate_runtime::transport::{TransportDenied, TransportPolicy};

#[test]
fn the_sixth_is_refused() {
    let admission = Admission::new(TransportPolicy::default());
    let mut permits: Vec<ConnectionPermit> = (0..5).map(|_| admission.try_connect("docs").unwrap()).collect();
    let refused = admission.try_connect("docs").unwrap_err();
    assert_eq!(
        refused,
        TransportDenied::TooManyConnections {
            server: "docs".into(),
            max: 5
        }
    );
    // Clones count together, and servers apart.
    assert!(admission.clone().try_connect("docs").is_err());
    assert!(admission.try_connect("issues").is_ok());
    permits.pop();
    permits.push(admission.try_connect("docs").unwrap());
    assert!(admission.try_connect("docs").is_err());
    assert_eq!(permits[0].server(), "docs");
}

#[test]
fn zero_means_none() {
    assert!(Connections::new(0).try_connect("docs").is_err());
}

/// A step of a thread: connect to a server, or drop its oldest or newest permit.
const STEPS: [(&str, Step); 6] = [
    ("a", Step::Connect),
    ("a", Step::DropOldest),
    ("a", Step::DropNewest),
    ("b", Step::Connect),
    ("b", Step::DropOldest),
    ("b", Step::DropNewest),
];

#[derive(Clone, Copy)]
enum Step {
    Connect,
    DropOldest,
    DropNewest,
}

/// Every order of six steps, under caps of 1 and 2: 2 × 6⁶ runs against a plain count.
#[test]
fn every_order_of_operations_keeps_the_count() {
    const LENGTH: u32 = 6;
    let mut n_refused = 0_u32;
    for max in [1, 2] {
        for run in 0..6_usize.pow(LENGTH) {
            let connections = Connections::new(max);
            let mut held: BTreeMap<&str, Vec<ConnectionPermit>> = BTreeMap::new();
            let mut rest = run;
            for _ in 0..LENGTH {
                let (server, step) = STEPS[rest % 6];
                rest /= 6;
                let permits = held.entry(server).or_default();
                match step {
                    Step::Connect => {
                        let due = permits.len() < usize::try_from(max).unwrap();
                        let permit = connections.try_connect(server);
                        assert_eq!(permit.is_ok(), due);
                        n_refused += u32::from(!due);
                        permits.extend(permit);
                    }
                    Step::DropOldest if !permits.is_empty() => drop(permits.remove(0)),
                    Step::DropOldest => {}
                    Step::DropNewest => drop(permits.pop()),
                }
                for server in ["a", "b"] {
                    let due = held.get(server).map_or(0, Vec::len);
                    assert_eq!(connections.n_open(server), u32::try_from(due).unwrap());
                }
            }
        }
    }
    assert!(n_refused > 10_000, "{n_refused}");
}

/// Six threads at once: five get in, whichever they are.
#[test]
fn of_six_threads_five_get_in() {
    for _ in 0..200 {
        let connections = Connections::new(5);
        let (start, end) = (Barrier::new(6), Barrier::new(6));
        let n_admitted = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    start.wait();
                    let permit = connections.try_connect("docs");
                    n_admitted.fetch_add(u32::from(permit.is_ok()), Ordering::SeqCst);
                    end.wait();
                    drop(permit);
                });
            }
        });
        assert_eq!(
            (n_admitted.load(Ordering::SeqCst), connections.n_open("docs")),
            (5, 0)
        );
    }
}

/// Threads that come and go never hold more than the cap, and leave nothing behind.
#[test]
fn threads_that_come_and_go() {
    let connections = Connections::new(3);
    let (holding, most) = (AtomicU32::new(0), AtomicU32::new(0));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..2_000 {
                    if let Ok(permit) = connections.try_connect("docs") {
                        most.fetch_max(holding.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        thread::yield_now();
                        holding.fetch_sub(1, Ordering::SeqCst);
                        drop(permit);
                    }
                }
            });
        }
    });
    assert!(most.load(Ordering::SeqCst) <= 3);
    assert_eq!(connections.n_open("docs"), 0);
}

#[test]
fn a_panic_gives_its_connection_back() {
    let connections = Connections::new(1);
    let held = connections.clone();
    let outcome = catch_unwind(AssertUnwindSafe(move || {
        let _permit = held.try_connect("docs").unwrap();
        panic!("a tool of the server failed");
    }));
    assert!(outcome.is_err());
    assert!(connections.try_connect("docs").is_ok());
}
