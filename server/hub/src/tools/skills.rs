//! `list_skills`, `get_skill` and `skill_write`.

use super::ToolError;
use crate::gateway::Caller;
use crate::skills::{OfferedSkill, ReadSkill, shipped};
use agent::context::RESULT_CHARS;
use agent::tools::{ResolvedCall, TERMINAL};
use protocol::view::SkillReport;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Characters of a part: with the rest of the answer it reaches a model whole.
const PART: usize = RESULT_CHARS * 3 / 4;

pub(super) async fn list(caller: &Caller<'_>) -> Result<String, ToolError> {
    let given: BTreeSet<&str> = caller.spec.given().map(|tool| tool.name.as_str()).collect();
    let shipped = shipped::all().iter().filter(|skill| skill.suits(&given));
    let mut skills: Vec<Value> =
        shipped.map(|skill| json!({ "name": skill.name, "about": skill.about })).collect();
    let offered = caller.hub.skills().offered(caller.root).await?;
    for skill in offered.into_iter().filter(|skill| skill.suits(&given)) {
        let by = by(skill.is_foreign);
        skills.push(json!({ "name": skill.name, "about": skill.about(), "by": by }));
    }
    Ok(json!({ "skills": skills }).to_string())
}

pub(super) async fn get(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let argument = |name: &str| call.input().get(name).and_then(Value::as_str);
    let name = argument("name").unwrap_or_default();
    if let Some(skill) = shipped::find(name) {
        return get_shipped(skill, argument("section"));
    }
    let file = argument("file");
    let read = caller.hub.skills().read(caller.root, caller.run(), name, file).await?;
    let read =
        read.ok_or_else(|| ToolError(format!("There is no skill {name}. list_skills has their names.")))?;
    let part = call.input().get("part").and_then(Value::as_u64).unwrap_or(1);
    let told = tell(&read, file, usize::try_from(part).unwrap_or(usize::MAX))?;
    let runs_commands = caller.spec.given().any(|tool| tool.name == TERMINAL);
    Ok(with_folder(told, &read.skill, runs_commands).to_string())
}

pub(super) async fn propose(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let text = |field: &str| call.input().get(field).and_then(Value::as_str).unwrap_or_default();
    // A text of JSON is one of YAML.
    let [name, description] = ["name", "description"].map(|field| Value::from(text(field)));
    let written = format!("---\nname: {name}\ndescription: {description}\n---\n\n{}\n", text("text"));
    let skills = caller.hub.skills();
    let id = skills.propose(caller.owner, caller.agent, caller.conversation, written).await?;
    let note = "It waits in your person's library. You have it once they accept it and choose it for you.";
    Ok(json!({ "ok": true, "id": id, "waits": true, "note": note }).to_string())
}

fn get_shipped(skill: &shipped::Skill, section: Option<&str>) -> Result<String, ToolError> {
    let name = skill.name;
    let headings = || skill.sections().map(|(heading, _)| heading).collect::<Vec<_>>();
    match section {
        None => Ok(json!({ "skill": name, "text": skill.beginning(), "sections": headings() }).to_string()),
        Some(heading) => match skill.section(heading) {
            Some(text) => Ok(json!({ "skill": name, "section": heading, "text": text }).to_string()),
            None => {
                let why = format!("{name} has no section {heading}. It has: {}.", headings().join(", "));
                Err(ToolError(why))
            }
        },
    }
}

fn tell(read: &ReadSkill, file: Option<&str>, part: usize) -> Result<Value, ToolError> {
    let ReadSkill { skill, text } = read;
    let parts = parts(text);
    let Some(words) = part.checked_sub(1).and_then(|at| parts.get(at)) else {
        return Err(ToolError(format!("It has {} parts.", parts.len())));
    };
    let mut told = json!({ "skill": skill.name, "by": by(skill.is_foreign), "text": words });
    if let Some(file) = file {
        told["file"] = file.into();
    }
    if parts.len() > 1 {
        told["part"] = part.into();
        told["parts"] = parts.len().into();
    }
    let files = skill.files();
    if file.is_none() && part == 1 && !files.is_empty() {
        told["files"] = files.into();
    }
    let SkillReport { allowed_tools, only_hosts, only_mounts, .. } = &skill.report;
    for (kind, only) in
        [("only_tools", allowed_tools), ("only_hosts", only_hosts), ("only_files", only_mounts)]
    {
        if let Some(only) = only {
            told[kind] = only.as_slice().into();
        }
    }
    Ok(told)
}

/// Says where its files are for commands, if the agent runs some and it has any.
fn with_folder(mut told: Value, skill: &OfferedSkill, runs_commands: bool) -> Value {
    if runs_commands && told.get("files").is_some() {
        told["folder"] = skill.place().into();
    }
    told
}

/// Whose words they are.
fn by(is_foreign: bool) -> &'static str {
    if is_foreign { "others" } else { "your person" }
}

/// The text in pieces that end with a line, where lines are not longer than a piece.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((most, _)) = rest.char_indices().nth(PART) {
        let end = rest[..most].rfind('\n').map_or(most, |at| at + 1);
        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole_text_and_end_with_lines() {
        let line = format!("{}\n", "ä".repeat(99));
        for text in [String::new(), line.clone(), line.repeat(200), "x".repeat(2 * PART + 1)] {
            let parts = parts(&text);
            assert_eq!(parts.concat(), text);
            assert!(parts.iter().all(|part| part.chars().count() <= PART));
            let ended = parts[..parts.len() - 1].iter().all(|part| part.ends_with('\n'));
            assert!(ended || !text.contains('\n'));
        }
    }
}
