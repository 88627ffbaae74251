//! The places of page 30 to named settings files, and each file to its bytes, re-read only when it may have changed.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use callgate_runtime::rule::Scope;

/// The settings files of whoever runs the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperatorFiles {
    /// The administrator's file. It may be absent.
    pub managed: Option<PathBuf>,
    /// Files given for this run. Each must be there.
    pub cli: Vec<PathBuf>,
    /// The user's own file. It may be absent.
    pub user: Option<PathBuf>,
}

impl OperatorFiles {
    /// The user's file where the environment has it, and nothing else.
    pub fn from_environment() -> Self {
        let config_home = std::env::var_os("XDG_CONFIG_HOME");
        let home = std::env::var_os("HOME");
        Self {
            user: user_file(config_home.as_deref(), home.as_deref()),
            ..Self::default()
        }
    }

    pub(crate) fn files(&self) -> Vec<SettingsFile> {
        let mut files = Vec::new();
        if let Some(path) = &self.managed {
            files.push(SettingsFile::new(
                Scope::Managed,
                named("managed", path),
                path.clone(),
            ));
        }
        for (number, path) in (1_usize..).zip(&self.cli) {
            // Two files of one name stay two sources.
            let role = format!("cli/{number}");
            files.push(SettingsFile::new(Scope::Cli, named(&role, path), path.clone()));
        }
        if let Some(path) = &self.user {
            let name = String::from("mecatl/settings.yaml");
            files.push(SettingsFile::new(Scope::User, name, path.clone()));
        }
        files
    }
}

/// `$XDG_CONFIG_HOME/mecatl/settings.yaml`, with `$HOME/.config` where the first is not an absolute path.
pub fn user_file(config_home: Option<&OsStr>, home: Option<&OsStr>) -> Option<PathBuf> {
    let given = config_home.map(PathBuf::from).filter(|path| path.is_absolute());
    let base =
        given.or_else(|| Some(PathBuf::from(home?).join(".config")).filter(|path| path.is_absolute()))?;
    Some(base.join("mecatl").join("settings.yaml"))
}

/// The two settings files of a workspace.
pub(crate) fn project_files(root: &Path) -> [SettingsFile; 2] {
    [
        (Scope::LocalProject, "settings.local.yaml"),
        (Scope::SharedProject, "settings.yaml"),
    ]
    .map(|(scope, file)| {
        let path = root.join(".mecatl").join(file);
        SettingsFile::new(scope, format!(".mecatl/{file}"), path)
    })
}

/// Its role and file name: tables and records carry no path of this machine.
fn named(role: &str, path: &Path) -> String {
    let file = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    format!("{role}/{file}")
}

/// One file that may hold settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SettingsFile {
    pub(crate) scope: Scope,
    /// What tables and records call it.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

impl SettingsFile {
    fn new(scope: Scope, name: String, path: PathBuf) -> Self {
        Self { scope, name, path }
    }

    /// An absent file is none, unless somebody named it.
    pub(crate) fn must_exist(&self) -> bool {
        self.scope == Scope::Cli
    }

    /// While it was never read, there is no policy at all.
    pub(crate) fn must_load(&self) -> bool {
        matches!(self.scope, Scope::Managed | Scope::Cli)
    }
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// There is no file.
    Absent,
    /// Its bytes.
    Bytes(Vec<u8>),
    /// It is there, and cannot be read.
    Unreadable(ErrorKind),
    /// It is larger than settings may be.
    TooLarge,
}

/// A file's metadata when it was last read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Device, node, and the change time that nobody can set.
    #[cfg(unix)]
    identity: (u64, u64, i64, i64),
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            identity: {
                use std::os::unix::fs::MetadataExt as _;
                (
                    metadata.dev(),
                    metadata.ino(),
                    metadata.ctime(),
                    metadata.ctime_nsec(),
                )
            },
        }
    }

    /// Whether a later change must show in the metadata: file systems count time in steps, so a file that was changed
    /// just now may change again within the same step.
    fn is_settled(&self, now: SystemTime) -> bool {
        let aged = |time: SystemTime| now.duration_since(time).is_ok_and(|age| age > STEP);
        let is_settled = self.modified.is_some_and(aged);
        #[cfg(unix)]
        let is_settled = is_settled && {
            let (_, _, seconds, _) = self.identity;
            let seconds = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
            SystemTime::UNIX_EPOCH.checked_add(seconds).is_some_and(aged)
        };
        is_settled
    }
}

/// Longer than the steps of any common file system's clock.
const STEP: Duration = Duration::from_secs(3);

/// A file with what it held when it was last read.
#[derive(Clone, Debug)]
pub(crate) struct WatchedFile {
    path: PathBuf,
    max_bytes: usize,
    /// `None`: read again in any case.
    stamp: Option<Stamp>,
    content: Option<Content>,
}

impl WatchedFile {
    pub(crate) fn new(path: PathBuf, max_bytes: usize) -> Self {
        Self {
            path,
            max_bytes,
            stamp: None,
            content: None,
        }
    }

    /// The content, if it is another than at the last call.
    pub(crate) fn changed(&mut self) -> Option<&Content> {
        self.changed_at(SystemTime::now())
    }

    fn changed_at(&mut self, now: SystemTime) -> Option<&Content> {
        let found = std::fs::metadata(&self.path);
        if let (Some(stamp), Ok(metadata)) = (&self.stamp, &found)
            && *stamp == Stamp::of(metadata)
        {
            return None;
        }
        let (stamp, content) = match found {
            Ok(metadata) if !metadata.is_file() => (None, Content::Unreadable(ErrorKind::InvalidInput)),
            Ok(_) => self.read(),
            Err(error) => (None, failed(error.kind())),
        };
        self.stamp = stamp.filter(|stamp| stamp.is_settled(now));
        if self.content.as_ref() == Some(&content) {
            return None;
        }
        Some(self.content.insert(content))
    }

    /// The stamp is taken before the bytes, so what changes meanwhile is read again.
    fn read(&self) -> (Option<Stamp>, Content) {
        let opened = File::open(&self.path).and_then(|file| Ok((Stamp::of(&file.metadata()?), file)));
        let (stamp, file) = match opened {
            Ok(opened) => opened,
            Err(error) => return (None, failed(error.kind())),
        };
        let limit = u64::try_from(self.max_bytes).unwrap_or(u64::MAX);
        let mut bytes = Vec::new();
        match file.take(limit.saturating_add(1)).read_to_end(&mut bytes) {
            Ok(_) if bytes.len() > self.max_bytes => (Some(stamp), Content::TooLarge),
            Ok(_) => (Some(stamp), Content::Bytes(bytes)),
            Err(error) => (None, failed(error.kind())),
        }
    }
}

fn failed(kind: ErrorKind) -> Content {
    match kind {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Content::Absent,
        kind => Content::Unreadable(kind),
    }
}

#[cfg(test)]
mod tests;
