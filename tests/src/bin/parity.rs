//! Vector files to the bundle that hosts replay (page 41 records as bytes), and one with a wrong answer beside it.
//!
//! `parity FOLDER FILE…` writes `parity.bundle` and `altered.bundle`, and tells how many answers each holds. Beside them
//! `allow.table`, a policy that allows the reader everything: what hostile inputs are made from.

use std::error::Error;
use std::fs;
use std::path::Path;

use callgate_tests::conformance::Bundle;
use callgate_tests::conformance::policy::{CompiledPolicy, PolicyText};

/// The policy of `allow.table`.
const ALLOW: &str = "mode: rules\nallow: {reader: [\"*\"]}\n";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((folder, files)) = arguments.split_first().filter(|(_, files)| !files.is_empty()) else {
        return Err("usage: parity FOLDER FILE…".into());
    };
    let mut bundle = Bundle::default();
    for file in files {
        bundle.add_file(Path::new(file))?;
    }
    let altered = bundle.altered().ok_or("no row decides anything")?;
    fs::create_dir_all(folder)?;
    fs::write(Path::new(folder).join("parity.bundle"), &bundle.bytes)?;
    fs::write(Path::new(folder).join("altered.bundle"), altered)?;
    let allow = CompiledPolicy::new(PolicyText::Document(ALLOW.to_owned()))?;
    fs::write(Path::new(folder).join("allow.table"), allow.bytes)?;
    println!("{} answers, {} bytes", bundle.answers, bundle.bytes.len());
    Ok(())
}
