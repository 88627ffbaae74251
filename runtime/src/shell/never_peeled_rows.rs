//! The rows of table C of page 33, as data.

use super::options::{NO_CLUSTERS, Options};

/// What a program's first words select.
pub(super) enum Sub {
    /// The program itself.
    Row(Row),
    /// One of its subcommands.
    Family(Family),
}

/// A program with subcommands.
pub(super) struct Family {
    /// Its own options, before the subcommand.
    pub(super) own: Options,
    /// The subcommands by name, several apart by spaces.
    pub(super) subs: &'static [(&'static str, Sub)],
}

/// One row.
pub(super) struct Row {
    /// Its options.
    pub(super) options: Options,
    /// Operands before the inner command.
    pub(super) operands: usize,
    /// An option whose value is read as a command line: letter, long name.
    pub(super) text: Option<(u8, &'static str)>,
    /// What the words behind the operands are.
    pub(super) shape: Shape,
}

/// What the words of a row are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A command; none: judged as itself.
    Words,
    /// A command; none: opaque.
    Needed,
    /// Read as a command line, but with this letter or long option: a command.
    RereadUnless(u8, &'static str),
    /// A command, but with this letter or long option: read as a command line; `cut`: the first word is a package.
    RereadIf(u8, &'static str, bool),
    /// A package and the words.
    Package,
    /// As `Words`; a lone `-` first is standard input.
    Script,
    /// As `Package`; a lone `-` first is standard input.
    PackageScript,
    /// As `Words`; a first word with `/` or `:` is a file.
    Name,
    /// Options and assignments in any order, then the words.
    Sudo,
    /// One operand at most, options before or after, and the text option must be there; `true`: `-` is none.
    TextOnly(bool),
    /// One FILE, then the words, or `-c` and one word read as a command line.
    Flock,
    /// The words; the value of `-o` may start a program.
    Strace,
    /// A template.
    Parallel,
    /// A host, options before or after, then words read as a command line.
    Ssh,
    /// An application, or the value of `--command`, and the words.
    Flatpak,
    /// Operands and options, `--`, the words.
    Kubectl,
    /// An image or a service, or the value of `--entrypoint`, and the words.
    Container,
}

const NONE: Options = Options {
    flags: "",
    valued: "",
    optional: "",
    long: "",
    quirks: 0,
};

const fn row(options: Options, operands: usize, shape: Shape) -> Row {
    Row {
        options,
        operands,
        text: None,
        shape,
    }
}

const DOCKER_OWN: Options = Options {
    flags: "D",
    valued: "Hcl",
    long: "debug host= context= log-level=",
    ..NONE
};
const COMPOSE_OWN: Options = Options {
    valued: "fp",
    long: "file= project-name= profile= env-file=",
    ..NONE
};

const DOCKER_EXEC: Row = row(
    Options {
        flags: "dit",
        valued: "euw",
        long: "detach interactive tty privileged env= env-file= user= workdir=",
        ..NONE
    },
    1,
    Shape::Words,
);
const DOCKER_RUN: Row = row(
    Options {
        flags: "ditqP",
        valued: "evwupmhl",
        long: "detach interactive tty quiet rm init privileged read-only publish-all env= env-file= volume= mount= \
workdir= user= publish= memory= cpus= hostname= label= name= net= network= platform= pull= restart= add-host= cap-add= \
cap-drop= device= gpus= ipc= pid= shm-size= security-opt= tmpfs= ulimit= userns= entrypoint=",
        ..NONE
    },
    0,
    Shape::Container,
);
const COMPOSE_OPTIONS: Options = Options {
    flags: "diTP",
    valued: "euwv",
    long: "detach no-TTY rm no-deps build privileged service-ports env= user= workdir= volume= name= index= \
entrypoint=",
    ..NONE
};
const COMPOSE: Family = Family {
    own: COMPOSE_OWN,
    subs: &[("exec run", Sub::Row(row(COMPOSE_OPTIONS, 0, Shape::Container)))],
};
const KUBECTL: Options = Options {
    flags: "itq",
    valued: "cnf",
    long: "stdin tty quiet rm container= namespace= context= cluster= filename= image= restart= target=",
    ..NONE
};
const NPX: Options = Options {
    flags: "yq",
    valued: "pc",
    long: "yes no no-install quiet package= call=",
    ..NONE
};
const PNPM: Options = Options {
    flags: "rsc",
    long: "recursive silent shell-mode package=",
    ..NONE
};
const YARN: Options = Options {
    flags: "q",
    valued: "p",
    long: "quiet package=",
    ..NONE
};
const BUNX: Options = Options {
    valued: "p",
    long: "bun silent verbose no-install package=",
    ..NONE
};
const UV: Options = Options {
    flags: "nqv",
    valued: "p",
    long: "quiet verbose isolated offline no-cache refresh frozen locked no-project no-sync dev no-dev python= from= \
with= extra= group= package=",
    ..NONE
};
const NPX_ROW: Row = Row {
    options: NPX,
    operands: 0,
    text: Some((b'c', "call")),
    shape: Shape::Package,
};
const SU: Options = Options {
    flags: "lmpPf",
    valued: "cgG",
    long: "login pty preserve-environment command= group= supp-group=",
    ..NONE
};
const TRACE: Options = NONE;

// TABLE: page 33 C.
pub(super) const PROGRAMS: &[(&str, Sub)] = &[
    (
        "sudo",
        Sub::Row(row(
            Options {
                flags: "bEHknPSis",
                valued: "ugpCDT",
                long: "background preserve-env? set-home non-interactive stdin login shell user= group= prompt= \
chdir=",
                ..NONE
            },
            0,
            Shape::Sudo,
        )),
    ),
    (
        "doas",
        Sub::Row(row(
            Options {
                flags: "n",
                valued: "u",
                ..NONE
            },
            0,
            Shape::Words,
        )),
    ),
    (
        "pkexec",
        Sub::Row(row(
            Options {
                long: "keep-cwd disable-internal-agent user:",
                ..NONE
            },
            0,
            Shape::Needed,
        )),
    ),
    (
        "su",
        Sub::Row(Row {
            options: SU,
            operands: 0,
            text: Some((b'c', "command")),
            shape: Shape::TextOnly(true),
        }),
    ),
    (
        "runuser -u",
        Sub::Row(row(
            Options {
                flags: "mp",
                valued: "ugG",
                long: "preserve-environment user= group= supp-group=",
                ..NONE
            },
            0,
            Shape::Needed,
        )),
    ),
    (
        "chroot",
        Sub::Row(row(
            Options {
                long: "skip-chdir userspec= groups=",
                ..NONE
            },
            1,
            Shape::Needed,
        )),
    ),
    (
        "unshare",
        Sub::Row(row(
            Options {
                flags: "cCfimnprTuU",
                valued: "RwSG",
                long: "fork map-root-user map-current-user keep-caps mount-proc? kill-child? mount? uts? ipc? net? \
pid? user? cgroup? time? root= wd= setuid= setgid= propagation= setgroups=",
                ..NONE
            },
            0,
            Shape::Needed,
        )),
    ),
    (
        "nsenter",
        Sub::Row(row(
            Options {
                flags: "aFmuinpCUT",
                valued: "tSG",
                long: "all no-fork preserve-credentials mount? uts? ipc? net? pid? user? cgroup? target= setuid= \
setgid=",
                quirks: NO_CLUSTERS,
                ..NONE
            },
            0,
            Shape::Needed,
        )),
    ),
    (
        "setpriv",
        Sub::Row(row(
            Options {
                long: "nnp no-new-privs clear-groups keep-groups init-groups reset-env reuid= regid= ruid= euid= \
rgid= egid= groups= inh-caps= ambient-caps= bounding-set= securebits= pdeathsig=",
                ..NONE
            },
            0,
            Shape::Words,
        )),
    ),
    (
        "chrt",
        Sub::Row(row(
            Options {
                flags: "bfiorRv",
                ..NONE
            },
            1,
            Shape::Words,
        )),
    ),
    (
        "taskset",
        Sub::Row(row(
            Options {
                flags: "c",
                long: "cpu-list",
                ..NONE
            },
            1,
            Shape::Words,
        )),
    ),
    (
        "systemd-run",
        Sub::Row(row(
            Options {
                flags: "dGPqrt",
                valued: "u",
                long: "user scope pty pipe quiet wait collect same-dir no-block unit= uid= gid= nice= slice= \
description= working-directory=",
                ..NONE
            },
            0,
            Shape::Words,
        )),
    ),
    (
        "flock",
        Sub::Row(row(
            Options {
                flags: "sxeunoF",
                valued: "wE",
                long: "shared exclusive unlock nonblock nb close no-fork verbose timeout= wait= conflict-exit-code=",
                ..NONE
            },
            1,
            Shape::Flock,
        )),
    ),
    (
        "watch",
        Sub::Row(row(
            Options {
                flags: "bcegptwx",
                valued: "n",
                optional: "d",
                long: "differences? color errexit chgexit precise no-title no-wrap exec interval=",
                quirks: NO_CLUSTERS,
            },
            0,
            Shape::RereadUnless(b'x', "exec"),
        )),
    ),
    (
        "script",
        Sub::Row(Row {
            options: Options {
                flags: "aefq",
                valued: "cO",
                long: "append return flush quiet command= log-out=",
                ..NONE
            },
            operands: 0,
            text: Some((b'c', "command")),
            shape: Shape::TextOnly(false),
        }),
    ),
    (
        "strace",
        Sub::Row(row(
            Options {
                flags: "cCfikqrtTvwxy",
                valued: "aeops",
                ..TRACE
            },
            0,
            Shape::Strace,
        )),
    ),
    (
        "ltrace",
        Sub::Row(row(
            Options {
                flags: "cCfirStT",
                valued: "aelnops",
                ..TRACE
            },
            0,
            Shape::Words,
        )),
    ),
    (
        "xvfb-run",
        Sub::Row(row(
            Options {
                flags: "a",
                valued: "ns",
                long: "auto-servernum server-num= server-args=",
                ..NONE
            },
            0,
            Shape::Words,
        )),
    ),
    (
        "chronic",
        Sub::Row(row(Options { flags: "ev", ..NONE }, 0, Shape::Words)),
    ),
    (
        "unbuffer",
        Sub::Row(row(Options { flags: "p", ..NONE }, 0, Shape::Words)),
    ),
    ("dbus-run-session fakeroot", Sub::Row(row(NONE, 0, Shape::Needed))),
    ("busybox toybox", Sub::Row(row(NONE, 0, Shape::Words))),
    (
        "parallel",
        Sub::Row(row(
            Options {
                flags: "0kmqtuX",
                valued: "jnNLPIadC",
                long: "null keep-order quote verbose ungroup line-buffer lb bar eta progress tag dry-run will-cite \
jobs= max-args= arg-file= delimiter= colsep= joblog= timeout= delay= retries= halt=",
                ..NONE
            },
            0,
            Shape::Parallel,
        )),
    ),
    (
        "ssh",
        Sub::Row(row(
            Options {
                flags: "46AaCfNnqTtvXxY",
                valued: "bDiJLlmpRWo",
                ..NONE
            },
            1,
            Shape::Ssh,
        )),
    ),
    ("npx", Sub::Row(NPX_ROW)),
    (
        "npm",
        Sub::Family(Family {
            own: NONE,
            subs: &[("exec x", Sub::Row(NPX_ROW))],
        }),
    ),
    (
        "pnpm",
        Sub::Family(Family {
            own: Options {
                valued: "CF",
                long: "dir= filter=",
                ..NONE
            },
            subs: &[
                (
                    "dlx",
                    Sub::Row(row(PNPM, 0, Shape::RereadIf(b'c', "shell-mode", true))),
                ),
                (
                    "exec",
                    Sub::Row(row(PNPM, 0, Shape::RereadIf(b'c', "shell-mode", false))),
                ),
            ],
        }),
    ),
    (
        "yarn",
        Sub::Family(Family {
            own: NONE,
            subs: &[
                ("dlx", Sub::Row(row(YARN, 0, Shape::Package))),
                ("exec", Sub::Row(row(YARN, 0, Shape::Words))),
            ],
        }),
    ),
    ("bunx", Sub::Row(row(BUNX, 0, Shape::Package))),
    (
        "bun",
        Sub::Family(Family {
            own: NONE,
            subs: &[("x", Sub::Row(row(BUNX, 0, Shape::Package)))],
        }),
    ),
    ("uvx", Sub::Row(row(UV, 0, Shape::PackageScript))),
    (
        "uv",
        Sub::Family(Family {
            own: Options {
                flags: "q",
                long: "directory= project=",
                ..NONE
            },
            subs: &[
                ("run", Sub::Row(row(UV, 0, Shape::Script))),
                (
                    "tool",
                    Sub::Family(Family {
                        own: NONE,
                        subs: &[("run", Sub::Row(row(UV, 0, Shape::PackageScript)))],
                    }),
                ),
            ],
        }),
    ),
    (
        "pipx",
        Sub::Family(Family {
            own: NONE,
            subs: &[(
                "run",
                Sub::Row(row(
                    Options {
                        flags: "qv",
                        long: "quiet verbose no-cache spec= python= pip-args=",
                        ..NONE
                    },
                    0,
                    Shape::Name,
                )),
            )],
        }),
    ),
    (
        "poetry pipenv",
        Sub::Family(Family {
            own: NONE,
            subs: &[("run", Sub::Row(row(NONE, 0, Shape::Words)))],
        }),
    ),
    (
        "bundle",
        Sub::Family(Family {
            own: NONE,
            subs: &[("exec", Sub::Row(row(NONE, 0, Shape::Words)))],
        }),
    ),
    (
        "rustup",
        Sub::Family(Family {
            own: NONE,
            subs: &[("run", Sub::Row(row(NONE, 1, Shape::Words)))],
        }),
    ),
    (
        "direnv",
        Sub::Family(Family {
            own: NONE,
            subs: &[("exec", Sub::Row(row(NONE, 1, Shape::Words)))],
        }),
    ),
    ("gosu su-exec", Sub::Row(row(NONE, 1, Shape::Words))),
    (
        "flatpak",
        Sub::Family(Family {
            own: NONE,
            subs: &[(
                "run",
                Sub::Row(row(
                    Options {
                        flags: "v",
                        long: "verbose user system arch= branch= command= cwd=",
                        quirks: super::options::SAME_WORD,
                        ..NONE
                    },
                    0,
                    Shape::Flatpak,
                )),
            )],
        }),
    ),
    (
        "devbox",
        Sub::Family(Family {
            own: NONE,
            subs: &[(
                "run",
                Sub::Row(row(
                    Options {
                        flags: "q",
                        valued: "ce",
                        long: "quiet pure config= env=",
                        ..NONE
                    },
                    0,
                    Shape::RereadUnless(0, ""),
                )),
            )],
        }),
    ),
    (
        "kubectl",
        Sub::Family(Family {
            own: KUBECTL,
            subs: &[("exec run debug", Sub::Row(row(KUBECTL, 0, Shape::Kubectl)))],
        }),
    ),
    (
        "docker podman",
        Sub::Family(Family {
            own: DOCKER_OWN,
            subs: &[
                ("exec", Sub::Row(DOCKER_EXEC)),
                ("run", Sub::Row(DOCKER_RUN)),
                (
                    "container",
                    Sub::Family(Family {
                        own: NONE,
                        subs: &[("exec", Sub::Row(DOCKER_EXEC)), ("run", Sub::Row(DOCKER_RUN))],
                    }),
                ),
                ("compose", Sub::Family(COMPOSE)),
            ],
        }),
    ),
    ("docker-compose", Sub::Family(COMPOSE)),
];
