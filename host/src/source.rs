//! One settings file to what counts of it now: its document, or, while it is broken, the denies and asks of its last
//! good reading (page 30, *Wiring*).

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;

use callgate_compiler::ir::{Document, Settings, SettingsPermissions};
use callgate_compiler::{Diagnostic, Kind, Missing, Options, check};
use callgate_runtime::rule::{Effect, Scope};

use crate::files::{Content, SettingsFile, WatchedFile};

/// Why a settings file does not count as it is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// It was there, or was named, and is not.
    #[error("the file is missing")]
    Missing,
    /// The system does not let it be read.
    #[error("the file cannot be read: {0}")]
    Unreadable(ErrorKind),
    /// It is larger than a settings file may be.
    #[error("the file is too large")]
    TooLarge,
    /// It holds permissions of the rules dialect, which has no layers.
    #[error("the file holds permissions of the rules dialect")]
    RulesDialect,
    /// It has errors.
    #[error("the file has errors; {missing}")]
    Invalid {
        /// The rules that are missing for it.
        missing: Missing,
        /// What was found in it.
        diagnostics: Vec<Diagnostic>,
    },
    /// All files are good, and together are no policy.
    #[error("the files together are no policy")]
    NotCombinable {
        /// What was found while merging.
        diagnostics: Vec<Diagnostic>,
    },
}

/// A settings file that does not count as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What tables and records call the file.
    pub source: String,
    /// Where it is; empty when it is not about one file.
    pub path: PathBuf,
    /// The scope of its rules.
    pub scope: Scope,
    /// What is wrong.
    pub failure: Failure,
}

/// What a file says, unchanged until it is read anew.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) file: SettingsFile,
    /// The last good text, for the places of findings.
    pub(crate) text: String,
    /// What counts; `None` where there is no file or was never a good reading.
    pub(crate) document: Option<Document>,
    /// Findings of the reading that do not stop it.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) failure: Option<Failure>,
    /// There was never a good reading, and nothing may be decided without one.
    pub(crate) is_missed: bool,
}

impl Said {
    pub(crate) fn report(&self) -> Option<Report> {
        Some(Report {
            source: self.file.name.clone(),
            path: self.file.path.clone(),
            scope: self.file.scope,
            failure: self.failure.clone()?,
        })
    }

    /// The settings that count.
    pub(crate) fn settings(&self) -> Option<&Settings> {
        match &self.document {
            Some(Document::Settings(settings)) => Some(settings),
            _ => None,
        }
    }
}

/// A settings file, its last good reading, and what it says now.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    file: SettingsFile,
    watched: WatchedFile,
    /// `None`: never read well. An absent file is a good reading without text.
    good: Option<Reading>,
    said: Option<Arc<Said>>,
}

#[derive(Clone, Debug, Default)]
struct Reading {
    text: String,
    settings: Option<Box<Settings>>,
    diagnostics: Vec<Diagnostic>,
}

impl Source {
    pub(crate) fn new(file: SettingsFile, options: &Options) -> Self {
        let watched = WatchedFile::new(file.path.clone(), options.limits.max_bytes);
        Self {
            file,
            watched,
            good: None,
            said: None,
        }
    }

    /// What the file says now. It is read again when it may have changed; equal answers are the same object.
    pub(crate) fn said(&mut self, options: &Options) -> Arc<Said> {
        let content = self.watched.changed().cloned();
        match (content, &self.said) {
            (None, Some(said)) => Arc::clone(said),
            (content, _) => {
                let failure = match self.reading(content.unwrap_or(Content::Absent), options) {
                    Ok(reading) => {
                        self.good = Some(reading);
                        None
                    }
                    Err(failure) => Some(failure),
                };
                let said = Arc::new(self.say(failure));
                self.said = Some(Arc::clone(&said));
                said
            }
        }
    }

    fn reading(&self, content: Content, options: &Options) -> Result<Reading, Failure> {
        match content {
            // A file that had settings and is gone may have been taken away to lose its denies.
            Content::Absent if self.file.must_exist() || self.had_settings() => Err(Failure::Missing),
            Content::Absent => Ok(Reading::default()),
            Content::Unreadable(kind) => Err(Failure::Unreadable(kind)),
            Content::TooLarge => Err(Failure::TooLarge),
            Content::Bytes(bytes) => self.checked(&bytes, options),
        }
    }

    fn had_settings(&self) -> bool {
        let good = self.good.as_ref();
        good.is_some_and(|reading| reading.settings.is_some())
    }

    fn checked(&self, bytes: &[u8], options: &Options) -> Result<Reading, Failure> {
        let options = Options {
            kind: Some(Kind::Settings),
            scope: Some(self.file.scope),
            ..options.clone()
        };
        let source = callgate_compiler::Source {
            name: &self.file.name,
            bytes,
        };
        let checked = check(&source, &options);
        match checked.document {
            Some(Document::Settings(settings)) => match settings.permissions {
                Some(SettingsPermissions::Rules(_)) => Err(Failure::RulesDialect),
                Some(SettingsPermissions::Layered(_)) | None => Ok(Reading {
                    text: String::from_utf8_lossy(bytes).into_owned(),
                    settings: Some(settings),
                    diagnostics: checked.diagnostics,
                }),
            },
            Some(_) | None => Err(Failure::Invalid {
                missing: checked.missing,
                diagnostics: checked.diagnostics,
            }),
        }
    }

    fn say(&self, failure: Option<Failure>) -> Said {
        let reading = self.good.clone().unwrap_or_default();
        let is_broken = failure.is_some();
        let settings = reading
            .settings
            .map(|settings| if is_broken { tightening(settings) } else { settings });
        Said {
            file: self.file.clone(),
            text: reading.text,
            document: settings.map(Document::Settings),
            diagnostics: if is_broken {
                Vec::new()
            } else {
                reading.diagnostics
            },
            is_missed: is_broken && self.good.is_none() && self.file.must_load(),
            failure,
        }
    }
}

/// Only what makes decisions stricter: no allow, no posture, no trust.
fn tightening(mut settings: Box<Settings>) -> Box<Settings> {
    if let Some(SettingsPermissions::Layered(layered)) = &mut settings.permissions {
        layered.rules.retain(|rule| rule.effect != Effect::Allow);
    }
    settings.posture = None;
    settings.trusted_workspaces = Vec::new();
    settings
}
