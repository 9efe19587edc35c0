//! `list_skills` and `get_skill`.

use super::ToolError;
use crate::skills;
use agent::tools::ResolvedCall;
use serde_json::{Value, json};

pub(super) fn list() -> String {
    let skills: Vec<_> =
        skills::all().iter().map(|skill| json!({ "name": skill.name, "about": skill.about })).collect();
    json!({ "skills": skills }).to_string()
}

pub(super) fn get(call: &ResolvedCall) -> Result<String, ToolError> {
    let argument = |name: &str| call.input().get(name).and_then(Value::as_str);
    let name = argument("name").unwrap_or_default();
    let skill = skills::find(name)
        .ok_or_else(|| ToolError(format!("There is no skill {name}. list_skills has their names.")))?;
    let headings = || skill.sections().map(|(heading, _)| heading).collect::<Vec<_>>();
    match argument("section") {
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
