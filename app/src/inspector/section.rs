//! One section of a request: a line that opens to its text.

use crate::prelude::*;
use crate::ui::grouped;
use protocol::ContextSource;
use protocol::model::{Block, Media, ModelMessage, ToolCall, ToolResult};
use protocol::view::{ContextPart, ContextSection, PromptPart};
use serde_json::Value;

/// Characters of a text in its line.
const LINE: usize = 160;

/// A piece of a section: what it is, and its text.
struct SectionPart {
    label: String,
    text: String,
    shown: Disclosure,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Disclosure {
    AtOnce,
    Folded,
}

#[component]
pub fn Section(section: ContextSection, is_open: bool) -> impl IntoView {
    let ContextSection { tokens, part } = section;
    let (who, pieces) = pieces(part);
    let line = line(&pieces);
    let pieces = pieces.into_iter().map(|piece| view! { <PieceView piece/> }).collect_view();
    view! {
        <li>
            <details class="tool" open=is_open>
                <summary>
                    <span class="tool-verb">{who}</span>
                    <span class="tool-object">{line}</span>
                    <span class="tool-time">{grouped(tokens)} <span class="sr-only">" tokens"</span></span>
                </summary>
                <div class="tool-body">{pieces}</div>
            </details>
        </li>
    }
}

#[component]
fn PieceView(piece: SectionPart) -> impl IntoView {
    let SectionPart { label, text, shown } = piece;
    match shown {
        Disclosure::AtOnce => view! {
            <p class="tool-label">{label}</p>
            <pre tabindex="0">{text}</pre>
        }
        .into_any(),
        Disclosure::Folded => view! {
            <details class="tool">
                <summary><span class="tool-label">{label}</span></summary>
                <div class="tool-body"><pre tabindex="0">{text}</pre></div>
            </details>
        }
        .into_any(),
    }
}

fn pieces(part: ContextPart) -> (String, Vec<SectionPart>) {
    match part {
        ContextPart::System { part, text } => {
            (prompt_words(part), vec![SectionPart::new(t("Text"), text.trim().to_owned())])
        }
        ContextPart::Tool { tool } => (
            tool.name,
            vec![
                SectionPart::new(t("Description"), tool.description),
                SectionPart::new(t("Input"), parameters(&tool.input_schema)),
                SectionPart {
                    shown: Disclosure::Folded,
                    ..SectionPart::new(t("Schema, as it is sent"), pretty(&tool.input_schema))
                },
            ],
        ),
        ContextPart::Context { source, text } => {
            let who = say!("Context, {source}", source = source_words(source));
            (who, vec![SectionPart::new(t("Text"), text)])
        }
        ContextPart::Message { message } => match message {
            ModelMessage::User { text, media } => {
                let mut pieces = vec![SectionPart::new(t("Text"), text)];
                pieces.extend(media.iter().map(file));
                (t("User").to_owned(), pieces)
            }
            ModelMessage::Assistant { blocks } => {
                (t("Assistant").to_owned(), blocks.into_iter().map(block).collect())
            }
            ModelMessage::Tools { results } => {
                (t("Tools").to_owned(), results.into_iter().flat_map(result).collect())
            }
        },
    }
}

fn prompt_words(part: PromptPart) -> String {
    t(match part {
        PromptPart::Identity => "Who it is",
        PromptPart::Instructions => "Instructions",
        PromptPart::AgentsMd => "AGENTS.md",
        PromptPart::WorkspaceMd => "AGENTS.md of the workspace",
        PromptPart::Page => "Its page",
        PromptPart::Work => "How it works",
        PromptPart::Tools => "Tools to be found",
        PromptPart::Context => "What came before",
        PromptPart::Skills => "Skills to be read",
        PromptPart::Memories => "Memories",
        PromptPart::Skill { name } => return say!("Skill {name}"),
    })
    .to_owned()
}

fn source_words(source: ContextSource) -> &'static str {
    t(match source {
        ContextSource::Agents => "other agents",
        ContextSource::Time => "local time",
        ContextSource::Device => "device",
        ContextSource::Place => "place",
        ContextSource::Calendar => "calendar",
        ContextSource::Activity => "activity",
        ContextSource::Keys => "keys",
    })
}

fn block(block: Block) -> SectionPart {
    match block {
        Block::Text { text } => SectionPart::new(t("Text"), text),
        Block::Reasoning { text, .. } => SectionPart::new(t("Reasoning"), text),
        Block::ToolUse(ToolCall { name, input, .. }) => {
            let text = match &input {
                Value::String(raw) => raw.clone(),
                input => pretty(input),
            };
            SectionPart::new(&say!("Call of {name}"), text)
        }
    }
}

fn result(result: ToolResult) -> Vec<SectionPart> {
    let label = match result.is_error {
        true => say!("Error of {name}", name = result.name),
        false => say!("Result of {name}", name = result.name),
    };
    let mut pieces = vec![SectionPart::new(&label, result.content)];
    pieces.extend(result.media.iter().filter(|media| !media.is_app_result()).map(file));
    pieces
}

fn file(file: &Media) -> SectionPart {
    let name = file.name.clone().unwrap_or_else(|| t("Without a name").to_owned());
    SectionPart::new(&say!("File, {kind}", kind = file.mime), name)
}

impl SectionPart {
    fn new(label: &str, text: String) -> Self {
        Self { label: label.to_owned(), text, shown: Disclosure::AtOnce }
    }
}

/// What the section is about: its first words.
fn line(pieces: &[SectionPart]) -> String {
    let Some(SectionPart { label, text, .. }) = pieces.first() else { return String::new() };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_plain = [t("Text"), t("Description")].contains(&label.as_str());
    let whole = if is_plain { text } else { say!("{label}: {text}") };
    match whole.char_indices().nth(LINE) {
        Some((end, _)) => format!("{}…", &whole[..end]),
        None => whole,
    }
}

/// A line for each property of the schema: its name, its type, whether it has to be there, what it is.
fn parameters(schema: &Value) -> String {
    let Some(properties) = schema["properties"].as_object().filter(|properties| !properties.is_empty())
    else {
        return t("Nothing.").to_owned();
    };
    let is_required =
        |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|each| each == name));
    let line = |(name, property): (&String, &Value)| {
        let mut about = vec![match property["enum"].as_array() {
            Some(values) => {
                let values: Vec<String> = values.iter().map(plain).collect();
                say!("one of {values}", values = values.join(", "))
            }
            None => plain(&property["type"]),
        }];
        about.retain(|about| !about.is_empty());
        if is_required(name) {
            about.push(t("required").to_owned());
        }
        let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join("; ")) };
        match property["description"].as_str() {
            Some(description) => say!("{name}{about}: {description}"),
            None => format!("{name}{about}"),
        }
    };
    properties.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(t(" or ")),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::CallId;
    use serde_json::json;

    #[test]
    fn a_section_is_told_as_a_person_reads_it() {
        let call =
            ToolCall { id: CallId::from("a"), name: "dom".to_owned(), input: json!({ "action": "get" }) };
        let results = vec![ToolResult {
            call: CallId::from("a"),
            name: "dom".to_owned(),
            content: "no\nsuch element".to_owned(),
            media: Vec::new(),
            is_error: true,
        }];
        let user = ModelMessage::User { text: "x ".repeat(100), media: Vec::new() };
        for (message, who, expected) in [
            (user, "User", format!("{}…", "x ".repeat(80))),
            (
                ModelMessage::Assistant { blocks: vec![Block::ToolUse(call)] },
                "Assistant",
                "Call of dom: { \"action\": \"get\" }".to_owned(),
            ),
            (ModelMessage::Tools { results }, "Tools", "Error of dom: no such element".to_owned()),
        ] {
            let (role, pieces) = pieces(ContextPart::Message { message });
            assert_eq!((role.as_str(), line(&pieces)), (who, expected));
        }
    }

    #[test]
    fn a_schema_is_told_in_a_line_for_each_property() {
        let schema = json!({
            "type": "object",
            "properties": {
                "action": { "enum": ["get", "set"], "type": "string", "description": "What to do." },
                "value": {},
                "limit": { "type": ["integer", "null"] },
            },
            "required": ["action"],
        });
        let lines = "action (one of get, set; required): What to do.\nlimit (integer or null)\nvalue";
        assert_eq!(parameters(&schema), lines);
        assert_eq!(parameters(&json!({ "type": "object" })), "Nothing.");
    }
}
