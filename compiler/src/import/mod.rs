//! Other tools' permission files to settings of ours. An import may only tighten.

mod claude;
mod report;

pub use claude::{ImportError, Imported, claude};
pub use report::{Note, NoteKind};
