//! A command line to the programs that bash really runs for it: stubs that log, in a throw-away folder.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder with stubs and a place to run lines in.
pub(super) struct Bench {
    stubs: PathBuf,
    work: PathBuf,
    logs: PathBuf,
}

/// Programs that exist for the lines.
const STUBS: &[&str] = &["good1", "good2", "bad1", "bad2"];
/// An account without rights, where the oracle itself has them.
const NOBODY: u32 = 65_534;

impl Bench {
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        let root = folder.join(format!("bash-oracle-{}", std::process::id()));
        let bench = Self {
            stubs: root.join("stubs"),
            work: root.join("work"),
            logs: root.join("logs"),
        };
        for path in [&bench.stubs, &bench.work, &bench.logs] {
            fs::create_dir_all(path)?;
        }
        fs::set_permissions(&bench.logs, fs::Permissions::from_mode(0o777))?;
        for name in STUBS {
            let text = format!("#!/bin/bash -p\nprintf '%s\\n' {name} >> \"$ORACLE_LOG\"\n");
            bench.stub(name, &text)?;
        }
        let path = bench.stubs.display();
        for name in ["sh", "bash"] {
            let text = format!("#!/bin/bash -p\nPATH='{path}'\nexec /bin/bash \"$@\"\n");
            bench.stub(name, &text)?;
        }
        Ok(bench)
    }

    fn stub(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.stubs.join(name);
        fs::write(&path, text)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
    }

    /// The programs that bash executes for a line.
    pub(super) fn execute(&self, line: &str, number: u64) -> io::Result<Vec<String>> {
        if line.contains('\0') {
            return Ok(Vec::new());
        }
        let _ = fs::remove_dir_all(&self.work);
        fs::create_dir_all(&self.work)?;
        fs::set_permissions(&self.work, fs::Permissions::from_mode(0o777))?;
        fs::write(self.work.join("i.txt"), "text\n")?;
        let log = self.logs.join(number.to_string());
        let limits = "ulimit -t 2 -f 2000 -u 300; exec /usr/bin/timeout --foreground -k 1 2 /bin/bash --norc --noprofile -c \"$LINE\"";
        let mut command = Command::new("/bin/bash");
        command.args([
            "--norc",
            "--noprofile",
            "-c",
            &format!("LINE=$1; {limits}"),
            "limits",
            line,
        ]);
        command
            .env_clear()
            .env("PATH", &self.stubs)
            .env("HOME", &self.work)
            .env("LC_ALL", "C.UTF-8");
        command
            .env("ORACLE_LOG", &log)
            .current_dir(&self.work)
            .stdin(Stdio::null());
        if is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let output = child.stdout.take();
        child.wait()?;
        wait_for_background(output);
        // Whatever still runs shares the group of the first process.
        let group = format!("-{}", child.id());
        Command::new("/bin/kill")
            .args(["-KILL", "--", &group])
            .stderr(Stdio::null())
            .status()?;
        let executed = fs::read_to_string(&log)
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect();
        let _ = fs::remove_file(log);
        Ok(executed)
    }
}

/// The output of a line ends when its last process does, in the background or not; most do at once.
fn wait_for_background(output: Option<std::process::ChildStdout>) {
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut output = output;
        if let Some(output) = &mut output {
            let _ = io::copy(output, &mut io::sink());
        }
        let _ = done.send(());
    });
    let _ = ended.recv_timeout(std::time::Duration::from_millis(500));
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|data| std::os::unix::fs::MetadataExt::uid(&data) == 0)
}
