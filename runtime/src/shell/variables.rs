//! Table F of page 33: the names of variables that can change what a command line runs.

use super::options::each;
use super::text;

/// How dangerous a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Danger {
    /// An author may name it in an allow (ruling 17a).
    Named,
    /// Nothing lifts it but loose substitution.
    Always,
}

// TABLE: ruling 17a, never lifted.
const ALWAYS: &str = "PATH IFS ENV BASH_* BASHOPTS SHELLOPTS PROMPT_COMMAND PS4 LD_* DYLD_*";

// TABLE: page 33 F, the rest; `*` is any run.
const NAMED: &str = "CDPATH HOME SHELL PS0 PS1 PS2 GLOBIGNORE EXECIGNORE POSIXLY_CORRECT FCEDIT ZDOTDIR FPATH \
GCONV_PATH GIT_* *PAGER *EDITOR VISUAL *BROWSER *ASKPASS LESS* SYSTEMD_LESS RIPGREP_CONFIG_PATH TAR_OPTIONS \
RSYNC_RSH CVS_RSH SSH_*_HELPER SSH_SK_PROVIDER VIMINIT EXINIT FZF_* CURL_HOME WGETRC OPENSSL_CONF OPENSSL_ENGINES \
OPENSSL_MODULES XDG_CONFIG_HOME XDG_CONFIG_DIRS PYTHONSTARTUP PYTHONPATH PYTHONHOME PYTHONUSERBASE PYTHONINSPECT \
PYTHONBREAKPOINT PYTHONWARNINGS PERL5* PERLLIB RUBYOPT RUBYLIB NODE_OPTIONS NODE_PATH NPM_CONFIG_* npm_config_* \
JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH LUA_INIT* LUA_PATH* LUA_CPATH* PHPRC PHP_INI_SCAN_DIR \
DOTNET_STARTUP_HOOKS AWKPATH AWKLIBPATH RUSTC RUSTDOC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CARGO_BUILD_RUSTC* \
CARGO_TARGET_*_RUNNER CARGO_TARGET_*_LINKER CMAKE_*_LAUNCHER MAKEFLAGS GNUMAKEFLAGS MAKEFILES GOFLAGS GOENV";

/// Whether assigning the variable is dangerous.
pub(super) fn danger(name: &str) -> Option<Danger> {
    if listed(ALWAYS, name) {
        Some(Danger::Always)
    } else if listed(NAMED, name) {
        Some(Danger::Named)
    } else {
        None
    }
}

fn listed(patterns: &str, name: &str) -> bool {
    let first = name.as_bytes().first();
    each(patterns).any(|pattern| {
        let begins = pattern.as_bytes().first();
        if begins != first && begins != Some(&b'*') {
            return false;
        }
        match text::cut(pattern, b'*') {
            None => pattern == name,
            Some((before, after)) => {
                name.len() >= before.len().wrapping_add(after.len())
                    && name.starts_with(before)
                    && name.ends_with(after)
            }
        }
    })
}

/// Whether a text is a variable's name.
pub(super) fn is_name(text: &str) -> bool {
    text.as_bytes().first().is_some_and(|first| is_name_start(*first)) && text.bytes().all(is_name_byte)
}

/// A letter or `_`.
pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// A letter, a digit or `_`.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether an arithmetic text mentions a dangerous variable: assigning it takes no more than that.
pub(super) fn in_arithmetic(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .any(|name| is_name(name) && danger(name).is_some())
}

/// The name that an operand of `export` or `read` gives: what is before `=`, `+=` or a subscript.
pub(super) fn name_of(operand: &str) -> &str {
    let name = text::before(operand, b'=');
    let name = text::before(name, b'[');
    name.strip_suffix("+").unwrap_or(name)
}

/// A subscript in which bash would run something when it evaluates it: `$(` or a backtick after a `[`.
pub(super) fn runs_in_subscript(text: &str) -> bool {
    text::cut(text, b'[').is_some_and(|(_, after)| text::holds(after, "$(") || text::has(after, b'`'))
}
