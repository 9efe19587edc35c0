//! `agents.yaml`: what it says, with the lines on which it does. YAML, or JSON, which is YAML too.

use crate::agent_roles::MOST_OF_ROLE;
use crate::agents;
use crate::error::{Error, Result};
use protocol::agent::Home;
use protocol::view::LoopSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_saphyr::Spanned;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const BYTES: usize = 256 * 1024;
/// Roles in a file, and agents that are made of one.
const ROLES: usize = 50;
const AGENTS: usize = 100;
const DESCRIPTION: usize = 500;
/// Of what is wrong, so much is said.
const TOLD: usize = 20;
/// Characters of what is quoted.
const QUOTED: usize = 60;

pub(super) struct TeamFile {
    pub(super) team: Option<String>,
    pub(super) entries: Vec<Entry>,
}

/// A role with the agents of it.
pub(super) struct Entry {
    pub(super) line: u32,
    pub(super) role: String,
    pub(super) description: String,
    pub(super) instructions: String,
    /// Names of tools and of sets of them. Absent: the usual ones.
    pub(super) tools: Option<Vec<String>>,
    pub(super) tools_line: u32,
    pub(super) model: String,
    pub(super) model_line: u32,
    pub(super) home: Option<Home>,
    pub(super) colour: String,
    pub(super) max_output_tokens: u32,
    pub(super) settings: LoopSettings,
    pub(super) least: u32,
    pub(super) most: Option<u32>,
    pub(super) names: Vec<String>,
    /// What of it cannot be read, a sentence each.
    pub(super) notices: Vec<String>,
}

type Fields = BTreeMap<String, Spanned<Value>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    team: Option<String>,
    #[serde(alias = "roles")]
    agents: Vec<Spanned<Fields>>,
}

/// How an entry is written. The order is the one in which people read it.
#[derive(Serialize)]
pub(super) struct WrittenEntry {
    pub(super) role: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) instructions: String,
    pub(super) tools: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) model: String,
    pub(super) home: Home,
    pub(super) colour: String,
    pub(super) max_output_tokens: u32,
    pub(super) least: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) most: Option<u32>,
    pub(super) names: Vec<String>,
    pub(super) r#loop: LoopSettings,
}

#[derive(Serialize)]
struct WrittenFile {
    agents: Vec<WrittenEntry>,
}

pub(super) fn write(agents: Vec<WrittenEntry>) -> Result<String> {
    serde_saphyr::to_string(&WrittenFile { agents }).map_err(Error::internal)
}

/// Reads it, and says everything that is wrong with it.
pub(super) fn read(text: &str) -> Result<TeamFile> {
    // An anchor that is repeated inside others grows without an end: no file of a team needs one.
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_depth: 20, max_nodes: 20_000, max_anchors: 0, max_aliases: 0 },
        with_snippet: false,
    };
    let Written { team, agents } = serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let error = error.to_string();
        Error::invalid(format!("It cannot be read: {}", error.lines().next().unwrap_or_default()))
    })?;
    if agents.is_empty() || agents.len() > ROLES {
        return Err(Error::invalid(format!("The file of a team has 1 to {ROLES} agents.")));
    }
    let mut wrong = Vec::new();
    let entries: Vec<Entry> = agents.into_iter().map(|entry| read_entry(entry, &mut wrong)).collect();
    let mut seen = BTreeSet::new();
    for entry in &entries {
        if !entry.role.is_empty() && !seen.insert(entry.role.to_lowercase()) {
            wrong.push(format!("Line {}: there are two roles {}.", entry.line, quoted(&entry.role)));
        }
    }
    if entries.iter().map(Entry::wanted).sum::<usize>() > AGENTS {
        wrong.push(format!("It asks for more than {AGENTS} agents at once."));
    }
    refuse(wrong)?;
    Ok(TeamFile { team: team.map(|team| short(&team)).filter(|team| !team.is_empty()), entries })
}

/// Fails with all that is wrong, if something is.
pub(super) fn refuse(mut wrong: Vec<String>) -> Result<()> {
    if wrong.is_empty() {
        return Ok(());
    }
    let more = wrong.len().saturating_sub(TOLD);
    wrong.truncate(TOLD);
    if more > 0 {
        wrong.push(format!("And {more} more mistakes."));
    }
    Err(Error::invalid(wrong.join("\n")))
}

impl Entry {
    /// How many agents there are to be.
    pub(super) fn wanted(&self) -> usize {
        self.names.len().max(usize::try_from(self.least).unwrap_or(usize::MAX))
    }
}

fn read_entry(Spanned { value: fields, referenced, .. }: Spanned<Fields>, wrong: &mut Vec<String>) -> Entry {
    let line = u32::try_from(referenced.line()).unwrap_or(u32::MAX);
    let mut entry = Entry {
        line,
        role: String::new(),
        description: String::new(),
        instructions: String::new(),
        tools: None,
        tools_line: line,
        model: String::new(),
        model_line: line,
        home: None,
        colour: String::new(),
        max_output_tokens: 0,
        settings: LoopSettings::default(),
        least: u32::MAX,
        most: None,
        names: Vec::new(),
        notices: Vec::new(),
    };
    let mut fields: Vec<(String, u64, Value)> =
        fields.into_iter().map(|(name, field)| (name, field.referenced.line(), field.value)).collect();
    fields.sort_by_key(|(_, line, _)| *line);
    for (name, line, value) in fields {
        if let Err(why) = take(&mut entry, &name, line, value) {
            wrong.push(format!("Line {line}: {why}"));
        }
    }
    if entry.least == u32::MAX {
        entry.least = if entry.names.is_empty() { 1 } else { 0 };
    }
    if entry.role.is_empty() || entry.role.chars().count() > agents::NAME {
        wrong.push(format!("Line {line}: role is a name of 1 to {} characters.", agents::NAME));
    }
    if let Some(most) = entry.most
        && entry.wanted() > usize::try_from(most).unwrap_or(usize::MAX)
    {
        let (role, wanted) = (quoted(&entry.role), entry.wanted());
        wrong.push(format!("Line {line}: of {role} there are to be {wanted} agents, and at most {most}."));
    }
    entry
}

fn take(entry: &mut Entry, name: &str, line: u64, value: Value) -> std::result::Result<(), String> {
    match name {
        "role" => entry.role = one_line(name, value)?,
        "description" => {
            entry.description = one_line(name, value)?;
            if entry.description.chars().count() > DESCRIPTION {
                return Err(format!("description has at most {DESCRIPTION} characters."));
            }
        }
        "instructions" => entry.instructions = text(name, value)?,
        "model" => {
            entry.model = one_line(name, value)?;
            entry.model_line = u32::try_from(line).unwrap_or(u32::MAX);
        }
        "tools" => {
            entry.tools = Some(texts(name, value)?);
            entry.tools_line = u32::try_from(line).unwrap_or(u32::MAX);
        }
        "names" => {
            entry.names = texts(name, value)?;
            let mut seen = BTreeSet::new();
            if !entry.names.iter().all(|name| seen.insert(name.to_lowercase())) {
                return Err("names has the same name twice.".to_owned());
            }
        }
        "home" => match serde_json::from_value(value) {
            Ok(home) => entry.home = Some(home),
            Err(_) => return Err("home is hub or browser.".to_owned()),
        },
        "colour" | "color" => entry.colour = one_line(name, value)?,
        "max_output_tokens" => entry.max_output_tokens = number(name, &value, 1, 200_000)?,
        "least" => entry.least = number(name, &value, 0, MOST_OF_ROLE)?,
        "most" => entry.most = Some(number(name, &value, 1, MOST_OF_ROLE)?),
        "loop" => match serde_json::from_value(value) {
            Ok(settings) => entry.settings = settings,
            Err(error) => entry.notices.push(format!(
                "Line {line}: loop cannot be read and is left out: {}.",
                short(&error.to_string())
            )),
        },
        other => {
            entry.notices.push(format!("Line {line}: {} means nothing here and is left out.", quoted(other)))
        }
    }
    Ok(())
}

fn text(name: &str, value: Value) -> std::result::Result<String, String> {
    match value {
        Value::String(text) => Ok(text.trim().to_owned()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Null => Ok(String::new()),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => Err(format!("{name} is a text.")),
    }
}

fn one_line(name: &str, value: Value) -> std::result::Result<String, String> {
    let text = text(name, value)?.replace('\n', " ");
    match text.chars().any(char::is_control) {
        true => Err(format!("{name} is a text on one line.")),
        false => Ok(text),
    }
}

fn texts(name: &str, value: Value) -> std::result::Result<Vec<String>, String> {
    match value {
        Value::Array(values) => values.into_iter().map(|value| one_line(name, value)).collect(),
        Value::Null => Ok(Vec::new()),
        one @ Value::String(_) => Ok(vec![one_line(name, one)?]),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => Err(format!("{name} is a list of names.")),
    }
}

fn number(name: &str, value: &Value, least: u32, most: u32) -> std::result::Result<u32, String> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| format!("{name} is a whole number from {least} to {most}."))
}

/// In a message: cut, in quotes.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", short(text))
}

fn short(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(QUOTED).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests;
