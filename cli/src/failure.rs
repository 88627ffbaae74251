//! Why a command could not run at all, in words for people. Every failure means exit code 2.

use std::io;

use callgate_compiler::emit::EmitError;
use callgate_compiler::import::ImportError;
use callgate_runtime::TableError;
use thiserror::Error;

/// What stopped a command.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// A file or stream cannot be read.
    #[error("cannot read `{path}`: {}", reason(.error))]
    Read {
        /// As the user wrote it.
        path: String,
        /// What the system said.
        error: io::Error,
    },
    /// A file that no limit could want.
    #[error("cannot read `{path}`: it has more than {most} bytes")]
    TooLong {
        /// As the user wrote it.
        path: String,
        /// What is read at most.
        most: usize,
    },
    /// A folder was given where one file is needed.
    #[error("cannot read `{path}`: it is a folder; name a file in it")]
    Folder {
        /// As the user wrote it.
        path: String,
    },
    /// The output cannot be written.
    #[error("cannot write `{path}`: {}", reason(.error))]
    Write {
        /// As the user wrote it.
        path: String,
        /// What the system said.
        error: io::Error,
    },
    /// `check` found no document.
    #[error("nothing to check: no policy document in {paths}")]
    NothingToCheck {
        /// The paths given, in backticks.
        paths: String,
    },
    /// Standard input is asked for twice.
    #[error("`-` (standard input) can be read only once")]
    StdinTwice,
    /// A table that this build cannot read.
    #[error("cannot load `{path}`: {error}")]
    Table {
        /// As the user wrote it.
        path: String,
        /// What is wrong with it.
        error: TableError,
    },
    /// A WebAssembly module where a policy is due.
    #[error(
        "cannot load `{path}`: it is a WebAssembly module; give the YAML or the table that it was made from"
    )]
    Module {
        /// As the user wrote it.
        path: String,
    },
    /// Two policies where one is needed.
    #[error("`{path}` is {what} and cannot be combined with another `--policy`")]
    NotCombinable {
        /// As the user wrote it.
        path: String,
        /// `a compiled table`, `a preset`.
        what: &'static str,
    },
    /// The policy has findings that stop a decision.
    #[error("no decision without a policy: mend {paths} first")]
    BrokenPolicy {
        /// The sources, in backticks.
        paths: String,
    },
    /// A catalogue that has findings.
    #[error("the catalogue `{path}` cannot be used: mend it first")]
    BrokenCatalogue {
        /// As the user wrote it.
        path: String,
    },
    /// A pack or settings that have findings.
    #[error("`{path}` cannot be used: mend it first")]
    BrokenDocument {
        /// As the user wrote it.
        path: String,
    },
    /// `--kind` of something else than the command is about.
    #[error("`{command}` reads {due}, so `--kind {given}` cannot be right")]
    OtherKind {
        /// The command.
        command: &'static str,
        /// What it reads: `agent documents`.
        due: &'static str,
        /// The kind.
        given: &'static str,
    },
    /// A table would go to the terminal.
    #[error(
        "a decision table is binary and would garble the terminal; write it to a file with `-o FILE`, or pipe it"
    )]
    BinaryToTerminal,
    /// `--posture` with a policy that has been compiled.
    #[error(
        "`--posture` has no effect on the compiled table `{path}`: the posture is baked in by `callgate compile`"
    )]
    PostureOnTable {
        /// As the user wrote it.
        path: String,
    },
    /// `--mode` other than `default` with the rules dialect.
    #[error("`--mode {mode}` needs a policy of the layered dialect; this one is of the rules dialect")]
    ModeOnRules {
        /// The mode.
        mode: &'static str,
    },
    /// `auto` or `yolo` where a mistake costs the machine.
    #[error("posture `{posture}` is refused for root without a sandbox; set IS_SANDBOX=1 if this is one")]
    PostureAsRoot {
        /// The posture.
        posture: &'static str,
    },
    /// A subject text for a tool that has two.
    #[error("`{tool}` has two subjects; give both: --args '{{\"source\": \"…\", \"destination\": \"…\"}}'")]
    TwoSubjects {
        /// The tool.
        tool: String,
    },
    /// A list of tools that cannot be read whole.
    #[error("cannot use the tools in `{path}`: {what}")]
    ToolList {
        /// As the user wrote it.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// `explain-code` of a code that does not exist.
    #[error("there is no code `{code}`{hint}")]
    UnknownCode {
        /// As the user wrote it.
        code: String,
        /// The nearest codes, a line each, or nothing.
        hint: String,
    },
    /// `--emit json-schema` without a document or `--kind` to say of what.
    #[error("say which schema: `--kind KIND`, or a FILE whose kind can be told")]
    WhichSchema,
    /// An emission that takes one document.
    #[error("`--emit {emit}` takes one FILE")]
    OneFile {
        /// `ir`, `json-schema`.
        emit: &'static str,
    },
    /// A line of calls that is none.
    #[error("line {line}: {what}; answered by a deny")]
    Call {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A preset that makes no table.
    #[error("cannot load the preset `{path}`: {error}")]
    Preset {
        /// As the user wrote it.
        path: String,
        /// What is wrong with it.
        error: EmitError,
    },
    /// A word after `-p` that is neither a file nor a preset.
    #[error("there is no file `{path}` and no preset of that name; presets are {presets}")]
    NoPolicy {
        /// As the user wrote it.
        path: String,
        /// Their names.
        presets: String,
    },
    /// A workspace that is no folder.
    #[error("`{path}` is no folder; `--workspace` takes the folder that the agent works in")]
    NoFolder {
        /// As the user wrote it.
        path: String,
    },
    /// A policy beside a workspace that is no file.
    #[error("there is no file `{path}`; beside `--workspace`, `--policy` takes settings files only")]
    NoSettingsFile {
        /// As the user wrote it.
        path: String,
    },
    /// A file that is imported and is no text.
    #[error("cannot read `{path}`: it is not UTF-8 text")]
    NotUtf8 {
        /// As the user wrote it.
        path: String,
    },
    /// A file that cannot be imported.
    #[error("cannot import `{path}`: {error}")]
    Import {
        /// As the user wrote it.
        path: String,
        /// What is wrong with it.
        error: ImportError,
    },
    /// `compile` without a file.
    #[error("say which FILE to compile")]
    NoFile,
}

/// What the system said, in the words of this tool.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => String::from("there is no such file"),
        io::ErrorKind::PermissionDenied => String::from("permission denied"),
        io::ErrorKind::IsADirectory => String::from("it is a folder"),
        _ => error.to_string(),
    }
}
