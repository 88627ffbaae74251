//! Lines to what is read of them: one row a sentence of pages 31 to 33.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Construct, Role, Unit, read};

/// `plain` of every unit; `(…)` around the covered ones, `…` behind the open ones.
fn views(line: &str) -> Vec<String> {
    let view = |unit: &Unit<'_>| {
        let open = if unit.open {
            [unit.plain(), " …"].concat()
        } else {
            String::from(unit.plain())
        };
        if unit.role == Role::Covered {
            ["(", &open, ")"].concat()
        } else {
            open
        }
    };
    read(line).units.iter().map(view).collect()
}

#[test]
fn every_line_gives_its_segments() {
    let rows: &[(&str, &[&str])] = &[
        ("ls # ; rm x", &["ls"]),
        ("ls\nrm x", &["ls", "rm x"]),
        (r"echo \; rm x", &["echo ; rm x"]),
        ("a|b|&c&&d||e&f;g", &["a", "b", "c", "d", "e", "f", "g"]),
        (r#"r""m $'\x72m' \rm 'a b'"#, &["rm rm rm a b"]),
        (
            "A=1 B='c d' >o env -u X C=2 nice -n5 timeout -k 1 5 make all",
            &["make all"],
        ),
        ("time -p ! make", &["make"]),
        ("echo \"$\\\n(zap a)\"", &["echo $\\\n(zap a)", "zap a"]),
        (
            "echo `echo \\`zap\\``",
            &["echo `echo \\`zap\\``", "echo `zap`", "zap"],
        ),
        ("cat <<E | x\n$(zap)\nE\ny", &["cat", "x", "zap", "y"]),
        ("case $(a) in b) c;; esac", &["$(a)", "a", "c"]),
        ("f() { a; }; f", &["a", "f"]),
        (
            "sh -euo pipefail -c 'a; b' c d",
            &["sh -euo pipefail -c a; b c d", "a", "b"],
        ),
        ("eval eval zap", &["eval eval zap", "eval zap", "zap"]),
        ("trap 'a; b' INT", &["trap a; b INT", "a", "b"]),
        ("xargs -n 1 rm -f", &["xargs -n 1 rm -f", "rm -f …"]),
        ("xargs -I{} mv {} d", &["xargs -I{} mv {} d", "mv …"]),
        ("xargs", &["xargs", "echo …"]),
        (
            r"find . -exec a b {} c \; -ok d ';'",
            &["find . -exec a b {} c ; -ok d ;", "a b …", "d …"],
        ),
        ("echo zap x | bash", &["echo zap x", "bash", "zap x"]),
        ("bash <<< 'zap x'", &["bash", "zap x"]),
        ("sudo -u bob A=1 rm x", &["sudo -u bob A=1 rm x", "(rm x)"]),
        (
            "docker run -it --rm -v \"$PWD\":/w img make",
            &["docker run -it --rm -v $PWD:/w img make", "(make)"],
        ),
        (
            "docker run --entrypoint=sh img -c 'a'",
            &["docker run --entrypoint=sh img -c a", "(sh -c a)", "(a)"],
        ),
        (
            "docker compose -f x exec web sh -c a",
            &["docker compose -f x exec web sh -c a", "(sh -c a)", "(a)"],
        ),
        ("ssh -p 2 h -v 'a; b'", &["ssh -p 2 h -v a; b", "(a)", "(b)"]),
        ("npx -y @s/zap@1 x", &["npx -y @s/zap@1 x", "(@s/zap x)"]),
        (
            "uv --directory d run pytest",
            &["uv --directory d run pytest", "(pytest)"],
        ),
        (
            "kubectl -n x exec p -- rm y",
            &["kubectl -n x exec p -- rm y", "(rm y)"],
        ),
        (
            "parallel -j 2 'a {}' ::: x",
            &["parallel -j 2 a {} ::: x", "(a …)"],
        ),
        ("su - bob -c 'a b'", &["su - bob -c a b", "(a b)"]),
        ("flock f -c 'a b'", &["flock f -c a b", "(a b)"]),
        (
            "flatpak run --command=sh app -c x",
            &["flatpak run --command=sh app -c x", "(sh -c x)", "(x)"],
        ),
    ];
    for (line, expected) in rows {
        assert_eq!(views(line), *expected, "{line:?}");
        assert_eq!(read(line).fault, None, "{line:?}");
    }
}

#[test]
fn every_opaque_construct_is_named() {
    let rows: &[(&str, Construct)] = &[
        ("$X a", Construct::CommandPosition),
        ("b?d", Construct::CommandPosition),
        ("{a,b} c", Construct::CommandPosition),
        ("echo ${X%y}", Construct::ParameterExpansion),
        ("env -S x", Construct::UnknownOption),
        ("timeout --signal INT 5 x", Construct::UnknownOption),
        ("exec -cla x y", Construct::UnknownOption),
        ("time -f x y", Construct::UnknownOption),
        ("timeout $T make", Construct::NonLiteral),
        ("eval $X", Construct::NonLiteral),
        ("xargs sh -c", Construct::NonLiteral),
        ("xargs sudo", Construct::NonLiteral),
        ("sudo sh", Construct::UnreadProgram),
        ("ssh h '$X'", Construct::CommandPosition),
        ("source x", Construct::UnreadProgram),
        ("PATH=x ls", Construct::DangerousVariable),
        ("export GIT_DIR=x", Construct::DangerousVariable),
        ("printf -vPATH x", Construct::DangerousVariable),
        ("printf %5n PATH", Construct::DangerousVariable),
        ("read -a PATH", Construct::DangerousVariable),
        ("for PATH in x; do ls; done", Construct::DangerousVariable),
        ("((PATH=1))", Construct::DangerousVariable),
        ("ls() { x; }", Construct::ShadowingFunction),
        ("alias x=y", Construct::CodeBuiltin),
        ("set -ek", Construct::CodeBuiltin),
        ("test -v 'a[$(zap)]'", Construct::Subscript),
        ("cat < /dev/tcp/h/1", Construct::NetworkRedirection),
    ];
    for (line, expected) in rows {
        let read = read(line);
        let found = read.units.iter().find_map(|unit| unit.construct);
        assert_eq!((read.fault, found), (None, Some(*expected)), "{line:?}");
    }
}

#[test]
fn what_bash_refuses_is_a_fault() {
    let lines = [
        "make; }",
        "( make",
        "make |",
        "zap x )",
        "ls 'a",
        "echo \"a",
        "cat $(ls",
        "a ;; b",
        "if a; fi",
        "{ }",
        "( )",
        "f() a",
        "a(b) c",
        "[[ a",
        "for 1 in a; do b; done",
        "case x in a) b",
        "> ;",
        "a && ; b",
        "echo ${X",
        "$((1+2)",
    ];
    for line in lines {
        assert_eq!(read(line).fault, Some(Construct::Syntax), "{line:?}");
    }
    assert_eq!(read("ls\0make").fault, Some(Construct::Nul));
}

#[test]
fn nesting_is_read_32_deep_at_a_linear_cost() {
    let nested = |depth: usize| ["echo $(".repeat(depth), String::from("pwd"), ")".repeat(depth)].concat();
    let deepest = nested(32);
    let read_deepest = read(&deepest);
    assert_eq!((read_deepest.fault, read_deepest.units.len()), (None, 33));
    assert_eq!(read(&nested(33)).fault, Some(Construct::Depth));
    assert_eq!(read(&nested(5000)).fault, Some(Construct::Depth));
}

/// Ruling 15b: what is 32 deep is read, what is 33 deep is not, whatever nests.
#[test]
fn every_construct_counts_one_level() {
    let nested = |open: &str, close: &str, depth: usize| {
        [open.repeat(depth), String::from("pwd"), close.repeat(depth)].concat()
    };
    let alone = [
        ("echo $(", ")"),
        ("echo \"$(", ")\""),
        ("cat <(", ")"),
        ("tee >(", ")"),
        ("( ", " )"),
        ("{ ", "; }"),
        ("if a; then ", "; fi"),
        ("if ", "; then a; fi"),
        ("while a; do ", "; done"),
        ("until a; do ", "; done"),
        ("for i in a; do ", "; done"),
        ("case a in b) ", ";; esac"),
        ("x=$(", ") y"),
        ("echo $((1 + $(", ")))"),
        ("echo ${x:-$(", ")}"),
        ("cat <<< $(", ")"),
    ];
    for (open, close) in alone {
        let fault = |depth| read(&nested(open, close, depth)).fault;
        assert_eq!(fault(32), None, "{open}");
        assert_eq!(fault(33), Some(Construct::Depth), "{open}");
    }
    let around = [
        ("echo `", "`"),
        ("eval '", "'"),
        ("sh -c '", "'"),
        ("bash -lc '", "'"),
        ("sudo sh -c '", "'"),
        ("trap '", "' EXIT"),
        ("su -c '", "'"),
        ("ssh h '", "'"),
        ("bash <<< '", "'"),
        ("cat <<E\n$(", ")\nE"),
        ("f() { ", "; }"),
        ("select i in a; do ", "; done"),
        ("coproc { ", "; }"),
        ("time ( ", " )"),
        ("! { ", "; }"),
    ];
    for (open, close) in around {
        let fault = |depth| read(&[open, &nested("echo $(", ")", depth), close].concat()).fault;
        assert_eq!(fault(31), None, "{open}");
        assert_eq!(fault(32), Some(Construct::Depth), "{open}");
    }
}

#[test]
fn redirections_are_no_part_of_the_text_but_where_a_pattern_names_them() {
    let line = read("2>&1 make 'a b' > 'o 1' x <<< y");
    let [unit] = line.units.as_slice() else {
        panic!("one segment")
    };
    assert_eq!(unit.raw(), "make 'a b' x");
    assert_eq!(unit.raw_redirected(), "2>&1 make 'a b' > 'o 1' x <<< y");
    assert_eq!(unit.plain_redirected(), "make a b x 2>& 1 > o 1 <<< y");
    assert_eq!(unit.write.as_deref(), Some("o 1"));
}

#[test]
fn only_reading_is_told_from_the_rest() {
    let reads = [
        "ls -la src",
        "find . -name -delete",
        "sort -to f",
        "git log -c",
        "git --no-pager diff -C",
        "git branch --list x",
        "git tag -n5 x",
        "git remote -v",
        "date +%s",
        "head -5 f",
        "printf '%s' \"$X\"",
        "echo $X",
        "cat --help",
        "rg -n x",
        "tree -L 2",
        "grep -rnA3 x .",
        "git log --since yesterday -3",
        "uniq -c f",
    ];
    for line in reads {
        assert!(read(line).is_read_only(), "{line:?}");
    }
    let acts = [
        "f=1; ls",
        "find . -delete",
        "sort -uo f f",
        "sort $X",
        "git branch new",
        "git -c a=b log",
        "git log --format=%G?",
        "uniq a b",
        "date -s x",
        "date 1",
        "tree -Lo 2",
        "rg --pre x y",
        "file -C",
        "/bin/ls",
        "A=1 ls",
        "nohup ls",
        "ls > f",
        "cat $(ls)",
        "(ls)",
        "printf %n x",
        "git",
        "ls --unknown",
        "env ls",
        "# nothing",
        "[[ a ]]",
    ];
    for line in acts {
        assert!(!read(line).is_read_only(), "{line:?}");
    }
}
