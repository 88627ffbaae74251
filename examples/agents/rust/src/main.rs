//! Runs the story in a temporary folder and prints what happened: `cargo run`, or `cargo run -- --ask` to answer the
//! questions yourself.

use std::error::Error;

use agent::story;
use agent::terminal::Terminal;

fn main() -> Result<(), Box<dyn Error>> {
    let asks = std::env::args().any(|word| word == "--ask");
    let terminal = if asks {
        Terminal::Person
    } else {
        Terminal::scripted(&story::ANSWERS)
    };
    let folder = std::env::temp_dir().join(format!("callgate-agent-{}", std::process::id()));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let told = runtime.block_on(async {
        story::prepare(&folder).await?;
        Ok::<_, Box<dyn Error>>(story::run(&folder, terminal).await?)
    });
    std::fs::remove_dir_all(&folder)?;
    print!("{}", told?);
    Ok(())
}
