//! The registry of codes: each with its name, its severity and the page that explains it.
//!
//! One macro call is all that a new code takes, beside its page. A code is never reused.

mod background_operator;
pub(crate) mod comment_cut;
pub(crate) mod directive_claim;
mod dodged_deny;
mod dodged_path;
mod dodged_url;
mod foreign_syntax;
mod idle_backslash;
mod launchers;
mod no_word_boundary;
mod not_tool_wide;
pub(crate) mod prose_pattern;
mod refused_operator;
pub(crate) mod rule_like_directive;
mod runs_anything;
mod unexpanded_home;
mod unregistered_tool;

use callgate_grammar::SyntaxError;

use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::world::{Finding, World};

/// One code.
#[derive(Debug, PartialEq, Eq)]
pub struct Lint {
    /// `CG` and four digits.
    pub code: &'static str,
    /// As it is called after "allow": `unknown-key`.
    pub name: &'static str,
    /// How bad a finding is.
    pub severity: Severity,
    /// What a finding says, in one line.
    pub title: &'static str,
    /// The page in Markdown: What, Why, Example, Instead, When to allow it.
    pub page: &'static str,
}

impl Lint {
    /// A finding of this code.
    pub(crate) fn diagnostic(&self, location: Location, message: String, help: String) -> Diagnostic {
        Diagnostic {
            code: self.code,
            name: self.name,
            severity: self.severity,
            location,
            message,
            help,
            related: Vec::new(),
            witness: None,
        }
    }
}

/// The lints that ask a compiled policy.
pub(crate) const WORLD: &[for<'a> fn(&World<'a>) -> Vec<Finding<'a>>] = &[
    comment_cut::find,
    dodged_deny::find,
    dodged_path::find,
    background_operator::find,
    runs_anything::find,
    no_word_boundary::find,
    refused_operator::find,
    unexpanded_home::find,
    idle_backslash::find,
    unregistered_tool::find,
    not_tool_wide::find,
    foreign_syntax::find,
    dodged_url::find,
];

/// Every code, sorted.
pub fn all() -> &'static [&'static Lint] {
    REGISTRY
}

/// The entry of a code (`CG0201`) or a name (`unknown-key`), in any case.
pub fn find(code_or_name: &str) -> Option<&'static Lint> {
    let wanted = code_or_name.trim();
    REGISTRY
        .iter()
        .copied()
        .find(|lint| lint.code.eq_ignore_ascii_case(wanted) || lint.name.eq_ignore_ascii_case(wanted))
}

/// The entry of a refusal by the parser.
pub(crate) fn syntax(error: &SyntaxError) -> &'static Lint {
    find(error.code()).unwrap_or(&YAML_SYNTAX)
}

macro_rules! registry {
    ($($id:ident $code:literal $name:literal $severity:ident $title:literal;)*) => {
        $(
            pub(crate) static $id: Lint = Lint {
                code: $code,
                name: $name,
                severity: Severity::$severity,
                title: $title,
                page: include_str!(concat!($name, ".md")),
            };
        )*

        static REGISTRY: &[&Lint] = &[$(&$id),*];
    };
}

registry! {
    NOT_UTF8 "CG0101" "not-utf8" Error "the text is not UTF-8";
    TOO_LARGE "CG0102" "too-large" Error "the text is longer than the limit";
    FORBIDDEN_CHARACTER "CG0103" "forbidden-character" Error "a character that no policy may hold";
    YAML_SYNTAX "CG0104" "yaml-syntax" Error "the text is not YAML";
    TAB_INDENTATION "CG0105" "tab-indentation" Error "a tab where indentation is counted";
    DUPLICATE_KEY "CG0106" "duplicate-key" Error "a key that stands twice in one mapping";
    UNREAD_YAML "CG0107" "unread-yaml" Error "a part of YAML that policies do not use";
    TOO_DEEP "CG0108" "too-deep" Error "collections are nested too deep";
    READINGS_DIFFER "CG0109" "readings-differ" Error "two YAML parsers read the text differently";
    UNKNOWN_KEY "CG0201" "unknown-key" Error "a key that has no meaning where it stands";
    WRONG_TYPE "CG0202" "wrong-type" Error "a value of another type than is due";
    NOT_A_STRING "CG0203" "not-a-string" Error "a value that some YAML parser does not read as text";
    UNKNOWN_MODE "CG0204" "unknown-mode" Error "a mode that does not exist";
    MISSING_MODE "CG0205" "missing-mode" Error "rules without a mode, which would be ignored";
    UNKNOWN_KIND "CG0206" "unknown-kind" Error "a document that fits no kind";
    AMBIGUOUS_KIND "CG0207" "ambiguous-kind" Error "a document that fits two kinds";
    UNKNOWN_PRESET "CG0208" "unknown-preset" Error "a preset that does not exist";
    UNKNOWN_POSTURE "CG0209" "unknown-posture" Error "a posture that does not exist";
    CALLBACK_IN_DATA "CG0210" "callback-in-data" Error "a callback where only data can stand";
    COLLIDING_TOOLS "CG0211" "colliding-tools" Error "two keys that mean one tool";
    BAD_TOOL_NAME "CG0212" "bad-tool-name" Error "a tool name that no tool can have";
    MIXED_DIALECTS "CG0213" "mixed-dialects" Error "permissions in two dialects at once";
    BAD_RULE_SPEC "CG0214" "bad-rule-spec" Error "a text that is no rule spec";
    MISSING_KEY "CG0215" "missing-key" Error "a key that must be there is not";
    POLICY_TOO_LARGE "CG0216" "policy-too-large" Error "a policy with more rules than the limit";
    OPERATOR_ONLY_KEY "CG0217" "operator-only-key" Warning "a key that counts only in operator files";
    FOREIGN_KEY "CG0218" "foreign-key" Warning "a top-level key of settings that is not ours";
    UNTRUSTED_ALLOW "CG0219" "untrusted-allow" Warning "allow rules of an untrusted workspace";
    ONE_POLICY_ONLY "CG0220" "one-policy-only" Error "sources that cannot be merged into one policy";
    NOTHING_TO_COMPILE "CG0221" "nothing-to-compile" Error "a document without permissions";
    ALLOW_ALL_BY_DEFAULT "CG0222" "allow-all-by-default" Warning "permissions without mode and rules allow everything";
    GIVEN_TWICE "CG0223" "given-twice" Error "one thing said under two keys";
    UNKNOWN_VALUE "CG0224" "unknown-value" Error "a word outside a closed list";
    BAD_INVARIANT "CG0225" "bad-invariant" Error "a text that is no invariant";
    RULES_IN_PACK "CG0301" "rules-in-pack" Error "executable rules in a pack, which enforces nothing";
    DIRECTIVES_IN_PERMISSIONS "CG0302" "directives-in-permissions" Error "prompt guidance in permissions";
    PROSE_PATTERN "CG0303" "prose-pattern" Error "a rule pattern that is a sentence";
    RULE_LIKE_DIRECTIVE "CG0304" "rule-like-directive" Warning "a directive that is written like a rule";
    DIRECTIVE_CLAIM "CG0305" "directive-claim" Warning "a directive that claims to be enforced";
    IGNORED_RULES "CG0401" "ignored-rules" Warning "rules that the mode ignores";
    COMMENT_CUT "CG0501" "comment-cut" Warning "a comment that cuts a pattern short";
    SPACE_AT_END "CG0502" "space-at-end" Warning "a pattern that begins or ends with a space";
    DODGED_DENY "CG0503" "dodged-deny" Warning "a deny that another spelling of the command passes";
    DODGED_PATH "CG0504" "dodged-path" Warning "a deny that another path to the same file passes";
    BACKGROUND_OPERATOR "CG0505" "background-operator" Warning "an allow that lets a second command in behind `&`";
    RUNS_ANYTHING "CG0506" "runs-anything" Warning "an allow that reaches an interpreter or a launcher";
    NO_WORD_BOUNDARY "CG0507" "no-word-boundary" Warning "an allow that covers longer names as well";
    REFUSED_OPERATOR "CG0508" "refused-operator" Warning "a pattern that only refused calls match";
    UNEXPANDED_HOME "CG0509" "unexpanded-home" Warning "a `~` that stands for itself";
    IDLE_BACKSLASH "CG0510" "idle-backslash" Warning "a backslash that escapes nothing";
    UNREGISTERED_TOOL "CG0511" "unregistered-tool" Warning "a rule for a tool that nothing registers";
    NOT_TOOL_WIDE "CG0512" "not-tool-wide" Warning "a `Tool(*)` that a call without a subject passes";
    FOREIGN_SYNTAX "CG0513" "foreign-syntax" Warning "a pattern in the syntax of another language";
    DODGED_URL "CG0514" "dodged-url" Warning "a deny that the same address in other words passes";
    SHELL_STRING "CG0601" "shell-string" Error "a hook command that is a shell line";
    BAD_PYTHON_PATH "CG0602" "bad-python-path" Error "a Python hook that names no function";
    UNTRUSTED_HOOK_MODULE "CG0603" "untrusted-hook-module" Error "a Python hook of a module that is not trusted";
    UNKNOWN_PHASE "CG0604" "unknown-phase" Error "a hook phase that does not exist";
    BAD_HOOK "CG0605" "bad-hook" Error "a hook that is neither a handler nor a command";
    PLACEHOLDER_PROGRAM "CG0606" "placeholder-program" Warning "a hook whose program the call chooses";
    WILDCARD_ALLOWLIST "CG0607" "wildcard-allowlist" Error "a wildcard in a list of exact names";
    PATH_IN_ALLOWLIST "CG0608" "path-in-allowlist" Error "a path in a list of bare command names";
    URL_IN_ALLOWLIST "CG0609" "url-in-allowlist" Error "a URL in a list of host names";
    IDLE_ALLOWLIST "CG0610" "idle-allowlist" Warning "an allowlist of a transport that is not allowed";
    UNKNOWN_AGENT_MODE "CG0701" "unknown-agent-mode" Error "an agent mode that nobody defines";
    CONFLICTING_MODES "CG0702" "conflicting-modes" Error "two agent modes that contradict each other";
    DUPLICATE_NAME "CG0703" "duplicate-name" Error "a name that stands twice in a list";
    MODE_NOT_ALLOWED "CG0704" "mode-not-allowed" Error "a mode that the role does not allow";
    INACTIVE_ROLE "CG0705" "inactive-role" Error "a role that its pack has switched off";
    IDLE_FIELD "CG0706" "idle-field" Warning "a field that has no effect";
    UNKNOWN_TOOL "CG0707" "unknown-tool" Error "a tool that the catalogue does not have";
    UNKNOWN_ROLE "CG0708" "unknown-role" Error "a role that the catalogue does not have";
    MISSING_PACK "CG0709" "missing-pack" Error "a pack that is named and not there";
}

#[cfg(test)]
mod tests;
