//! P7: what a hub of one person with ten agents holds in memory when nothing happens, as it started and
//! after its pages were opened.

use crate::caller::Caller;
use crate::figure::{Figure, title};
use crate::process::{self, Process};
use crate::program::{self, token};
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::sleep;

const IDLE: Duration = Duration::from_secs(5);
const LINES: [&str; 4] = ["Rss", "Pss", "Pss_Anon", "Pss_File"];

pub async fn measure() {
    let folder = TempDir::new().unwrap();
    let token = token(folder.path(), "ada");
    let (started, opened, bare) = (figures("hub, started"), figures("hub, pages opened"), figures("bare"));
    let (mut started, mut opened, mut bare) = (started, opened, bare);
    let mut agents = Vec::new();
    for _ in 0..3 {
        let hub = Process::greeted(&mut program::command(folder.path()));
        let url = hub.greeting.strip_prefix("Vivarium is at ").expect("it says where it is");
        let caller = Caller::new(&url.replace("localhost", "127.0.0.1"), &token);
        while agents.len() < 10 {
            agents.push(caller.agent(&format!("Agent {}", agents.len()), "http://127.0.0.1:9").await);
        }
        sleep(IDLE).await;
        push(&mut started, &hub);
        caller.get("/", "identity").await;
        for agent in &agents {
            caller.get(&format!("/agents/{agent}"), "identity").await;
        }
        sleep(IDLE).await;
        push(&mut opened, &hub);

        let limit = TempDir::new().unwrap();
        let limit = Process::greeted(process::bare("page").arg(limit.path()).arg("127.0.0.1:0"));
        sleep(IDLE).await;
        push(&mut bare, &limit);
    }
    title("P7 idle memory, SQLite, one person, ten agents");
    for figure in started.iter().chain(&opened).chain(&bare) {
        figure.print();
    }
}

fn figures(name: &str) -> Vec<Figure> {
    LINES.iter().map(|line| Figure::new(format!("{name}: {line}"), "MiB")).collect()
}

fn push(figures: &mut [Figure], process: &Process) {
    for (figure, line) in figures.iter_mut().zip(LINES) {
        figure.raw.push(process.memory(line));
    }
}
