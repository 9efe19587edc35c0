//! A run that ends without a word of its model's: what its calls brought is told to the person as it is.

use super::ends::Note;
use crate::context::Exchange;
use protocol::log::NoticeKind;
use protocol::model::ToolResult;
use protocol::words;

/// Results that are told, the last ones.
const RESULTS: usize = 5;
/// Characters of each.
const MAX_QUOTE_CHARS: usize = 300;

/// What came after the model's last words. `None`: nothing did.
pub(super) fn note(run: &Exchange) -> Option<Note> {
    let mut lines = Vec::new();
    for (_, turn) in run.whole().rev() {
        let answered: Vec<_> = turn.answered().collect();
        lines.extend(answered.iter().rev().map(|(call, result)| line(&call.name, result)));
        if !turn.text().trim().is_empty() {
            break;
        }
    }
    lines.truncate(RESULTS);
    lines.reverse();
    (!lines.is_empty()).then(|| {
        let head = words!("The agent ended without an answer. Its last calls brought this:");
        let text = format!("{head}\n{}", lines.join("\n"));
        (NoticeKind::Unanswered, text)
    })
}

fn line(tool: &str, result: &ToolResult) -> String {
    let words: Vec<&str> = result.content.split_whitespace().collect();
    let words = words.join(" ");
    let failed = if result.is_error { " failed" } else { "" };
    match words.char_indices().nth(MAX_QUOTE_CHARS) {
        Some((end, _)) => format!("- {tool}{failed}: {}…", &words[..end]),
        None => format!("- {tool}{failed}: {words}"),
    }
}
