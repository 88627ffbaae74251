//! Folders and settings files that live for one test.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A folder of its own, gone when dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("callgate-wiring-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file below the folder, and gives it a time that no earlier write had.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        static TIME: AtomicU64 = AtomicU64::new(1_000_000);
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let time = Duration::from_secs(TIME.fetch_add(1, Ordering::Relaxed));
        let file = File::options().append(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + time).unwrap();
        path
    }

    pub(crate) fn shared(&self, text: &str) {
        self.write(".mecatl/settings.yaml", text);
    }

    pub(crate) fn local(&self, text: &str) {
        self.write(".mecatl/settings.local.yaml", text);
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.0.join(name)).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
