//! The command line's words to plain data, with the help texts that people see.

use std::path::PathBuf;

use callgate_compiler::{Kind, Posture, Severity};
use callgate_runtime::rule::{Audience, Mode, Scope};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Checks, compiles and asks the policies that govern an AI agent's tools.
///
/// A policy is YAML. From it callgate makes a decision table, and the table answers one question, the same way
/// everywhere: may this agent make this tool call? The answer is allow, ask or deny, with the rule that decided.
#[derive(Debug, Parser)]
#[command(name = "callgate", version, max_term_width = 100, after_help = EXIT_CODES)]
#[command(disable_help_subcommand = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// When to use colours; `auto` asks the terminal and NO_COLOR
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const READING: &str = "Reading documents";
const SETTINGS: &str = "Settings files";

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  done, and there are findings
  2  could not run, or not in full
  decide --exit-code: 0 allow, 3 ask, 4 deny";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check policy documents and report every finding
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Compile a policy to a decision table, or show what it was read as
    #[command(after_help = COMPILE_EXAMPLES)]
    Compile(CompileArgs),
    /// Decide one call, or every call of a stream of JSON lines
    #[command(after_help = DECIDE_EXAMPLES)]
    Decide(DecideArgs),
    /// Show every rule that was considered for a call, and why one of them won
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArgs),
    /// Decide a log of recorded calls again, and sum up what came of it
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(ReplayArgs),
    /// Turn another tool's permission file into settings, and say what did not come over as it was
    #[command(after_help = IMPORT_EXAMPLES)]
    Import(ImportArgs),
    /// Print the page of a finding's code, or list all codes
    #[command(after_help = EXPLAIN_CODE_EXAMPLES)]
    ExplainCode(ExplainCodeArgs),
    /// Resolve an agent document: every field, and what the model is told
    #[command(after_help = RESOLVE_EXAMPLES)]
    Resolve(ResolveArgs),
    /// Print what a pack has a role's model told
    #[command(after_help = RENDER_EXAMPLES)]
    Render(RenderArgs),
}

const CHECK_EXAMPLES: &str = "\
Examples:
  callgate check policies/                 every *.yaml and *.yml below, .gitignore respected
  callgate check --fail-on warning a.yaml  warnings count too
  cat a.yaml | callgate check -            a document from standard input

A file that is found in a folder is skipped, and counted, when its keys fit no kind of document.
A file that is named is never skipped.
Exit code: 0 clean, 1 findings at or above --fail-on, 2 could not run.";

const COMPILE_EXAMPLES: &str = "\
Examples:
  callgate compile policy.yaml -o policy.cgdt         writes the table, prints its digest
  callgate compile policy.yaml --emit ir              the checked document as JSON
  callgate compile --emit json-schema --kind pack     the schema of such documents

Exit code: 0 written, 1 the policy has errors, 2 could not run.";

const DECIDE_EXAMPLES: &str = "\
Examples:
  callgate decide -p safe bash 'rm -rf build'
  callgate decide -p policy.yaml editor --args '{\"file_path\": \"src/main.rs\"}'
  callgate decide -p policy.cgdt < calls.jsonl > decisions.jsonl

SUBJECT is the text that patterns are held against: the command of bash and Shell, the path of
editor and reader, pattern and path of search with a space between, and for any other tool the
action, a space, and the values. With --args it is made as for a real call.

Without TOOL, standard input holds one call record a line, {\"tool\": …, \"args\": {…}}, and each
line is answered by one decision record. A line that is no call is answered by a deny and named
on standard error, and the exit code is 2.
With --exit-code the strictest decision counts: 0 allow, 3 ask, 4 deny.";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  callgate explain -p safe bash 'rm -rf build'
  callgate explain -p policy.yaml search --args '{\"pattern\": \"TODO\", \"path\": \"src\"}'";

const REPLAY_EXAMPLES: &str = "\
Examples:
  callgate replay calls.jsonl -p policy.yaml
  callgate replay calls.jsonl -p policy.yaml --against old.yaml   which calls change, and how

CALLS holds one call record a line, {\"tool\": …, \"args\": {…}}, as `callgate decide` reads them.
Exit code: 0 replayed, 1 some call changed its effect against the old policy, 2 could not run,
or some line is no call.";

const IMPORT_EXAMPLES: &str = "\
Examples:
  callgate import claude .claude/settings.json -o .mecatl/settings.yaml
  callgate import claude - < settings.json

An import may only tighten. Every entry that did not come over as it was is told on standard
error, a line each: an allow that is an ask now, a rule that was added, that matches no call here
or other calls, that cannot be read and is not there, a key that has no place here.
Exit code: 0 everything came over as it was, 1 something is told, 2 could not run.";

const EXPLAIN_CODE_EXAMPLES: &str = "\
Examples:
  callgate explain-code CG0203
  callgate explain-code unknown-key
  callgate explain-code";

const RESOLVE_EXAMPLES: &str = "\
Examples:
  callgate resolve agent.yaml                           the agent as a document with nothing left open
  callgate resolve agent.yaml --explain                 each field with its source
  callgate resolve agent.yaml --pack team.yaml --catalogue roles.yaml --format json

The sources of a field, the first that says anything: the document, its preset, the pack's
configuration of the role, settings, what is built in. What the model is told is enforced by
nothing; `callgate compile agent.yaml` makes the table that is.
Exit code: 0 resolved, 1 there are errors, 2 could not run.";

const RENDER_EXAMPLES: &str = "\
Examples:
  callgate render team.yaml critic

Exit code: 0 printed, 1 the pack has errors or not the role, 2 could not run.";

/// `callgate check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Files, folders, or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The least severity that makes the exit code 1
    #[arg(long, value_name = "SEVERITY", default_value = "error", value_parser = named(SEVERITIES, Severity::name))]
    pub(crate) fail_on: Severity,
    /// How to print the findings
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// The tools that the host registers, one name a line or a JSON list: a rule for another one is a finding
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}

/// `callgate compile`.
#[derive(Debug, Args)]
pub(crate) struct CompileArgs {
    /// The policy, or the settings files that make one; `-` is standard input
    #[arg(required_unless_present = "kind", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Where to write to; standard output if absent or `-`
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value_t = Emit::Table)]
    pub(crate) emit: Emit,
    /// The pack of an agent document; default: the file that the document names
    #[arg(long, value_name = "FILE")]
    pub(crate) pack: Option<PathBuf>,
    /// Tell on standard error what the dearest decision of the table costs
    #[arg(long)]
    pub(crate) cost: bool,
    /// How to print the digest and the findings
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) root: RootArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}

/// `callgate decide`.
#[derive(Debug, Args)]
pub(crate) struct DecideArgs {
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// The tool that is called; absent: call records are read from standard input
    #[arg(value_name = "TOOL")]
    pub(crate) tool: Option<String>,
    #[command(flatten)]
    pub(crate) call: CallArgs,
    /// Print decisions for people or as records; default: human for TOOL, json for standard input
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Exit with 0 for allow, 3 for ask, 4 for deny
    #[arg(long)]
    pub(crate) exit_code: bool,
}

/// `callgate explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// The tool that is called
    #[arg(value_name = "TOOL")]
    pub(crate) tool: String,
    #[command(flatten)]
    pub(crate) call: CallArgs,
    /// How to print the explanation
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// `callgate replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The log: one call record a line; `-` is standard input
    #[arg(value_name = "CALLS")]
    pub(crate) calls: PathBuf,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// The policy to compare with: YAML file, compiled table, or preset
    #[arg(long, value_name = "OLD")]
    pub(crate) against: Option<PathBuf>,
    /// Which engine asks, where a record does not say (layered dialect)
    #[arg(long, value_name = "AUDIENCE", value_parser = named(AUDIENCES, Audience::name))]
    pub(crate) audience: Option<Audience>,
    /// The session's mode, where a record does not say (layered dialect)
    #[arg(long, value_name = "MODE", value_parser = named(MODES, Mode::name))]
    pub(crate) mode: Option<Mode>,
    /// How many of the slowest decisions to name
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) slowest: usize,
    /// How to print the summary
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// `callgate import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// Whose file it is
    #[arg(value_enum, value_name = "TOOL")]
    pub(crate) from: Incumbent,
    /// The file; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Where to write to; standard output if absent or `-`
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

/// Another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Incumbent {
    /// Claude Code's `settings.json`
    Claude,
}

/// `callgate explain-code`.
#[derive(Debug, Args)]
pub(crate) struct ExplainCodeArgs {
    /// The code or the name of a finding; absent: all codes are listed
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

/// `callgate resolve`.
#[derive(Debug, Args)]
pub(crate) struct ResolveArgs {
    /// The agent document; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print each field with its source
    #[arg(long)]
    pub(crate) explain: bool,
    /// The pack; default: the file that the document names
    #[arg(long, value_name = "FILE")]
    pub(crate) pack: Option<PathBuf>,
    /// The operator's settings: their hooks and their transport admission count
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// The settings of the project, which count only with --trust-project
    #[arg(long, value_name = "FILE")]
    pub(crate) project_settings: Option<PathBuf>,
    /// The settings of the project count
    #[arg(long)]
    pub(crate) trust_project: bool,
    /// How to print the agent and the findings
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// `callgate render`.
#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// The pack; `-` is standard input
    #[arg(value_name = "PACK")]
    pub(crate) pack: PathBuf,
    /// The role
    #[arg(value_name = "ROLE")]
    pub(crate) role: String,
    /// How to print the block and the findings
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// The policy to ask.
#[derive(Clone, Debug, Args)]
pub(crate) struct PolicyArgs {
    /// YAML file, compiled table, or preset (allow_all, deny_all, read_only, safe); settings files can be several
    #[arg(
        short,
        long = "policy",
        value_name = "POLICY",
        required_unless_present = "workspace"
    )]
    pub(crate) policies: Vec<PathBuf>,
    /// The settings files of this workspace and of the user count, as for an engine that runs in it (layered dialect)
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// How far the operator trusts the session (layered YAML only)
    #[arg(long, value_name = "POSTURE", value_parser = named(&Posture::ALL, Posture::name))]
    pub(crate) posture: Option<Posture>,
    #[command(flatten)]
    pub(crate) root: RootArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
}

/// The call to judge.
#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// The text that patterns are held against
    #[arg(value_name = "SUBJECT")]
    pub(crate) subject: Option<String>,
    /// The call's arguments, a JSON object
    #[arg(long, value_name = "JSON", conflicts_with = "subject", requires = "tool")]
    pub(crate) args: Option<String>,
    /// The call's action
    #[arg(long, value_name = "ACTION", requires = "tool")]
    pub(crate) action: Option<String>,
    /// Which engine asks (layered dialect)
    #[arg(long, value_name = "AUDIENCE", value_parser = named(AUDIENCES, Audience::name))]
    pub(crate) audience: Option<Audience>,
    /// The session's mode (layered dialect)
    #[arg(long, value_name = "MODE", value_parser = named(MODES, Mode::name))]
    pub(crate) mode: Option<Mode>,
}

/// How documents are read.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReadingArgs {
    /// What kind of document it is; default: told from its keys
    #[arg(help_heading = READING, long, value_name = "KIND", value_parser = named(&Kind::ALL, Kind::name))]
    pub(crate) kind: Option<Kind>,
    /// Longest document, in bytes
    #[arg(help_heading = READING, long, value_name = "N", default_value_t = 1 << 20)]
    pub(crate) max_bytes: usize,
    /// Deepest nesting of collections
    #[arg(help_heading = READING, long, value_name = "N", default_value_t = 64)]
    pub(crate) max_depth: usize,
    /// Most rules in a policy
    #[arg(help_heading = READING, long, value_name = "N", default_value_t = 10_000)]
    pub(crate) max_rules: usize,
    /// A catalogue of roles, modes and tools that the host registers
    #[arg(help_heading = READING, long, value_name = "FILE")]
    pub(crate) catalogue: Option<PathBuf>,
    /// A Python module that hooks may name, beside lionagi.agent.hooks
    #[arg(help_heading = READING, long, value_name = "MODULE")]
    pub(crate) trusted_hook_module: Vec<String>,
}

/// What settings files may do.
#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// How far the operator trusts the session
    #[arg(help_heading = SETTINGS, long, value_name = "POSTURE", value_parser = named(&Posture::ALL, Posture::name))]
    pub(crate) posture: Option<Posture>,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
}

/// Where settings files come from.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ScopeArgs {
    /// The scope of settings files; default: from their path, else cli
    #[arg(help_heading = SETTINGS, long, value_name = "SCOPE", value_parser = named(FILE_SCOPES, Scope::name))]
    pub(crate) scope: Option<Scope>,
    /// The allow rules of project files count
    #[arg(help_heading = SETTINGS, long)]
    pub(crate) trust_project: bool,
    /// The policy is for an interactive root, where a posture of `trusted` or laxer has the allows of project files count
    #[arg(help_heading = SETTINGS, long)]
    pub(crate) interactive: bool,
}

/// What sources are named relative to.
#[derive(Clone, Debug, Args)]
pub(crate) struct RootArgs {
    /// The folder that source names in tables and decisions are relative to; default: the current one
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Human,
    /// For machines
    Json,
}

/// What `compile` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// The decision table
    Table,
    /// The checked document, as JSON
    Ir,
    /// The JSON Schema of documents of that kind, for editors
    JsonSchema,
}

const SEVERITIES: &[Severity] = &[Severity::Note, Severity::Warning, Severity::Error];
const AUDIENCES: &[Audience] = &[Audience::Main, Audience::Subagent, Audience::All];
const MODES: &[Mode] = &[Mode::Default, Mode::Plan, Mode::AcceptEdits];
const FILE_SCOPES: &[Scope] = &[
    Scope::Managed,
    Scope::Cli,
    Scope::LocalProject,
    Scope::SharedProject,
    Scope::User,
];

/// A parser of the names of `values`, and no other word.
fn named<T>(values: &'static [T], name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(values.iter().map(move |value| name(*value))).try_map(move |word| {
        let found = values.iter().copied().find(|value| name(*value) == word);
        found.ok_or("not one of the words above")
    })
}
