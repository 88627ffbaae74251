//! A catalogue to its typed form: role bodies, mode behaviours and their conflicts, tool names, the coding hint.

use callgate_grammar::{Mapping, Node, Value};

use super::Lowering;
use super::suggestion::quoted;
use crate::ir::{BUILTIN_MODES, Catalogue, CatalogueMode, CatalogueRole, Spanned};
use crate::lints;

const KEYS: [&str; 5] = ["callgate", "roles", "modes", "tools", "coding_hint"];
const ROLE_KEYS: [&str; 2] = ["body", "emits"];
const MODE_KEYS: [&str; 2] = ["behaviors", "conflicts_with"];

impl Lowering<'_, '_> {
    /// A catalogue document (page 60).
    pub(super) fn catalogue(&mut self, mapping: &Mapping) -> Catalogue {
        let mut catalogue = Catalogue::default();
        for entry in &mapping.entries {
            let (key, value) = (&entry.key, &entry.value);
            match key.scalar.text.as_str() {
                "callgate" => {
                    self.word(
                        value,
                        "value of `callgate`",
                        &[("catalogue", ())],
                        &lints::UNKNOWN_VALUE,
                    );
                }
                "roles" => catalogue.roles = self.catalogue_roles(value),
                "modes" => catalogue.modes = self.catalogue_modes(value),
                "tools" => {
                    let tools = self.texts(value, "`tools`", "a tool");
                    self.no_duplicates(&tools, "tool");
                    catalogue.tools = Some(tools);
                }
                "coding_hint" => catalogue.coding_hint = self.text(value, "`coding_hint`"),
                _ => self.unknown_key(key, &KEYS, "a catalogue"),
            }
        }
        self.catalogue_conflicts(&catalogue);
        catalogue
    }

    fn catalogue_roles(&mut self, node: &Node) -> Vec<CatalogueRole> {
        let Some(mapping) = self.mapping(node, "`roles`") else {
            return Vec::new();
        };
        let mut roles = Vec::new();
        for entry in &mapping.entries {
            let name = self.key_text(&entry.key, "a role");
            let what = format!("the role {}", quoted(&entry.key.scalar.text));
            let Some(mapping) = self.mapping(&entry.value, &what) else {
                continue;
            };
            let (mut body, mut emits) = (None, Vec::new());
            for entry in &mapping.entries {
                match entry.key.scalar.text.as_str() {
                    "body" => body = self.text(&entry.value, "`body`"),
                    "emits" => emits = self.texts(&entry.value, "`emits`", "an emission"),
                    _ => self.unknown_key(&entry.key, &ROLE_KEYS, "a role of a catalogue"),
                }
            }
            roles.extend(name.map(|name| CatalogueRole { name, body, emits }));
        }
        roles
    }

    fn catalogue_modes(&mut self, node: &Node) -> Vec<CatalogueMode> {
        let Some(mapping) = self.mapping(node, "`modes`") else {
            return Vec::new();
        };
        let mut modes = Vec::new();
        for entry in &mapping.entries {
            let name = self.key_text(&entry.key, "a mode");
            let what = format!("the mode {}", quoted(&entry.key.scalar.text));
            let Some(mapping) = self.mapping(&entry.value, &what) else {
                continue;
            };
            let (mut behaviors, mut conflicts_with) = (Vec::new(), Vec::new());
            for entry in &mapping.entries {
                match entry.key.scalar.text.as_str() {
                    "behaviors" => behaviors = self.behaviors(&entry.value),
                    "conflicts_with" => {
                        conflicts_with = self.texts(&entry.value, "`conflicts_with`", "a mode")
                    }
                    _ => self.unknown_key(&entry.key, &MODE_KEYS, "a mode of a catalogue"),
                }
            }
            modes.extend(name.map(|name| CatalogueMode {
                name,
                behaviors,
                conflicts_with,
            }));
        }
        modes
    }

    /// One text, or a list of texts.
    fn behaviors(&mut self, node: &Node) -> Vec<Spanned<String>> {
        match &node.value {
            Value::Scalar(_) => self.text(node, "`behaviors`").into_iter().collect(),
            Value::Sequence(_) | Value::Mapping(_) => self.texts(node, "`behaviors`", "a behaviour"),
        }
    }

    fn catalogue_conflicts(&mut self, catalogue: &Catalogue) {
        let own = catalogue.modes.iter().map(|mode| mode.name.as_str());
        let known: Vec<&str> = BUILTIN_MODES.into_iter().chain(own).collect();
        for mode in &catalogue.modes {
            for other in &mode.conflicts_with {
                self.mode_known(other, &known);
            }
        }
    }
}
