//! The loop's settings as a form sends them: every field a text, and rows that may be blank. As JSON
//! they read like [`LoopSettings`].

use super::number_field::NumberField;
use super::sampling_fields::SamplingFields;
use protocol::agent::{Hook, HookAction, HookEvent, Mode};
use protocol::model::Effort;
use protocol::view::{AgentCommand, LoopSettings, Repairs};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LoopFields {
    #[serde(default)]
    effort: EffortField,
    #[serde(default)]
    sampling: SamplingFields,
    #[serde(default)]
    rounds: u32,
    #[serde(default)]
    hooks: Vec<HookFields>,
    #[serde(default)]
    mode: ModeFields,
    #[serde(default)]
    clear_after_minutes: NumberField<u32>,
    #[serde(default)]
    ambient_after_minutes: NumberField<u32>,
    #[serde(default)]
    hub_after_minutes: NumberField<u32>,
    #[serde(default)]
    repairs: Repairs,
    /// What a box that is not ticked leaves out.
    #[serde(default)]
    plan: bool,
    #[serde(default)]
    commands: Vec<AgentCommand>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EffortField {
    #[default]
    #[serde(rename = "")]
    Leave,
    Off,
    Low,
    Medium,
    High,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct HookFields {
    event: HookEvent,
    #[serde(default)]
    tool: String,
    #[serde(default)]
    holds: String,
    action: ActionFields,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct ActionFields {
    r#type: ActionField,
    #[serde(default, alias = "reason")]
    text: String,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ActionField {
    Deny,
    AddContext,
    Continue,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ModeFields {
    #[serde(default)]
    r#type: ModeField,
    #[serde(default)]
    turns: u32,
    #[serde(default)]
    done: String,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ModeField {
    #[default]
    Answering,
    Autonomous,
}

impl From<LoopFields> for LoopSettings {
    fn from(fields: LoopFields) -> Self {
        let LoopFields {
            effort,
            sampling,
            rounds,
            hooks,
            mode,
            clear_after_minutes,
            ambient_after_minutes,
            hub_after_minutes,
            repairs,
            plan,
            commands,
        } = fields;
        Self {
            effort: match effort {
                EffortField::Leave => None,
                EffortField::Off => Some(Effort::Off),
                EffortField::Low => Some(Effort::Low),
                EffortField::Medium => Some(Effort::Medium),
                EffortField::High => Some(Effort::High),
            },
            sampling: sampling.into(),
            rounds,
            hooks: hooks.into_iter().filter(|hook| !hook.is_blank()).map(Hook::from).collect(),
            mode: match mode.r#type {
                ModeField::Answering => Mode::Answering,
                ModeField::Autonomous => Mode::Autonomous { turns: mode.turns, done: mode.done },
            },
            clear_after_minutes: clear_after_minutes.into(),
            ambient_after_minutes: ambient_after_minutes.into(),
            hub_after_minutes: hub_after_minutes.into(),
            repairs,
            plan,
            commands: commands.into_iter().filter(|command| !is_blank(command)).collect(),
        }
    }
}

/// A row in which nothing was written is no command.
fn is_blank(command: &AgentCommand) -> bool {
    [&command.name, &command.label, &command.text].into_iter().all(|text| text.trim().is_empty())
}

impl HookFields {
    /// A row in which nothing was written is no hook.
    fn is_blank(&self) -> bool {
        [&self.tool, &self.holds, &self.action.text].into_iter().all(|text| text.trim().is_empty())
    }
}

impl From<HookFields> for Hook {
    fn from(fields: HookFields) -> Self {
        let HookFields { event, tool, holds, action: ActionFields { r#type, text } } = fields;
        let some = |text: String| Some(text).filter(|text| !text.trim().is_empty());
        let action = match r#type {
            ActionField::Deny => HookAction::Deny { reason: text },
            ActionField::AddContext => HookAction::AddContext { text },
            ActionField::Continue => HookAction::Continue { text },
        };
        Self { event, tool: some(tool), holds: some(holds), action }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::model::Verbosity;
    use protocol::view::SamplingSettings;
    use serde_json::json;

    #[test]
    fn settings_come_back_from_their_own_json() {
        let settings = LoopSettings {
            effort: Some(Effort::Low),
            sampling: SamplingSettings {
                temperature: Some(0.7),
                top_k: Some(40),
                seed: Some(7),
                verbosity: Some(Verbosity::Low),
                extra: Some(json!({ "min_p": 0.1 })),
                ..SamplingSettings::default()
            },
            rounds: 7,
            hooks: vec![
                Hook {
                    event: HookEvent::PreToolUse,
                    tool: Some("dom".to_owned()),
                    holds: None,
                    action: HookAction::Deny { reason: "No.".to_owned() },
                },
                Hook {
                    event: HookEvent::Stop,
                    tool: None,
                    holds: Some("Done".to_owned()),
                    action: HookAction::Continue { text: "Check it.".to_owned() },
                },
            ],
            mode: Mode::Autonomous { turns: 3, done: "DONE".to_owned() },
            clear_after_minutes: Some(20),
            ambient_after_minutes: None,
            hub_after_minutes: Some(5),
            repairs: Repairs::Asked,
            plan: true,
            commands: vec![AgentCommand {
                name: "plan".to_owned(),
                label: "Plan the week".to_owned(),
                text: "Plan my week.".to_owned(),
            }],
        };
        let json = serde_json::to_value(&settings).unwrap();
        // In a form what is absent is empty.
        let mut form = json.clone();
        form["hooks"][0]["holds"] = json!("");
        form["sampling"]["top_p"] = json!("");
        let blank = json!({ "name": "", "label": " ", "text": "" });
        form["commands"].as_array_mut().unwrap().push(blank);
        form["sampling"]["temperature"] = json!("0.7");
        for value in [json, form] {
            let fields: LoopFields = serde_json::from_value(value).unwrap();
            assert_eq!(LoopSettings::from(fields), settings);
        }
    }

    #[test]
    fn minutes_that_are_no_number_are_refused_and_not_taken_for_none() {
        for (written, expected) in [
            (json!(20), Some(20)),
            (json!(" 20 "), Some(20)),
            (json!(""), None),
            (json!("soon"), Some(0)),
            (json!("-5"), Some(0)),
        ] {
            let fields: LoopFields =
                serde_json::from_value(json!({ "clear_after_minutes": written })).unwrap();
            assert_eq!(LoopSettings::from(fields).clear_after_minutes, expected, "{written}");
        }
    }

    #[test]
    fn a_blank_row_is_no_hook_and_a_half_filled_one_is() {
        let row = |text: &str, tool: &str| json!({ "event": "stop", "tool": tool, "action": { "type": "deny", "text": text } });
        let fields = json!({ "effort": "", "hooks": [row(" ", ""), row("", "dom"), row("No.", "")] });
        let fields: LoopFields = serde_json::from_value(fields).unwrap();
        assert_eq!(LoopSettings::from(fields).hooks.len(), 2);
    }
}
