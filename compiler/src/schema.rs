//! Kinds of document to their JSON Schemas (draft 2020-12), kept as data files.

use crate::source::Kind;

/// The schema of source documents of this kind, for completion in editors. [`check`](crate::check()) demands more than a
/// schema can say; what it accepts, the schema accepts (an empty document apart).
pub fn json_schema(kind: Kind) -> &'static str {
    match kind {
        Kind::Permissions => include_str!("../schemas/permissions.json"),
        Kind::Settings => include_str!("../schemas/settings.json"),
        Kind::Pack => include_str!("../schemas/pack.json"),
        Kind::Agent => include_str!("../schemas/agent.json"),
        Kind::Tests => include_str!("../schemas/tests.json"),
        Kind::Catalogue => include_str!("../schemas/catalogue.json"),
    }
}

/// The schema of what [`Document::to_json`](crate::ir::Document::to_json) writes for this kind.
pub fn ir_schema(kind: Kind) -> &'static str {
    match kind {
        Kind::Permissions => include_str!("../schemas/ir/permissions.json"),
        Kind::Settings => include_str!("../schemas/ir/settings.json"),
        Kind::Pack => include_str!("../schemas/ir/pack.json"),
        Kind::Agent => include_str!("../schemas/ir/agent.json"),
        Kind::Tests => include_str!("../schemas/ir/tests.json"),
        Kind::Catalogue => include_str!("../schemas/ir/catalogue.json"),
    }
}
