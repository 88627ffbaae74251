//! A typed agent document to YAML text that reads back as the same document, field by field (page 60).

use crate::ir::Agent;
use crate::ir::yaml::{
    block, boolean, hooks, list, mcp_security, nullable, nullable_list, or_null, permissions, quoted, text,
};

impl Agent {
    /// The document as YAML. Fields that were absent stay absent; null stays null and an empty list empty. Handlers that
    /// exist only in code are named in a comment, for no document can hold them.
    pub fn to_yaml(&self) -> String {
        let excluded = self
            .code_handlers
            .iter()
            .map(|name| format!("# only in code, not in this document: {}\n", quoted(name)));
        excluded.chain([block(self.fields())]).collect()
    }

    /// Every field by name, as YAML on one line; `None` where it is absent.
    pub fn fields(&self) -> [(&'static str, Option<String>); 20] {
        [
            ("role", self.role.as_ref().map(text)),
            ("preset", self.preset.as_ref().map(|_| String::from("coding"))),
            ("secure", self.secure.as_ref().map(boolean)),
            ("modes", self.modes.as_deref().map(list)),
            ("model", nullable(&self.model)),
            ("effort", nullable(&self.effort)),
            ("tools", self.tools.as_deref().map(list)),
            ("pack", nullable(&self.pack)),
            (
                "permissions",
                self.permissions.as_ref().map(|given| or_null(given, permissions)),
            ),
            ("grant_emissions", self.grant_emissions.as_ref().map(boolean)),
            ("emits", nullable_list(&self.emits)),
            ("system_prompt", nullable(&self.system_prompt)),
            ("cwd", nullable(&self.cwd)),
            ("yolo", self.yolo.as_ref().map(boolean)),
            ("lion_system", self.lion_system.as_ref().map(boolean)),
            (
                "context_management",
                self.context_management.as_ref().map(boolean),
            ),
            ("mcp_servers", nullable_list(&self.mcp_servers)),
            ("mcp_config_path", nullable(&self.mcp_config_path)),
            (
                "mcp_security",
                self.mcp_security
                    .as_ref()
                    .map(|given| or_null(given, mcp_security)),
            ),
            ("hooks", self.hooks.as_ref().map(hooks)),
        ]
    }
}
