//! Habits that take more than another name for an argument.

use super::Input;
use super::patch::{Patch, patch_of};
use super::table::EDIT;
use crate::tools::agents::EVERYBODY;
use crate::tools::terminal::LONGEST_JOB_WAIT;
use protocol::tool_names::{ByWord, EDITOR, FILESYSTEM, by_word};
use serde_json::{Value, json};

/// Seconds that a command in the background has at most.
const LONGEST: u64 = 14_400;
/// Seconds that an answer is waited for which a call by another name gives by itself.
const ANSWER_WAIT: u64 = 300;
/// Of a task, what it is called by.
const LABEL_WORDS: usize = 4;
const LABEL: usize = 40;

/// What of a file is read: pages by their numbers, and lines.
pub(super) fn parts(input: &mut Input) -> Option<&'static str> {
    let pages = match input.get("pages") {
        Some(Value::Number(page)) => Some(page.to_string()),
        Some(Value::Array(pages)) => pages_of(pages),
        _ => None,
    };
    if let Some(pages) = pages {
        input.insert("pages".to_owned(), pages.into());
    }
    range_of_lines(input)
}

/// `[3, 4, 5]` as `3-5`. None: they do not follow one another.
fn pages_of(pages: &[Value]) -> Option<String> {
    let numbers: Vec<u64> = pages.iter().map(Value::as_u64).collect::<Option<_>>()?;
    let follow = numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    let (first, last) = (numbers.first()?, numbers.last()?);
    follow.then(|| format!("{first}-{last}"))
}

/// Bars, as who draws them elsewhere calls those that stand.
pub(super) fn chart(input: &mut Input) -> Option<&'static str> {
    if let Some(kind) = input.get_mut("kind")
        && *kind == "column"
    {
        *kind = "bar".into();
    }
    None
}

/// `view_range: [3, 9]`, or a last line, as a first line and how many.
fn range_of_lines(input: &mut Input) -> Option<&'static str> {
    if let Some([from, to]) = input.get("view_range").and_then(Value::as_array).map(Vec::as_slice)
        && let (Some(from), Some(to)) = (from.as_i64(), to.as_i64())
    {
        input.remove("view_range");
        between(input, from, to);
    }
    for last in ["end_line", "end_line_inclusive"] {
        if let Some(to) = input.get(last).and_then(Value::as_i64) {
            input.remove(last);
            let from = input.get("offset").and_then(Value::as_i64).unwrap_or(1);
            between(input, from, to);
        }
    }
    if input.get("offset").and_then(Value::as_i64) == Some(0) {
        input.remove("offset");
    }
    None
}

/// To the end, if the last line is -1.
fn between(input: &mut Input, from: i64, to: i64) {
    let from = from.max(1);
    input.insert("offset".to_owned(), from.into());
    if to >= from {
        input.insert("limit".to_owned(), (to - from + 1).into());
    }
}

/// What each of several changes is called, and a number of changes that goes without saying.
pub(super) fn edit(input: &mut Input) -> Option<&'static str> {
    for change in input.get_mut("edits").and_then(Value::as_array_mut).into_iter().flatten() {
        let Value::Object(change) = change else { continue };
        for (there, here) in EDIT.iter().copied() {
            if !change.contains_key(here)
                && let Some(value) = change.remove(there)
            {
                change.insert(here.to_owned(), value);
            }
        }
    }
    for said in ["expected_replacements", "instruction", "explanation"] {
        let is_one = input.get(said).is_some_and(|value| value.is_string() || *value == json!(1));
        if is_one {
            input.remove(said);
        }
    }
    None
}

/// Several paths of which there is one, as that. What is a pattern is found first.
pub(super) fn one_of_many(input: &mut Input) -> Option<&'static str> {
    for name in ["paths", "include"] {
        let one = match input.get(name).and_then(Value::as_array).map(Vec::as_slice) {
            Some([Value::String(path)]) if !path.contains(['*', '?', '[', '{']) => path.clone(),
            _ => continue,
        };
        input.remove(name);
        input.entry("path").or_insert(one.into());
        for said in ["recursive", "useDefaultExcludes", "respect_git_ignore", "file_filtering_options"] {
            input.remove(said);
        }
    }
    None
}

/// Blocks of what is there and what is to be there, as several changes.
pub(super) fn search_and_replace(input: &mut Input) -> Option<&'static str> {
    let edits = input.get("diff").and_then(Value::as_str).and_then(blocks_of)?;
    input.remove("diff");
    input.insert("edits".to_owned(), edits.into());
    None
}

/// None: it is not made of whole blocks alone.
fn blocks_of(diff: &str) -> Option<Vec<Value>> {
    let (mut edits, mut lines) = (Vec::new(), diff.lines());
    while let Some(line) = lines.next() {
        match line.trim_end() {
            "" => continue,
            "------- SEARCH" | "<<<<<<< SEARCH" => {}
            _ => return None,
        }
        let mut until = |ends: &[&str]| {
            let mut part = Vec::new();
            loop {
                match lines.next()? {
                    line if ends.contains(&line.trim_end()) => return Some(part),
                    line => part.push(line),
                }
            }
        };
        let old = until(&["======="])?;
        let new = until(&["+++++++ REPLACE", ">>>>>>> REPLACE"])?;
        // Lines that go leave none behind.
        let end = if new.is_empty() { "\n" } else { "" };
        edits.push(json!({ "old_string": format!("{}{end}", old.join("\n")), "new_string": new.join("\n") }));
    }
    Some(edits).filter(|edits| !edits.is_empty())
}

/// One tool for files, where `action` can be what is a tool of its own here.
pub(super) fn filesystem(input: &mut Input) -> Option<&'static str> {
    meant_by(input, "action", FILESYSTEM)
}

/// One tool for four: `command` says which.
pub(super) fn by_command(input: &mut Input) -> Option<&'static str> {
    meant_by(input, "command", EDITOR)
}

fn meant_by(input: &mut Input, argument: &str, table: &[ByWord]) -> Option<&'static str> {
    let (tool, action) = by_word(table, input.get(argument).and_then(Value::as_str)?)?;
    input.remove(argument);
    if let Some(action) = action {
        input.insert("action".to_owned(), action.into());
    }
    Some(tool)
}

/// A patch of one file by what it does to that, and one of several as a whole.
pub(super) fn apply_patch(input: &mut Input) -> Option<&'static str> {
    let Patch { path, tool, part } = patch_of(input)?;
    input.clear();
    input.insert("path".to_owned(), path.into());
    let (name, value) = part;
    input.insert(name.to_owned(), value.into());
    Some(tool)
}

/// Lines are always numbered, and what is found has the case that it has.
pub(super) fn grep(input: &mut Input) -> Option<&'static str> {
    for said in ["-n", "line_numbers", "explanation"] {
        input.remove(said);
    }
    if let Some(Value::Bool(cared_for)) = input.get("case_sensitive").cloned() {
        input.remove("case_sensitive");
        input.entry("ignore_case").or_insert(Value::Bool(!cared_for));
    }
    None
}

/// A command as one line, and its time in seconds.
pub(super) fn command(input: &mut Input) -> Option<&'static str> {
    if let Some(Value::Array(words)) = input.get("command") {
        let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
        if let Some(line) = words.map(|words| line_of(&words)) {
            input.insert("command".to_owned(), line.into());
        }
    }
    for name in ["timeout_ms", "timeout"] {
        if let Some(time) = input.get(name).and_then(Value::as_u64) {
            input.remove(name);
            // Nobody gives a command less than a second, or one in the background less than some: what is that short is
            // meant in seconds.
            let is_long = input.get("background") == Some(&Value::Bool(true));
            let is_in_seconds = name == "timeout" && if is_long { time <= LONGEST } else { time < 1000 };
            let seconds = if is_in_seconds { time } else { time.div_ceil(1000) };
            input.entry("timeout_s").or_insert(seconds.max(1).into());
        }
    }
    // A room is new for each command anyway.
    for said in
        ["description", "explanation", "justification", "restart", "yield_time_ms", "max_output_tokens"]
    {
        input.remove(said);
    }
    None
}

/// The script of a shell, or else the words in quotes where they need them.
fn line_of(words: &[&str]) -> String {
    if let [shell, "-c" | "-lc", script] = words
        && ["bash", "sh", "zsh", "/bin/bash", "/bin/sh"].contains(shell)
    {
        return (*script).to_owned();
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,@%+".contains(c);
    let quoted = words.iter().map(|word| match !word.is_empty() && word.chars().all(plain) {
        true => (*word).to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// A job by a number that is written as a text, and a wait in seconds.
pub(super) fn interaction(input: &mut Input) -> Option<&'static str> {
    let job = input.get("job").and_then(Value::as_str).and_then(|job| job.trim().parse::<u32>().ok());
    if let Some(job) = job {
        input.insert("job".to_owned(), job.into());
    }
    let waits = input.get("block") != Some(&Value::Bool(false));
    for name in ["yield_time_ms", "timeout"] {
        if let Some(millis) = input.get(name).and_then(Value::as_u64) {
            input.remove(name);
            let seconds = i64::try_from(millis.div_ceil(1000)).unwrap_or(i64::MAX).min(LONGEST_JOB_WAIT);
            if waits {
                input.entry("wait_s").or_insert(seconds.into());
            }
        }
    }
    for said in ["block", "max_output_tokens"] {
        input.remove(said);
    }
    None
}

/// What is asked of a page its reader finds in it.
pub(super) fn page(input: &mut Input) -> Option<&'static str> {
    input.remove("prompt");
    if let Some(Value::Bool(raw)) = input.get("raw").cloned() {
        input.remove("raw");
        if raw {
            input.entry("format").or_insert("source".into());
        }
    }
    None
}

/// One agent, whose answer is waited for.
pub(super) fn invoked(input: &mut Input) -> Option<&'static str> {
    list_agent(input);
    wait_for_answer(input);
    None
}

/// Everybody, where nobody is named, with the answers together.
pub(super) fn broadcast(input: &mut Input) -> Option<&'static str> {
    list_agent(input);
    input.entry("agents").or_insert(json!([EVERYBODY]));
    wait_for_answer(input);
    None
}

/// Who is named is asked; where nobody is, a sub-agent is made for it. Whose model that has is its maker's to say.
pub(super) fn one_off(input: &mut Input) -> Option<&'static str> {
    list_agent(input);
    wait_for_answer(input);
    if !input.contains_key("agents") {
        input.remove("provider");
        return labelled(input);
    }
    if let Some(task) = input.remove("task") {
        input.entry("text").or_insert(task);
    }
    Some("agent_ask")
}

/// A task without a label has its first words for one.
pub(super) fn labelled(input: &mut Input) -> Option<&'static str> {
    let task = input.get("task").and_then(Value::as_str).unwrap_or_default();
    let words = task.split_whitespace().take(LABEL_WORDS).collect::<Vec<_>>().join(" ");
    let label: String = words.chars().take(LABEL).collect();
    if !label.is_empty() {
        input.entry("label").or_insert(label.trim_end().into());
    }
    None
}

/// As a list of one.
fn list_agent(input: &mut Input) {
    for name in ["agent", "agent_id", "agentId", "agent_name", "to"] {
        if !input.contains_key("agents")
            && let Some(agent) = input.remove(name)
        {
            input.insert("agents".to_owned(), json!([agent]));
        }
    }
}

fn wait_for_answer(input: &mut Input) {
    input.entry("wait_seconds").or_insert(ANSWER_WAIT.into());
}

/// Tasks with what is to be done and how far it is.
pub(super) fn checklist(input: &mut Input) -> Option<&'static str> {
    for task in input.get_mut("tasks").and_then(Value::as_array_mut).into_iter().flatten() {
        let Value::Object(task) = task else { continue };
        for (there, here) in [("content", "text"), ("status", "state")] {
            if let Some(value) = task.remove(there) {
                task.insert(here.to_owned(), value);
            }
        }
        for said in ["activeForm", "id", "priority"] {
            task.remove(said);
        }
        if task.get("state").and_then(Value::as_str) == Some("completed") {
            task.insert("state".to_owned(), "done".into());
        }
    }
    None
}

/// What a server of a language is asked for, as far as names alone answer it.
pub(super) fn language_server(input: &mut Input) -> Option<&'static str> {
    let asked = input.get("action").and_then(Value::as_str)?;
    let asked = asked.rsplit('/').next().unwrap_or_default().replace('_', "").to_lowercase();
    let action = match asked.as_str() {
        "documentsymbol" | "documentsymbols" => "outline",
        "gotodefinition" | "definition" | "gotoimplementation" | "implementation" | "workspacesymbol"
        | "workspacesymbols" | "symbol" => "definitions",
        "findreferences" | "references" => "references",
        _ => return None,
    };
    input.insert("action".to_owned(), action.into());
    None
}
