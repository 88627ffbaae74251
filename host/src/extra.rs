//! Rules that a host hands in with a call (a tenant's, a threat feed's) to tables that join the policy's order.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use callgate_compiler::ir::Document;
use callgate_compiler::normal::{Dialect, NormalPolicy, PolicyMode};
use callgate_compiler::{Diagnostic, Options, emit, settings_rules};
use callgate_runtime::combined::{Combined, NotCombinable};
use callgate_runtime::eval::Policy;
use callgate_runtime::table::Digest;

use crate::snapshot::{SettingsText, documents};

/// LIMIT: combinations kept; past it all are made anew.
const MAX_KEPT: usize = 64;

/// Rules that count beside the files'. Compiled once, and merged once with each policy they meet.
#[derive(Debug, Default)]
pub struct ExtraRules {
    tables: Vec<Arc<Policy>>,
    combined: Mutex<BTreeMap<[u8; 32], Arc<Combined>>>,
}

impl ExtraRules {
    /// No rules.
    pub fn none() -> Self {
        Self::default()
    }

    /// The rules of settings texts, each of its scope and without any floor or posture. As in files, the allows of a
    /// project scope count only in a trusted workspace, which `options` say. With one error nothing counts.
    pub fn of_texts(texts: &[SettingsText<'_>], options: &Options) -> Result<Self, Vec<Diagnostic>> {
        let (documents, diagnostics) = documents(texts, options)?;
        let rules = texts
            .iter()
            .zip(&documents)
            .flat_map(|(text, document)| match document {
                Document::Settings(settings) => {
                    settings_rules(text.name, settings, text.scope, options.trusted_workspace)
                }
                _ => Vec::new(),
            });
        let policy = NormalPolicy {
            dialect: Dialect::Layered,
            mode: PolicyMode::Rules,
            rules: rules.collect(),
            loose_substitution_main: false,
            loose_substitution_child: false,
        };
        let table = emit::table(&policy)
            .ok()
            .and_then(|bytes| Policy::from_bytes(bytes).ok());
        match table {
            Some(table) => Ok(Self::of_policies(vec![Arc::new(table)])),
            None => Err(diagnostics),
        }
    }

    /// The rules of compiled layered tables. All of them count, floors too; the postures do not.
    pub fn of_policies(tables: Vec<Arc<Policy>>) -> Self {
        Self {
            tables,
            ..Self::default()
        }
    }

    /// `base` with these rules; `alone` is the base as it is.
    pub(crate) fn combined_with(
        &self,
        base: &Arc<Policy>,
        alone: &Arc<Combined>,
    ) -> Result<Arc<Combined>, NotCombinable> {
        if self.tables.is_empty() {
            return Ok(Arc::clone(alone));
        }
        let Digest(name) = *base.table().digest();
        let mut kept = self.combined.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(combined) = kept.get(&name) {
            return Ok(Arc::clone(combined));
        }
        let combined = Arc::new(Combined::new(Arc::clone(base), self.tables.iter().cloned())?);
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(name, Arc::clone(&combined));
        Ok(combined)
    }
}
