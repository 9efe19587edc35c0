//! Any order of changes of files, held against plain values: a change taken back gives the bytes back, and a terminal
//! has the same files as the tools. The orders are the same in every run.

use crate::approvals::add_rule;
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Error, FileListing, OwnFiles, Scoped};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use protocol::AgentId;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const PATHS: [&str; 4] = ["a", "b", "d/c", "d/e/f"];

/// So many of what the strategy makes, the same every time.
fn some<T: std::fmt::Debug>(strategy: &impl Strategy<Value = T>, count: usize) -> Vec<T> {
    let mut runner = TestRunner::deterministic();
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

fn path() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&PATHS[..])
}

#[derive(Clone, Debug)]
enum Op {
    Write(&'static str, String),
    Append(&'static str, String),
    Move(&'static str, &'static str),
    Copy(&'static str, &'static str),
    Delete(&'static str),
    Restore(&'static str, usize),
    Undo(&'static str),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => (path(), "[xy]{0,3}").prop_map(|(path, text)| Op::Write(path, text)),
        2 => (path(), "[xy]{1,3}").prop_map(|(path, text)| Op::Append(path, text)),
        1 => (path(), path()).prop_map(|(from, to)| Op::Move(from, to)),
        1 => (path(), path()).prop_map(|(from, to)| Op::Copy(from, to)),
        2 => path().prop_map(Op::Delete),
        2 => (path(), 1..6_usize).prop_map(|(path, version)| Op::Restore(path, version)),
        3 => path().prop_map(Op::Undo),
    ]
}

/// What each file was after each change, the first first. None: it was deleted.
#[derive(Default)]
struct Model(BTreeMap<&'static str, Vec<Option<String>>>);

impl Model {
    fn now(&self, path: &str) -> Option<&String> {
        self.0.get(path).and_then(|history| history.last()).and_then(Option::as_ref)
    }

    fn put(&mut self, path: &'static str, text: &str) {
        if self.now(path).is_none_or(|now| now != text) {
            self.0.entry(path).or_default().push(Some(text.to_owned()));
        }
    }

    fn delete(&mut self, path: &'static str) -> bool {
        let was_there = self.now(path).is_some();
        if was_there {
            self.0.entry(path).or_default().push(None);
        }
        was_there
    }

    /// Whether it can be done.
    fn apply(&mut self, op: &Op) -> bool {
        match op {
            Op::Write(path, text) => self.put(path, text),
            Op::Append(path, text) => {
                let whole = format!("{}{text}", self.now(path).cloned().unwrap_or_default());
                self.put(path, &whole);
            }
            Op::Move(from, to) | Op::Copy(from, to) => {
                let Some(text) = self.now(from).cloned() else { return false };
                if self.now(to).is_some() {
                    return false;
                }
                self.put(to, &text);
                return matches!(op, Op::Copy(..)) || self.delete(from);
            }
            Op::Delete(path) => return self.delete(path),
            Op::Restore(path, version) => {
                let version = self.0.get(path).and_then(|history| history.get(version - 1)).cloned();
                let Some(Some(text)) = version else { return false };
                self.put(path, &text);
            }
            Op::Undo(path) => {
                let Some(history) = self.0.get(path) else { return false };
                match history.len().checked_sub(2).map(|before| history[before].clone()) {
                    Some(Some(text)) => self.put(path, &text),
                    Some(None) | None => return self.delete(path),
                }
            }
        }
        true
    }
}

async fn perform(files: OwnFiles<'_>, agent: &AgentId, op: &Op, model: &Model) -> Result<(), Error> {
    match op {
        Op::Write(path, text) => files.write(agent, path, text.as_bytes()).await,
        Op::Append(path, text) => {
            let mut whole = match files.read(agent, path).await {
                Err(Error::NotFound(_)) => Vec::new(),
                whole => whole?,
            };
            whole.extend(text.as_bytes());
            files.write(agent, path, &whole).await
        }
        Op::Move(from, to) => files.rename(agent, from, to).await,
        Op::Copy(from, to) => {
            let bytes = files.read(agent, from).await?;
            match files.read(agent, to).await {
                Ok(_) => Err(Error::Conflict("it is there".to_owned())),
                Err(_) => files.write(agent, to, &bytes).await,
            }
        }
        Op::Delete(path) => files.delete(agent, path).await,
        Op::Restore(path, version) => files.restore(agent, path, *version as u64).await,
        Op::Undo(path) => {
            let version = model.0.get(path).map_or(0, Vec::len) as u64;
            files.undo(agent, path, version).await
        }
    }
}

#[tokio::test]
async fn whatever_is_done_to_files_every_version_is_what_it_was_and_undo_gives_the_bytes_back() {
    let orders = some(&prop::collection::vec(op(), 20..30), 6);
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        for (number, order) in orders.iter().enumerate() {
            let agent = Definition::named(&format!("Fern {number}")).create(&scoped).await.id;
            let (files, mut model) = (scoped.files(), Model::default());
            for (at, op) in order.iter().enumerate() {
                let done = perform(files, &agent, op, &model).await;
                let can_be = model.apply(op);
                assert_eq!(done.is_ok(), can_be, "{op:?}: {done:?}, change {at} of {order:?}");
                for path in PATHS {
                    let now = files.read(&agent, path).await.ok();
                    let expected = model.now(path).map(|text| text.as_bytes().to_owned());
                    assert_eq!(now, expected, "{path} after {op:?}, change {at} of {order:?}");
                }
            }
            for (path, history) in &model.0 {
                let versions = files.versions(&agent, path).await.unwrap();
                let sizes: Vec<_> = versions.iter().rev().map(|version| version.size).collect();
                let expected: Vec<_> =
                    history.iter().map(|text| text.as_ref().map(|text| text.len() as u64)).collect();
                assert_eq!(sizes, expected, "{path} of {order:?}");
            }
        }
    })
    .await;
}

#[derive(Clone, Debug)]
enum Step {
    /// By a tool.
    Write(&'static str, String),
    Move(&'static str, &'static str),
    Delete(&'static str),
    /// By a command.
    Echo(&'static str, String),
    Mv(&'static str, &'static str),
    Rm(&'static str),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (path(), "[xy]{1,3}").prop_map(|(path, text)| Step::Write(path, text)),
        1 => (path(), path()).prop_map(|(from, to)| Step::Move(from, to)),
        1 => path().prop_map(Step::Delete),
        3 => (path(), "[xy]{1,3}").prop_map(|(path, text)| Step::Echo(path, text)),
        1 => (path(), path()).prop_map(|(from, to)| Step::Mv(from, to)),
        1 => path().prop_map(Step::Rm),
    ]
}

fn call(step: &Step) -> Vec<(&'static str, Value)> {
    let command = |command: String| vec![("terminal", json!({ "command": command }))];
    match step {
        // What is there has to be read before.
        Step::Write(path, text) => vec![
            ("read", json!({ "path": path })),
            ("write", json!({ "path": path, "content": format!("{text}\n") })),
        ],
        Step::Move(from, to) => vec![("files", json!({ "action": "move", "path": from, "to": to }))],
        Step::Delete(path) => vec![("files", json!({ "action": "delete", "path": path }))],
        Step::Echo(path, text) => command(format!("mkdir -p d/e; echo {text} >> {path}")),
        Step::Mv(from, to) => {
            command(format!("mkdir -p d/e; if test -f {from} -a ! -e {to}; then mv {from} {to}; fi"))
        }
        Step::Rm(path) => command(format!("rm -f {path}")),
    }
}

fn take(files: &mut BTreeMap<String, String>, step: &Step) {
    match step {
        Step::Write(path, text) => {
            files.insert((*path).to_owned(), format!("{text}\n"));
        }
        Step::Echo(path, text) => *files.entry((*path).to_owned()).or_default() += &format!("{text}\n"),
        Step::Move(from, to) | Step::Mv(from, to) => {
            if !files.contains_key(*to)
                && let Some(text) = files.remove(*from)
            {
                files.insert((*to).to_owned(), text);
            }
        }
        Step::Delete(path) | Step::Rm(path) => {
            files.remove(*path);
        }
    }
}

async fn stored(scoped: &Scoped<'_>, agent: &AgentId) -> BTreeMap<String, String> {
    let mut stored = BTreeMap::new();
    for file in scoped.files().list(agent, &FileListing::default()).await.unwrap() {
        let bytes = scoped.files().read(agent, &file.path).await.unwrap();
        stored.insert(file.path, String::from_utf8(bytes).unwrap());
    }
    stored
}

#[tokio::test]
async fn whatever_commands_and_tools_do_both_have_the_same_files() {
    let orders = some(&prop::collection::vec(step(), 6..9), 3);
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent)
            .tools(["terminal", "read", "write", "files"])
            .replace(&scoped, &agent.id)
            .await;
        add_rule(&world.hub, &viewer, "allow", "terminal", "").await;
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        let mut model = BTreeMap::new();
        for order in &orders {
            let mut orders: Vec<_> = order.iter().flat_map(call).collect();
            orders.push((
                "terminal",
                json!({ "command": "for f in $(find . -type f); do sed \"s|^|${f#./} |\" $f; done | sort" }),
            ));
            let results = calls(&scoped, &agent.id, &talk, &orders).await;
            order.iter().for_each(|step| take(&mut model, step));
            assert_eq!(stored(&scoped, &agent.id).await, model, "{order:?}: {results:?}");
            let told: Value = serde_json::from_str(&results.last().unwrap().1).unwrap();
            let mut lines: Vec<String> = model
                .iter()
                .flat_map(|(path, text)| text.lines().map(move |line| format!("{path} {line}\n")))
                .collect();
            lines.sort();
            let mut heard: Vec<String> =
                told["output"].as_str().unwrap().lines().map(|line| format!("{line}\n")).collect();
            heard.sort();
            assert_eq!(heard, lines, "{order:?}");
        }
    })
    .await;
}
