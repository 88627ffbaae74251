//! A typed pack to YAML text that reads back as the same pack, whatever file it is read from.

use crate::ir::yaml::{block, boolean, list, mapping, quoted, text};
use crate::ir::{Pack, PackRole, Spanned};

impl Pack {
    /// The pack as YAML, roles in their order. Empty lists and absent fields are left out.
    pub fn to_yaml(&self) -> String {
        let roles = self.roles.iter().map(|role| (text(&role.role), fields(role)));
        block([
            ("name", Some(quoted(&self.name))),
            ("roles", Some(mapping(roles))),
        ])
    }
}

fn fields(role: &PackRole) -> String {
    let some = |items: &[Spanned<String>]| (!items.is_empty()).then(|| list(items));
    let (directives, config) = (&role.directives, &role.config);
    let fields = [
        ("authority", some(&directives.authority)),
        ("boundaries", some(&directives.boundaries)),
        ("escalations", some(&directives.escalations)),
        ("model", config.model.as_ref().map(text)),
        ("effort", config.effort.as_ref().map(text)),
        ("default_modes", config.default_modes.as_deref().map(list)),
        ("modes_allow", some(&config.modes_allow)),
        ("active", config.active.as_ref().map(boolean)),
    ];
    mapping(fields.into_iter().filter_map(|(key, value)| Some((key, value?))))
}
