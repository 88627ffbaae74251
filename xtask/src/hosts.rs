//! The committed evaluator and the shared vectors to one verdict a host: same answers, and nothing hostile let through.
//!
//! Every host is set up from its language's own registry, below `target/hosts`, and replays one bundle that the compiler
//! and the native runtime wrote. A second bundle has one expected byte altered, and a host that does not notice fails.

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use sha2::{Digest, Sha256};

const EVALUATOR: &str = "wasm/prebuilt/callgate_eval.wasm";
const HOSTILE: &str = "examples/hosts/hostile.tsv";
const VECTORS: [&str; 4] = [
    "tests/vectors/rules.jsonl",
    "tests/vectors/layered.jsonl",
    "tests/vectors/shell.jsonl",
    "tests/vectors/fnmatch.jsonl",
];
const USAGE: &str =
    "usage: cargo xtask hosts [--times] [--module FILE] [node | python | go | java | rust | browser]…";

/// A host: what must be on the machine, how it is built, how its runner is started.
struct Host {
    name: &'static str,
    needs: &'static [&'static str],
    set_up: Vec<Vec<String>>,
    runner: Vec<String>,
    has_times: bool,
}

/// Runs the hosts that are named, or all.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    match put_all(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("hosts: {error}");
            ExitCode::from(2)
        }
    }
}

fn put_all(arguments: &[String]) -> Result<bool, Box<dyn Error>> {
    let root = root();
    let (mut times, mut module, mut names) = (false, root.join(EVALUATOR), Vec::new());
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--times" => times = true,
            "--module" => module = arguments.next().ok_or(USAGE)?.into(),
            option if option.starts_with('-') => return Err(USAGE.into()),
            name => names.push(name),
        }
    }
    let hosts = hosts(&root);
    if let Some(unknown) = names
        .iter()
        .find(|name| hosts.iter().all(|host| host.name != **name))
    {
        return Err(format!("no host is called {unknown}\n{USAGE}").into());
    }
    let bytes = fs::read(&module).map_err(|error| format!("{}: {error}", module.display()))?;
    let sha256: String = Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let data = root.join("target/hosts/data");
    let rows = write_bundles(&root, &data)?;
    let (mut held, mut counted, mut absent) = (0, 0, 0);
    for host in hosts
        .iter()
        .filter(|host| names.is_empty() || names.contains(&host.name))
    {
        if let Some(missing) = host.needs.iter().find(|program| !is_there(program)) {
            println!("{}: not run, and not counted: {missing} is missing", host.name);
            absent += 1;
            continue;
        }
        counted += 1;
        match put(host, &root, &module, &data, &sha256, rows, times) {
            Ok(()) => held += 1,
            Err(problem) => println!("{}: FAILED: {problem}", host.name),
        }
    }
    println!("{held} of {counted} hosts hold, {absent} not run");
    Ok(held == counted && counted > 0)
}

/// Sets one host up and puts everything to it.
fn put(
    host: &Host,
    root: &Path,
    module: &Path,
    data: &Path,
    sha256: &str,
    rows: u32,
    times: bool,
) -> Result<(), Box<dyn Error>> {
    for words in &host.set_up {
        let (code, said) = output(root, words, &[])?;
        if code != Some(0) {
            return Err(format!("{}:\n{said}", words.join(" ")).into());
        }
    }
    let (module, table) = (module.as_os_str(), data.join("allow.table"));
    let ask = |arguments: &[&OsStr]| output(root, &host.runner, arguments);
    let expected = |differences| {
        format!(
            "{}: module {sha256}, {rows} rows, {differences} differences",
            host.name
        )
    };

    let bundle = data.join("parity.bundle");
    let (code, said) = ask(&["parity".as_ref(), module, bundle.as_ref()])?;
    if code != Some(0) || said.trim() != expected(0) {
        return Err(format!("expected `{}`, got\n{said}", expected(0)).into());
    }
    print!("{said}");

    let altered = data.join("altered.bundle");
    let (code, said) = ask(&["parity".as_ref(), module, altered.as_ref()])?;
    if code != Some(1) || said.trim() != expected(1) {
        return Err(format!("one byte was altered; expected `{}`, got\n{said}", expected(1)).into());
    }
    println!("{}: one expected byte altered, and found", host.name);

    let list = root.join(HOSTILE);
    let (code, said) = ask(&["hostile".as_ref(), module, table.as_ref(), list.as_ref()])?;
    let cases = fs::read_to_string(&list)?
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .count();
    let refused = format!("{}: {cases} hostile inputs, 0 faults", host.name);
    if code != Some(0) || said.trim() != refused {
        return Err(format!("expected `{refused}`, got\n{said}").into());
    }
    print!("{said}");

    if times && host.has_times {
        let (code, said) = ask(&["times".as_ref(), module, table.as_ref()])?;
        if code != Some(0) {
            return Err(said.into());
        }
        print!("{said}");
    }
    Ok(())
}

/// The six hosts, their paths below `root`.
fn hosts(root: &Path) -> Vec<Host> {
    let place = |path: &str| root.join(path).to_string_lossy().into_owned();
    let (source, built) = (
        |path: &str| place(&format!("examples/hosts/{path}")),
        |path: &str| place(&format!("target/hosts/{path}")),
    );
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let python = built("python/bin/python");
    let go = built("go-run");
    vec![
        Host {
            name: "node",
            needs: &["node"],
            set_up: vec![],
            runner: words(&["node", &source("node/run.js")]),
            has_times: true,
        },
        Host {
            name: "python",
            needs: &["python3"],
            set_up: vec![
                words(&["python3", "-m", "venv", &built("python")]),
                words(&[
                    &python,
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "--requirement",
                    &source("python/requirements.txt"),
                ]),
            ],
            runner: words(&[&python, "-B", &source("python/run.py")]),
            has_times: false,
        },
        Host {
            name: "go",
            needs: &["go"],
            set_up: vec![words(&["go", "build", "-C", &source("go"), "-o", &go, "./run"])],
            runner: words(&[&go]),
            has_times: false,
        },
        Host {
            name: "java",
            needs: &["java", "mvn"],
            set_up: vec![words(&[
                "mvn",
                "--quiet",
                "--batch-mode",
                "--file",
                &source("java/pom.xml"),
                &format!("-Dbuild.folder={}", built("java")),
                "package",
            ])],
            runner: words(&[
                "java",
                "-classpath",
                &format!("{}:{}", built("java/classes"), built("java/lib/*")),
                "callgate.Run",
            ]),
            has_times: false,
        },
        Host {
            name: "rust",
            needs: &["cargo"],
            set_up: vec![words(&[
                "cargo",
                "build",
                "--quiet",
                "--release",
                "--locked",
                "--manifest-path",
                &source("rust/Cargo.toml"),
                "--target-dir",
                &built("rust"),
            ])],
            runner: words(&[&built("rust/release/callgate-host")]),
            has_times: true,
        },
        Host {
            name: "browser",
            needs: &["node", "npm", "chromium"],
            set_up: vec![words(&[
                "npm",
                "ci",
                "--prefix",
                &source("browser"),
                "--no-audit",
                "--no-fund",
            ])],
            runner: words(&["node", &source("browser/run.js")]),
            has_times: false,
        },
    ]
}

/// Writes what hosts replay; how many answers there are.
fn write_bundles(root: &Path, data: &Path) -> Result<u32, Box<dyn Error>> {
    let cargo = "cargo run --quiet --release --package callgate-tests --bin parity --";
    let words: Vec<String> = cargo.split(' ').map(str::to_owned).collect();
    let mut arguments = vec![data.as_os_str()];
    arguments.extend(VECTORS.map(OsStr::new));
    let (code, said) = output(root, &words, &arguments)?;
    let rows = said.split_once(" answers").map(|(rows, _)| rows.parse());
    match (code, rows) {
        (Some(0), Some(Ok(rows))) => Ok(rows),
        _ => Err(said.into()),
    }
}

/// Runs a command in `root`: its exit code, and what it printed.
fn output(
    root: &Path,
    words: &[String],
    arguments: &[&OsStr],
) -> Result<(Option<i32>, String), Box<dyn Error>> {
    let (program, rest) = words.split_first().ok_or("no command")?;
    let output = Command::new(program)
        .args(rest)
        .args(arguments)
        .current_dir(root)
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        said.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    Ok((output.status.code(), said))
}

/// Whether a program is on the search path.
fn is_there(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}
