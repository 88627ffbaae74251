//! Places from environments, and changes of files with clocks that are set, not waited for.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

#[test]
fn the_users_file_is_where_the_environment_says() {
    let file = |config, home| user_file(Option::map(config, OsStr::new), Option::map(home, OsStr::new));
    let path = |text| Some(PathBuf::from(text));
    assert_eq!(file(Some("/c"), Some("/h")), path("/c/mecatl/settings.yaml"));
    assert_eq!(file(None, Some("/h")), path("/h/.config/mecatl/settings.yaml"));
    assert_eq!(
        file(Some("relative"), Some("/h")),
        path("/h/.config/mecatl/settings.yaml")
    );
    assert_eq!(file(Some(""), None), None);
    assert_eq!(file(None, Some("relative")), None);
}

#[test]
fn names_carry_the_role_and_no_machine() {
    let files = OperatorFiles {
        managed: Some(PathBuf::from("/etc/agent/policy.yaml")),
        cli: vec![PathBuf::from("a/p.yaml"), PathBuf::from("/b/p.yaml")],
        user: Some(PathBuf::from("/home/me/.config/mecatl/settings.yaml")),
    };
    let names: Vec<String> = files.files().into_iter().map(|file| file.name).collect();
    assert_eq!(
        names,
        [
            "managed/policy.yaml",
            "cli/1/p.yaml",
            "cli/2/p.yaml",
            "mecatl/settings.yaml"
        ]
    );
}

/// A file of its own in the system's folder for temporary files, gone when dropped.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self(std::env::temp_dir().join(format!("callgate-files-{}-{number}", std::process::id())))
    }

    fn write(&self, text: &str) -> Content {
        fs::write(&self.0, text).unwrap();
        Content::Bytes(text.as_bytes().to_vec())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn every_change_is_seen_once() {
    let file = Temporary::new();
    let mut watched = WatchedFile::new(file.0.clone(), 10);
    assert_eq!(watched.changed(), Some(&Content::Absent));
    assert_eq!(watched.changed(), None);
    let content = file.write("one");
    assert_eq!(watched.changed(), Some(&content));
    assert_eq!(watched.changed(), None);
    let content = file.write("two");
    assert_eq!(watched.changed(), Some(&content), "same size, at once");
    file.write("more than ten bytes");
    assert_eq!(watched.changed(), Some(&Content::TooLarge));
    fs::remove_file(&file.0).unwrap();
    assert_eq!(watched.changed(), Some(&Content::Absent));
    fs::create_dir(&file.0).unwrap();
    assert_eq!(
        watched.changed(),
        Some(&Content::Unreadable(ErrorKind::InvalidInput))
    );
    fs::remove_dir(&file.0).unwrap();
    assert_eq!(watched.changed(), Some(&Content::Absent));
}

#[test]
fn a_settled_file_is_not_read_again_until_its_metadata_changes() {
    let file = Temporary::new();
    let content = file.write("one");
    let later = SystemTime::now() + Duration::from_secs(60);
    let mut watched = WatchedFile::new(file.0.clone(), 10);
    assert_eq!(watched.changed_at(later), Some(&content));
    assert!(watched.stamp.is_some());
    watched.content = None;
    assert_eq!(watched.changed_at(later), None, "it was read again");
    let open = File::options().append(true).open(&file.0).unwrap();
    open.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1))
        .unwrap();
    assert_eq!(watched.changed_at(later), Some(&content));
}

#[test]
fn a_file_changed_just_now_is_not_settled() {
    let file = Temporary::new();
    file.write("one");
    let mut watched = WatchedFile::new(file.0.clone(), 10);
    watched.changed();
    assert_eq!(watched.stamp, None);
    let open = File::options().append(true).open(&file.0).unwrap();
    open.set_modified(SystemTime::now() + Duration::from_secs(1000))
        .unwrap();
    watched.changed_at(SystemTime::now() + Duration::from_secs(60));
    assert_eq!(watched.stamp, None, "a time that is still to come");
}
