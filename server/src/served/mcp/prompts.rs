//! The skills of a person, for a token that may do what they can.

use super::super::rpc::{INVALID_PARAMS, RpcError};
use super::Asker;
use hub::{SkillInstructions, SkillSummary, Viewer};
use serde_json::{Value, json};

impl Asker {
    pub(super) async fn prompts(&self, viewer: &Viewer) -> Result<Value, RpcError> {
        let skills = self.state.hub.for_viewer(viewer).skills().accepted().await?;
        let prompts: Vec<Value> = skills.iter().map(listed).collect();
        Ok(json!({ "prompts": prompts }))
    }

    pub(super) async fn prompt(&self, viewer: &Viewer, params: &Value) -> Result<Value, RpcError> {
        let named = params["name"].as_str().unwrap_or_default();
        let skill = self.state.hub.for_viewer(viewer).skills().instructions(named).await;
        let skill = skill.map_err(|error| match error {
            hub::Error::NotFound(_) => RpcError::new(INVALID_PARAMS, format!("There is no prompt {named}.")),
            error => error.into(),
        })?;
        let text = whole(&skill, params["arguments"]["task"].as_str().unwrap_or_default());
        Ok(json!({
            "description": skill.summary.description,
            "messages": [{ "role": "user", "content": { "type": "text", "text": text } }],
        }))
    }
}

fn listed(skill: &SkillSummary) -> Value {
    json!({
        "name": skill.name,
        "description": skill.description,
        "arguments": [{ "name": "task", "description": "What to do with it.", "required": false }],
    })
}

/// Its instructions, what they are not handed on with, and what to do with them.
fn whole(skill: &SkillInstructions, task: &str) -> String {
    let mut whole = skill.text.clone();
    if !skill.files.is_empty() {
        whole.push_str(&format!("\n\nNot handed on are its files {}.", skill.files.join(", ")));
    }
    if !task.trim().is_empty() {
        whole.push_str(&format!("\n\n{task}"));
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_handed_on_is_named_and_the_task_comes_last() {
        let summary = SkillSummary { name: "water".to_owned(), description: "How to water.".to_owned() };
        let mut skill = SkillInstructions { summary, text: "Twice a week.".to_owned(), files: Vec::new() };
        assert_eq!(whole(&skill, " "), "Twice a week.");
        skill.files = vec!["sun.md".to_owned(), "rain.md".to_owned()];
        assert_eq!(
            whole(&skill, "Now."),
            "Twice a week.\n\nNot handed on are its files sun.md, rain.md.\n\nNow."
        );
    }
}
