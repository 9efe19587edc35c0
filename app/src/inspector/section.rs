//! One section of a request: a line that opens to its text.

use crate::ui::grouped;
use leptos::prelude::*;
use protocol::model::{Block, Media, ModelMessage, ToolCall, ToolResult};
use protocol::view::{ContextPart, ContextSection};
use serde_json::Value;

/// Characters of a text in its line.
const LINE: usize = 90;

/// A piece of a section: whose it is, if it has to be said, and its text.
struct Piece {
    label: String,
    text: String,
}

#[component]
pub fn Section(section: ContextSection, is_open: bool) -> impl IntoView {
    let ContextSection { tokens, part } = section;
    let (who, pieces) = pieces(part);
    let line = line(&pieces);
    let pieces = pieces
        .into_iter()
        .map(|Piece { label, text }| {
            view! {
                <p class="tool-label">{label}</p>
                <pre tabindex="0">{text}</pre>
            }
        })
        .collect_view();
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

fn pieces(part: ContextPart) -> (String, Vec<Piece>) {
    let piece = |label: &str, text: String| Piece { label: label.to_owned(), text };
    match part {
        ContextPart::System { text } => ("System".to_owned(), vec![piece("Text", text)]),
        ContextPart::Tool { tool } => (
            tool.name,
            vec![piece("Description", tool.description), piece("Input", pretty(&tool.input_schema))],
        ),
        ContextPart::Message { message } => match message {
            ModelMessage::User { text, media } => {
                let mut pieces = vec![piece("Text", text)];
                pieces.extend(media.iter().map(file));
                ("Person".to_owned(), pieces)
            }
            ModelMessage::Assistant { blocks } => {
                ("Agent".to_owned(), blocks.into_iter().map(block).collect())
            }
            ModelMessage::Tools { results } => {
                ("Results".to_owned(), results.into_iter().flat_map(result).collect())
            }
        },
    }
}

fn block(block: Block) -> Piece {
    match block {
        Block::Text { text } => Piece { label: "Text".to_owned(), text },
        Block::Reasoning { text, .. } => Piece { label: "Reasoning".to_owned(), text },
        Block::ToolUse(ToolCall { name, input, .. }) => {
            let text = match &input {
                Value::String(raw) => raw.clone(),
                input => pretty(input),
            };
            Piece { label: format!("Call of {name}"), text }
        }
    }
}

fn result(result: ToolResult) -> Vec<Piece> {
    let label = match result.is_error {
        true => format!("Error of {}", result.name),
        false => format!("Result of {}", result.name),
    };
    let mut pieces = vec![Piece { label, text: result.content }];
    pieces.extend(result.media.iter().map(file));
    pieces
}

fn file(file: &Media) -> Piece {
    let name = file.name.clone().unwrap_or_else(|| "Without a name".to_owned());
    Piece { label: format!("File, {}", file.mime), text: name }
}

/// What the section is about: its first words.
fn line(pieces: &[Piece]) -> String {
    let Some(Piece { label, text }) = pieces.first() else { return String::new() };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = match label.as_str() {
        "Text" | "Description" => text,
        label => format!("{label}: {text}"),
    };
    match whole.char_indices().nth(LINE) {
        Some((end, _)) => format!("{}…", &whole[..end]),
        None => whole,
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
            (user, "Person", format!("{}…", "x ".repeat(45))),
            (
                ModelMessage::Assistant { blocks: vec![Block::ToolUse(call)] },
                "Agent",
                "Call of dom: { \"action\": \"get\" }".to_owned(),
            ),
            (ModelMessage::Tools { results }, "Results", "Error of dom: no such element".to_owned()),
        ] {
            let (role, pieces) = pieces(ContextPart::Message { message });
            assert_eq!((role.as_str(), line(&pieces)), (who, expected));
        }
    }
}
