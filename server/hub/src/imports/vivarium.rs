//! A conversation as this product exports it, from here or from another hub: what was said in it, with all of its
//! branches.

use super::conversation::{Branch, Conversation, LeftOut, MESSAGES, Speaker, Todo, Turn, time};
use crate::nodes;
use protocol::todo::TodoList;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashMap;

const FORMAT: &str = "vivarium.conversation";
/// Branches that are read.
const BRANCHES: usize = 200;
/// Values and names in what one entry says. All of them are in memory before it is known what they are.
const VALUES: usize = 200_000;

#[derive(Deserialize)]
struct Head {
    format: String,
}

#[derive(Deserialize)]
struct File<'a> {
    conversation: About,
    #[serde(borrow)]
    entries: Vec<Entry<'a>>,
    /// All branches of it, those that others left first. Absent: there are no others.
    #[serde(borrow, default)]
    tree: Vec<Member<'a>>,
}

#[derive(Deserialize)]
struct About {
    id: String,
    #[serde(default)]
    title: String,
    created_at: i64,
}

/// A branch with what is its own.
#[derive(Deserialize)]
struct Member<'a> {
    id: String,
    /// What it has of another one, and what it has something else instead of.
    #[serde(default)]
    of: Option<Origin>,
    #[serde(borrow)]
    entries: Vec<Entry<'a>>,
}

#[derive(Deserialize)]
struct Origin {
    from: String,
    /// The first entry of that one that it does not have, and the first message.
    end: u64,
    messages_end: u64,
    at: u64,
}

#[derive(Deserialize)]
struct Entry<'a> {
    seq: u64,
    at: i64,
    #[serde(default)]
    run: Option<String>,
    #[serde(borrow)]
    body: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Body {
    Message {
        from: Sender,
        #[serde(default)]
        text: String,
        #[serde(default)]
        attachments: Vec<Attachment>,
    },
    Block {
        block: Block,
    },
    Todo {
        list: TodoList,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Sender {
    Person,
    Program {
        #[serde(default)]
        relays: bool,
    },
    // What the hub noted for the agent, and nobody said.
    Devices,
    Todo,
    Rating,
    Context {},
    PageErrors,
    PageEmit {},
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    Reasoning {},
    ToolUse {},
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Attachment {
    #[serde(default)]
    mime: String,
}

pub(super) fn fits(json: &[u8]) -> bool {
    serde_json::from_slice::<Head>(json).is_ok_and(|head| head.format == FORMAT)
}

/// `None`: it is broken.
pub(super) fn read(json: &[u8]) -> Option<Conversation> {
    serde_json::from_slice(json).ok().map(conversation)
}

fn conversation(file: File<'_>) -> Conversation {
    let File { conversation: About { id, title, created_at }, entries, tree } = file;
    let (id, title) = (Value::from(id), Value::from(title));
    let mut read = Conversation::new(Some(&id), Some(&title), when(created_at));
    let (line, todos) = turns(entries, &mut read.left_out);
    let tree = tree_of(tree);
    match branches(&tree, &read.id) {
        Some((root, branches, shown)) if root.turns.len() + said(&branches) <= MESSAGES => {
            (read.turns, read.todos) = (root.turns.clone(), root.todos.clone());
            (read.branches, read.shown) = (branches, shown);
        }
        Some((root, branches, _)) => {
            let others = (root.turns.len() + said(&branches)).saturating_sub(line.len());
            read.left_out.branches += u32::try_from(others).unwrap_or(u32::MAX);
            (read.turns, read.todos) = (line, todos);
        }
        None => (read.turns, read.todos) = (line, todos),
    }
    // A branch is begun after what it took over was said.
    read.at = read.turns.iter().filter_map(|turn| turn.at).chain(read.at).min();
    read.finish()
}

/// A branch that was read: its turns, what there was to do, and where it leaves which one.
struct Read {
    id: String,
    of: Option<Origin>,
    turns: Vec<Turn>,
    todos: Vec<Todo>,
}

fn tree_of(tree: Vec<Member<'_>>) -> Vec<Read> {
    let read = |member: Member<'_>| {
        let (turns, todos) = turns(member.entries, &mut LeftOut::default());
        Read { id: member.id, of: member.of, turns, todos }
    };
    tree.into_iter().take(BRANCHES).map(read).collect()
}

/// The one that left none, the others, and the place of the one with this id. `None`: there is no tree of
/// which it is a part.
fn branches<'a>(tree: &'a [Read], id: &str) -> Option<(&'a Read, Vec<Branch>, usize)> {
    let (first, others) = tree.split_first()?;
    if first.of.is_some() || first.turns.is_empty() {
        return None;
    }
    let mut places = HashMap::from([(first.id.as_str(), 0)]);
    let mut branches = Vec::new();
    for other in others {
        // One that leaves what is not there, or what comes after it, is nobody's.
        let Some((of, origin)) =
            other.of.as_ref().and_then(|origin| Some((*places.get(origin.from.as_str())?, origin)))
        else {
            continue;
        };
        let Origin { end, messages_end, at, .. } = *origin;
        let (turns, todos) = (other.turns.clone(), other.todos.clone());
        branches.push(Branch { of, end, messages_end, at, turns, todos });
        places.insert(&other.id, branches.len());
    }
    let shown = *places.get(id)?;
    Some((first, branches, shown))
}

fn said(branches: &[Branch]) -> usize {
    branches.iter().map(|branch| branch.turns.len()).sum()
}

/// What was said, and the lists of what there was to do, of which the next word has seen the last.
fn turns(entries: Vec<Entry<'_>>, left_out: &mut LeftOut) -> (Vec<Turn>, Vec<Todo>) {
    let mut said = Conversation::default();
    // How much was said before the last list.
    let mut before_list = None;
    for Entry { seq, at, run, body } in entries {
        let before = said.turns.len();
        let Some(body) = body_of(body) else {
            said.left_out.unreadable += 1;
            continue;
        };
        match body {
            Body::Message { from, text, attachments } => {
                for attachment in attachments {
                    match attachment.mime.starts_with("image/") {
                        true => said.left_out.pictures += 1,
                        false => said.left_out.files += 1,
                    }
                }
                match from {
                    Sender::Person | Sender::Program { relays: false } => {
                        said.say(Speaker::Person, when(at), &text);
                    }
                    Sender::Program { relays: true } | Sender::Other => said.left_out.others += 1,
                    Sender::Devices
                    | Sender::Todo
                    | Sender::Rating
                    | Sender::Context {}
                    | Sender::PageErrors
                    | Sender::PageEmit {} => {}
                }
            }
            Body::Block { block: Block::Text { text } } => said.say(Speaker::Agent, when(at), &text),
            Body::Block { block: Block::Reasoning {} } => said.left_out.thoughts += 1,
            Body::Block { block: Block::ToolUse {} } => said.left_out.tools += 1,
            Body::Todo { list } => {
                if before_list.replace(before) == Some(before) {
                    said.todos.pop();
                }
                said.todos.push(Todo { seq, at: when(at), list });
            }
            Body::Block { block: Block::Other } | Body::Other => {}
        }
        for turn in &mut said.turns[before..] {
            turn.seq = seq;
            turn.run.clone_from(&run);
        }
    }
    *left_out = said.left_out;
    (said.turns, said.todos)
}

/// `None`: it is none, or has more values than are read.
fn body_of(json: &RawValue) -> Option<Body> {
    let json = json.get();
    if nodes::count(json.as_bytes()) > VALUES {
        return None;
    }
    serde_json::from_str(json).ok()
}

/// Unix milliseconds, if they can be some.
fn when(at: i64) -> Option<i64> {
    time(Some(&Value::from(at)))
}
