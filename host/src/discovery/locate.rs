//! Where the file that configures servers is: the one that was named, a trusted project's, or the user's.

use std::path::{Path, PathBuf};

/// The folder that settings live in, of a project and of a user.
const FOLDER: &str = ".lionagi";
const FILE: &str = ".mcp.json";

/// Where to look.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The file that the agent or the caller names (`mcp_config_path`).
    pub explicit: Option<&'a Path>,
    /// The folder that the agent works in; its ancestors are looked at as well.
    pub start: &'a Path,
    /// The user's home.
    pub home: Option<&'a Path>,
    /// The project's files may be read.
    pub trust_project: bool,
}

/// The file that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFile {
    /// Where it is.
    pub path: PathBuf,
    /// Why it counts.
    pub origin: ConfigOrigin,
}

/// Why a file counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigOrigin {
    /// It was named.
    Explicit,
    /// It is in a trusted project.
    Project,
    /// It is the user's.
    Home,
}

impl Search<'_> {
    /// The one file that counts, or none. A named file that is not there means none: nothing else is looked for.
    pub fn locate(&self) -> Option<ConfigFile> {
        let (found, origin) = match self.explicit {
            Some(path) => (path.is_file().then(|| path.to_owned()), ConfigOrigin::Explicit),
            None => match self.project() {
                Some(path) => (Some(path), ConfigOrigin::Project),
                None => (
                    self.home.map(|home| home.join(FOLDER).join(FILE)),
                    ConfigOrigin::Home,
                ),
            },
        };
        found
            .filter(|path| path.is_file())
            .map(|path| ConfigFile { path, origin })
    }

    /// The file of the nearest folder that has one; the first folder with a [`FOLDER`] is the last that is looked at.
    fn project(&self) -> Option<PathBuf> {
        if !self.trust_project {
            return None;
        }
        for folder in self.start.ancestors() {
            let own = folder.join(FOLDER);
            let candidates = [own.join(FILE), folder.join(FILE)];
            if let Some(found) = candidates.into_iter().find(|path| path.is_file()) {
                return Some(found);
            }
            if own.is_dir() {
                return None;
            }
        }
        None
    }
}
