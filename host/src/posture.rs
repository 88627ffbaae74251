//! A posture and the process to whether they may go together: `auto` and `yolo` need an ordinary user or a declared
//! sandbox (page 30, *Posture*).

use callgate_compiler::Posture;

/// A lax posture would give root's powers to whatever no rule names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("posture `{}` is refused for root without IS_SANDBOX=1", .0.name())]
pub struct PostureRefused(pub Posture);

/// Who runs the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// The effective user is root.
    pub is_root: bool,
    /// `IS_SANDBOX=1` is declared.
    pub is_sandboxed: bool,
}

impl Process {
    /// This process.
    pub fn current() -> Self {
        Self {
            is_root: is_root(),
            is_sandboxed: std::env::var_os("IS_SANDBOX").is_some_and(|value| value == "1"),
        }
    }

    /// Whether `posture` may be used in it.
    pub fn may_use(self, posture: Posture) -> Result<(), PostureRefused> {
        let is_lax = match posture {
            Posture::Strict | Posture::Trusted => false,
            Posture::Auto | Posture::Yolo => true,
        };
        if is_lax && self.is_root && !self.is_sandboxed {
            return Err(PostureRefused(posture));
        }
        Ok(())
    }
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_root_outside_a_sandbox_is_refused_a_lax_posture() {
        for posture in Posture::ALL {
            for (is_root, is_sandboxed) in [(false, false), (false, true), (true, true), (true, false)] {
                let process = Process {
                    is_root,
                    is_sandboxed,
                };
                let refused = posture >= Posture::Auto && is_root && !is_sandboxed;
                assert_eq!(
                    process.may_use(posture).is_err(),
                    refused,
                    "{posture:?} {process:?}"
                );
            }
        }
        let root = Process {
            is_root: true,
            is_sandboxed: false,
        };
        assert_eq!(
            root.may_use(Posture::Yolo).unwrap_err().to_string(),
            "posture `yolo` is refused for root without IS_SANDBOX=1"
        );
    }
}
