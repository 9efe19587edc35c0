//! What of planted memories is found by questions, through the hub in this process, beside the full text of SQLite and,
//! where `TEST_DATABASE_URL` names one, of PostgreSQL.

mod planted;

use crate::append::open;
use hub::clock::Clock;
use planted::{DEPTHS, Planted, Question, Score, plant};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::{env, thread};
use tempfile::TempDir;

const ROUNDS: usize = 72;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const OURS: &str = "ours";

pub async fn measure() {
    let planted = plant(ROUNDS);
    let mut found = found_by_databases(&planted);
    found.insert(OURS.to_owned(), found_by_the_hub(&planted).await);
    println!("\n### recall of {} memories by {} questions\n", planted.facts.len(), planted.questions.len());
    let [one, some, many] = DEPTHS;
    println!("| what | questions | recall@{one} | @{some} | @{many} | misled |\n|---|---|---|---|---|---|");
    for (name, found) in &found {
        let mut all = Score::default();
        let mut of_kinds: BTreeMap<(&str, &str), Score> = BTreeMap::new();
        for (question, found) in planted.questions.iter().zip(found) {
            all.add(question, found);
            of_kinds.entry((question.language, question.kind)).or_default().add(question, found);
        }
        print(name, "all", &all);
        for ((language, kind), score) in &of_kinds {
            print(name, &format!("{language}, {kind}"), score);
        }
    }
}

fn print(name: &str, questions: &str, score: &Score) {
    let [one, some, many] = score.recall();
    println!("| {name} | {questions} | {one:.3} | {some:.3} | {many:.3} | {:.3} |", score.misled());
}

async fn found_by_the_hub(planted: &Planted) -> Vec<Vec<String>> {
    let folder = TempDir::new().unwrap();
    let clock = Clock::default();
    let (hub, ada) = open(folder.path(), clock.clone()).await;
    let memories = planted.facts.iter().map(|fact| {
        json!({ "text": fact.text, "importance": 3, "written_at": clock.now() - fact.days_ago * DAY_MS })
    });
    let file = json!({ "format": "vivarium.memories.1", "memories": memories.collect::<Vec<_>>() });
    let scoped = hub.for_viewer(&ada);
    let report = scoped.memories().import(&file.to_string()).await.unwrap();
    assert_eq!(usize::try_from(report.added).unwrap(), planted.facts.len());
    let mut found = Vec::new();
    for question in &planted.questions {
        let list = scoped.memories().list(&question.text, 0).await.unwrap();
        found.push(list.kept.into_iter().map(|memory| memory.text).collect());
    }
    hub.close().await;
    found
}

/// By `memory_recall/plain.py`.
fn found_by_databases(planted: &Planted) -> BTreeMap<String, Vec<Vec<String>>> {
    let texts: Vec<&str> = planted.facts.iter().map(|fact| fact.text.as_str()).collect();
    let question = |of: &Question| json!({ "text": of.text, "language": of.language });
    let questions: Vec<Value> = planted.questions.iter().map(question).collect();
    let asked = json!({ "texts": texts, "questions": questions }).to_string();
    let mut child = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/figures/memory_recall/plain.py"))
        .args(env::var("TEST_DATABASE_URL"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 asks the databases");
    let mut input = child.stdin.take().expect("it was piped");
    let writing = thread::spawn(move || input.write_all(asked.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writing.join().expect("nothing panics there").unwrap();
    assert!(output.status.success(), "plain.py says why");
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}
