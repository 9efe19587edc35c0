//! A pipeline as it was written: read, and looked through for every mistake at once.

use crate::error::{Error, Result};
use protocol::Micros;
use protocol::view::{PipelineDraft, TaskBy, TaskDraft};
use std::collections::{BTreeMap, BTreeSet};

const BYTES: usize = 256 * 1024;
const TASKS: usize = 50;
const TITLE: usize = 80;
const ID: usize = 40;
const INSTRUCTION: usize = 16 * 1024;
const AT_ONCE: i64 = 4;
const MINUTES: i64 = 60;
/// Of an answer: a week.
const ANSWER_MINUTES: i64 = 7 * 24 * 60;
const RETRIES: i64 = 3;
const USUAL_MINUTES: i64 = 15;
/// Of what is wrong, so much is said.
const TOLD: usize = 20;

/// An agent that tasks can be given to.
pub(super) struct Known {
    pub(super) id: String,
    pub(super) name: String,
}

/// One that can be carried out.
pub(super) struct Checked {
    pub(super) title: String,
    pub(super) lead: Option<String>,
    pub(super) at_once: i64,
    /// The most that all of it may cost.
    pub(super) budget: Option<Micros>,
    pub(super) tasks: Vec<CheckedTask>,
}

pub(super) struct CheckedTask {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) instruction: String,
    pub(super) depends_on: Vec<String>,
    pub(super) by: TaskBy,
    pub(super) who: String,
    /// 0: an answer takes as long as it takes.
    pub(super) minutes: i64,
    pub(super) retries: i64,
}

/// Reads YAML, or JSON, which is YAML too.
pub(super) fn parse(text: &str) -> Result<PipelineDraft> {
    if text.len() > BYTES {
        return Err(Error::Limit("A pipeline is at most 256 KB of text.".to_owned()));
    }
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text)
            .map_err(|error| Error::invalid(format!("It cannot be read: {error}.")));
    }
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_depth: 8, max_nodes: 20_000, max_anchors: 0, max_aliases: 0 },
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let error = error.to_string();
        Error::invalid(format!("It cannot be read: {}", error.lines().next().unwrap_or_default()))
    })
}

/// Looks through it, and says everything that is wrong with it.
pub(super) fn check(draft: PipelineDraft, known: &[Known]) -> Result<Checked> {
    let mut wrong = Vec::new();
    let title = draft.title.trim().to_owned();
    if title.is_empty() || title.chars().count() > TITLE {
        wrong.push(format!("The title has 1 to {TITLE} characters."));
    }
    let at_once = draft.at_once.unwrap_or(AT_ONCE);
    if !(1..=AT_ONCE).contains(&at_once) {
        wrong.push(format!("at_once is a number from 1 to {AT_ONCE}."));
    }
    let budget = budget(draft.budget.as_deref(), &mut wrong);
    if draft.tasks.is_empty() {
        wrong.push("It has no tasks.".to_owned());
    }
    if draft.tasks.len() > TASKS {
        return Err(Error::Limit(format!(
            "It has {} tasks, and a pipeline has at most {TASKS}.",
            draft.tasks.len()
        )));
    }
    let lead = draft.agent.as_deref().and_then(|name| found(name, known, &mut wrong));
    let ids: BTreeSet<String> = draft.tasks.iter().map(|task| task.id.clone()).collect();
    let mut seen = BTreeSet::new();
    let mut tasks = Vec::new();
    for task in draft.tasks {
        if !seen.insert(task.id.clone()) {
            wrong.push(format!("Two tasks have the id {}.", named(&task.id)));
        }
        tasks.push(checked(task, &ids, known, &mut wrong));
    }
    let circle = circle(&tasks);
    if !circle.is_empty() {
        wrong.push(format!("These wait for each other, so that none ever begins: {}.", circle.join(", ")));
    }
    if wrong.is_empty() {
        return Ok(Checked { title, lead, at_once, budget, tasks });
    }
    let more = wrong.len().saturating_sub(TOLD);
    wrong.truncate(TOLD);
    if more > 0 {
        wrong.push(format!("And {more} more mistakes."));
    }
    Err(Error::invalid(wrong.join("\n")))
}

/// Dollars; `None` for an empty text.
fn budget(text: Option<&str>, wrong: &mut Vec<String>) -> Option<Micros> {
    let text = text?.trim();
    let budget = Micros::of_dollars(text);
    if budget.is_none() && !text.is_empty() {
        wrong
            .push(format!("The budget {} is not an amount of money. Write dollars, like 0.25.", named(text)));
    }
    budget
}

fn checked(task: TaskDraft, ids: &BTreeSet<String>, known: &[Known], wrong: &mut Vec<String>) -> CheckedTask {
    let name = named(&task.id);
    let is_id = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    if task.id.is_empty() || task.id.len() > ID || !task.id.chars().all(is_id) {
        wrong.push(format!("The id {name} is not 1 to {ID} of the letters a to z, digits, - and _."));
    }
    let title = task.title.trim().to_owned();
    if title.is_empty() || title.chars().count() > TITLE {
        wrong.push(format!("Task {name}: the title has 1 to {TITLE} characters."));
    }
    let instruction = task.instruction.trim().to_owned();
    if instruction.len() > INSTRUCTION {
        wrong.push(format!("Task {name}: the instruction is longer than 16 KB."));
    }
    if instruction.is_empty() && !task.approval {
        wrong.push(format!("Task {name}: it says nothing of what is to be done."));
    }
    for before in task.depends_on.iter().filter(|before| !ids.contains(*before)) {
        wrong.push(format!("Task {name}: there is no task {}, after which it is to begin.", named(before)));
    }
    if task.approval && (task.agent.is_some() || task.role.is_some()) {
        wrong.push(format!("Task {name}: an approval is yours, and has neither an agent nor a role."));
    }
    if task.agent.is_some() && task.role.is_some() {
        wrong.push(format!("Task {name}: it has an agent or a role, not both."));
    }
    let (usual, most) = if task.approval { (0, ANSWER_MINUTES) } else { (USUAL_MINUTES, MINUTES) };
    if task.minutes.is_some_and(|minutes| !(1..=most).contains(&minutes)) {
        wrong.push(format!("Task {name}: minutes is a number from 1 to {most}."));
    }
    let (minutes, retries) = (task.minutes.unwrap_or(usual), task.retries.unwrap_or(0));
    if !(0..=RETRIES).contains(&retries) {
        wrong.push(format!("Task {name}: retries is a number from 0 to {RETRIES}."));
    }
    let role = task.role.unwrap_or_default();
    if role.len() > INSTRUCTION {
        wrong.push(format!("Task {name}: the role is longer than 16 KB."));
    }
    let (by, who) = match (task.approval, task.agent) {
        (true, _) => (TaskBy::Person, String::new()),
        (false, Some(agent)) => (TaskBy::Agent, found(&agent, known, wrong).unwrap_or_default()),
        (false, None) => (TaskBy::SubAgent, role.trim().to_owned()),
    };
    let mut depends_on = task.depends_on;
    depends_on.sort();
    depends_on.dedup();
    CheckedTask { id: task.id, title, instruction, depends_on, by, who, minutes, retries }
}

/// The id of the agent with this name or id.
fn found(name: &str, known: &[Known], wrong: &mut Vec<String>) -> Option<String> {
    let name = name.trim();
    let is_meant = |one: &&Known| one.id == name || one.name.to_lowercase() == name.to_lowercase();
    let meant: Vec<&Known> = known.iter().filter(is_meant).collect();
    match meant.as_slice() {
        [one] => Some(one.id.clone()),
        [] => {
            wrong.push(format!("There is no agent {}.", named(name)));
            None
        }
        _ => {
            wrong.push(format!("Several agents are called {}. Use an id.", named(name)));
            None
        }
    }
}

/// The tasks that are left when everything is taken away that can begin some time.
fn circle(tasks: &[CheckedTask]) -> Vec<String> {
    let ids: BTreeSet<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
    let mut left: BTreeMap<&str, &[String]> =
        tasks.iter().map(|task| (task.id.as_str(), task.depends_on.as_slice())).collect();
    loop {
        let waits = |before: &String| ids.contains(before.as_str()) && left.contains_key(before.as_str());
        let free: Vec<&str> =
            left.iter().filter(|(_, after)| !after.iter().any(waits)).map(|(id, _)| *id).collect();
        if free.is_empty() {
            return left.keys().map(|id| named(id)).collect();
        }
        left.retain(|id, _| !free.contains(id));
    }
}

/// In a message: cut, in quotes.
fn named(text: &str) -> String {
    let cut: String = text.chars().filter(|letter| !letter.is_control()).take(ID).collect();
    format!("\"{cut}\"")
}

#[cfg(test)]
mod tests;
