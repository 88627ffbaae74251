//! The story, word for word, and what it left in the folder.

use std::fs;

use agent::story;
use agent::terminal::Terminal;

const EXPECTED: &str = include_str!("transcript.txt");

#[test]
fn the_story_is_told_as_it_always_is() {
    let folder = std::env::temp_dir().join(format!("callgate-agent-test-{}", std::process::id()));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let transcript = runtime.block_on(async {
        story::prepare(&folder).await.unwrap();
        story::run(&folder, Terminal::scripted(&story::ANSWERS))
            .await
            .unwrap()
    });
    let mut left: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    let greeting = fs::read_to_string(folder.join("src").join("greeting.txt"));
    fs::remove_dir_all(&folder).unwrap();

    assert_eq!(
        left,
        ["README.md", "secrets.env", "src"],
        "nothing was written that was not approved"
    );
    assert_eq!(greeting.unwrap(), "hello", "nothing removed what was there");
    for run in transcript.lines().filter(|line| line.starts_with("  runs: ")) {
        assert!(!run.contains("rm ") && !run.contains("secrets"), "{run}");
    }
    assert_eq!(transcript, EXPECTED, "\n{transcript}");
}
