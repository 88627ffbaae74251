//! Input that nobody should write: each a clear finding, the right exit code, and never a panic.

use std::time::{Duration, Instant};

use crate::run::{Folder, POLICY};

/// Every file, the code that it must be refused with, and the place.
fn hostile() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let policy = |pattern: &str| format!("mode: rules\nallow:\n  bash: [{pattern}]\n").into_bytes();
    let filled = |size: usize| {
        let mut text = String::from("mode: rules\nallow:\n  bash:\n");
        while text.len() + 20 < size {
            text.push_str("    - 'ls x'\n");
        }
        text.push('#');
        text.push_str(&"x".repeat(size - text.len() - 1));
        text.push('\n');
        text.into_bytes()
    };
    vec![
        ("empty.yaml", Vec::new(), "CG0206"),
        ("blank.yaml", b" \n\n  \n".to_vec(), "CG0206"),
        ("comment.yaml", b"# nothing\n".to_vec(), "CG0206"),
        ("over.yaml", vec![b'#'; (1 << 20) + 1], "CG0102"),
        ("many.yaml", filled((1 << 20) - 1), "CG0216"),
        ("nul.yaml", policy("'a\0b'"), "CG0103"),
        (
            "utf8.yaml",
            [policy("'a"), b"\xff\xc3".to_vec()].concat(),
            "CG0101",
        ),
        (
            "utf16.yaml",
            "mode: rules".encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "CG0103",
        ),
        (
            "elf.yaml",
            b"\x7fELF\x02\x01\x01\0\0\0\xf0\xff".to_vec(),
            "CG0101",
        ),
        ("deep.yaml", vec![b'['; 100_000], "CG0108"),
        ("deep-map.yaml", b"{a: ".repeat(100_000), "CG0108"),
        (
            "deep-block.yaml",
            (0..500)
                .flat_map(|depth| format!("{}a:\n", " ".repeat(depth)).into_bytes())
                .collect(),
            "CG0108",
        ),
        ("bidi.yaml", policy("'a\u{202e}b'"), "CG0103"),
        (
            "tab.yaml",
            b"mode: rules\nallow:\n\tbash: ['*']\n".to_vec(),
            "CG0105",
        ),
        (
            "anchor.yaml",
            b"mode: rules\nallow: {bash: [&a x, *a]}\n".to_vec(),
            "CG0107",
        ),
        (
            "documents.yaml",
            b"mode: rules\n---\nmode: rules\n".to_vec(),
            "CG0107",
        ),
        ("scalar.yaml", b"just words\n".to_vec(), "CG0202"),
        ("list.yaml", b"- mode: rules\n".to_vec(), "CG0202"),
        ("quote.yaml", b"mode: 'rules\n".to_vec(), "CG0104"),
    ]
}

#[test]
fn hostile_files_are_findings() {
    let folder = Folder::new("hostile");
    for (name, content, code) in hostile() {
        folder.file(name, content);
        let started = Instant::now();
        let run = folder.run(&["check", name]);
        assert_eq!(run.code, 1, "{}", run.transcript());
        assert!(
            run.out.contains(&format!("[{code}]")) && run.out.contains(&format!("{name}:")),
            "{}",
            run.transcript()
        );
        assert!(
            run.out.lines().all(|line| line.chars().count() < 400),
            "{name}: a line that no terminal shows"
        );
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "{name} took {:?}",
            started.elapsed()
        );
        let json = folder.run(&["check", "--format", "json", name]);
        let report: serde_json::Value = serde_json::from_str(&json.out).unwrap();
        assert!(
            report["diagnostics"]
                .as_array()
                .unwrap()
                .iter()
                .any(|found| found["code"] == code),
            "{name}"
        );
        assert_eq!(folder.run(&["compile", name, "-o", "out"]).code, 1, "{name}");
        let decided = folder.run(&["decide", "-p", name, "--exit-code", "bash", "ls"]);
        assert_eq!((decided.code, decided.out.as_str()), (2, ""), "{name}");
    }
}

#[test]
fn unusual_files_that_are_fine() {
    let folder = Folder::new("unusual");
    folder.file("crlf.yaml", POLICY.replace('\n', "\r\n"));
    folder.file("bom.yaml", format!("\u{feff}{POLICY}"));
    folder.file("open-end.yaml", POLICY.trim_end());
    folder.file(
        "long-line.yaml",
        format!("mode: rules\nallow: {{bash: ['{}']}}\n", "x".repeat(1_000_000)),
    );
    folder.file(
        "long-comment.yaml",
        format!("{POLICY}# {}\n", "x".repeat(1_000_000)),
    );
    folder.file(
        "unicode.yaml",
        "mode: rules\ndeny: {bash: ['*&*']}\nallow: {bash: ['écrire *', '文件 *', '🦀*']}\n",
    );
    let run = folder.run(&["check", "."]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (0, "6 files checked: no findings\n"),
        "{}",
        run.transcript()
    );
    let digest = |name: &str| folder.run(&["decide", "-p", name, "bash", "git status"]).out;
    let plain = folder.file("plain.yaml", POLICY);
    let expected = folder
        .run(&["decide", "-p", plain.to_str().unwrap(), "bash", "git status"])
        .out;
    for name in ["crlf.yaml", "bom.yaml", "open-end.yaml"] {
        let first = |text: &str| text.lines().take(1).collect::<String>();
        assert_eq!(first(&digest(name)), first(&expected), "{name}");
    }
}

#[test]
fn long_calls_are_decided() {
    let folder = Folder::new("long-calls");
    folder.file("p.yaml", POLICY);
    let command = format!("git status {}", "x".repeat(2_000_000));
    let call = format!("{{\"tool\":\"bash\",\"args\":{{\"command\":\"{command}\"}}}}\n");
    let run = folder.run_with(&["decide", "-p", "p.yaml", "--exit-code"], call.as_bytes());
    assert_eq!(run.code, 0);
    let deep = format!("{{\"tool\":\"x\",\"args\":{{\"a\":{}}}}}\n", "[".repeat(100_000));
    let run = folder.run_with(&["decide", "-p", "allow_all"], deep.as_bytes());
    assert!(
        run.code != 0 || run.out.contains("\"effect\":\"deny\""),
        "{}",
        run.out
    );
    let args = format!("{{\"path\":{}1{}}}", "[".repeat(50_000), "]".repeat(50_000));
    let run = folder.run(&[
        "decide",
        "-p",
        "allow_all",
        "--exit-code",
        "reader",
        "--args",
        &args,
    ]);
    assert_eq!(run.code, 4);
}

#[test]
fn paths_that_are_no_files() {
    let folder = Folder::new("no-files");
    folder.file("sub/p.yaml", POLICY);
    for (args, words) in [
        (&["check", "missing.yaml"][..], "there is no such file"),
        (&["compile", "sub", "-o", "out"], "it is a folder"),
        (&["decide", "-p", "sub", "bash", "ls"], "it is a folder"),
        (
            &["decide", "-p", "sub/missing.yaml", "bash", "ls"],
            "there is no such file",
        ),
        (&["check", "sub/p.yaml/x"], "cannot read"),
        (&["check", ""], "a value is required"),
        (
            &["check", "--catalogue", "missing.yaml", "sub"],
            "there is no such file",
        ),
    ] {
        let run = folder.run(args);
        assert!(run.code == 2 && run.err.contains(words), "{}", run.transcript());
    }
    assert_eq!(folder.run(&["check", "sub"]).code, 0, "a folder is walked");
}
