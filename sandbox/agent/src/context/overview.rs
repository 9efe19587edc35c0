//! What was said so far as an overview and one line per turn, without asking a model.

use super::cut;
use super::exchange::Turn;
use super::history::{Before, History};
use protocol::log::Mark;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Characters of a line.
const LINE: usize = 160;

/// What comes before `upto`, in at most so many bytes: the oldest lines fall away.
pub(super) fn of(history: &History, upto: &Mark, longest: usize) -> String {
    let before = history.before(upto);
    let mut text = format!("[What was said earlier, shortened. {}]", counts(&before));
    let former = history.summary().map(without_heading).unwrap_or_default();
    if !former.is_empty() {
        text.push('\n');
        text.push_str(&cut::at_a_sentence(former, longest / 3));
    }
    let mut lines: Vec<String> = Vec::new();
    for Before { said, turns } in &before {
        let asked = said.iter().map(|said| format!("- asked: {}", cut::to_a_line(said, LINE)));
        // The message of the run under way stands in each of its summaries.
        lines.extend(asked.filter(|asked| !former.lines().any(|line| line == asked)));
        lines.extend(turns.iter().filter_map(|turn| line(turn)));
    }
    let mut room = longest.saturating_sub(text.len());
    let fitting = lines.iter().rev().take_while(|line| {
        let fits = room > line.len();
        room = room.saturating_sub(line.len() + 1);
        fits
    });
    let skipped = lines.len() - fitting.count();
    if skipped > 0 {
        text.push_str("\n…");
    }
    for line in &lines[skipped..] {
        text.push('\n');
        text.push_str(line);
    }
    text
}

/// What a former summary says, without the line in brackets that says what it is.
fn without_heading(summary: &str) -> &str {
    match summary.split_once('\n') {
        Some((heading, rest)) if heading.starts_with('[') && heading.ends_with(']') => rest,
        _ => summary,
    }
}

/// A turn in one line: what was called, and what was said.
pub(super) fn line(turn: &Turn) -> Option<String> {
    let mut line = String::new();
    for (call, result) in turn.answered() {
        let input = cut::to_a_line(&call.input.to_string(), 40);
        let how = if result.is_error { "failed" } else { "done" };
        let separator = if line.is_empty() { "- " } else { ", " };
        write!(line, "{separator}{} {input} ({how})", call.name).expect("strings take everything");
    }
    let said = cut::to_a_line(&turn.text(), LINE);
    if !said.is_empty() {
        let separator = if line.is_empty() { "- said: " } else { "; said: " };
        line.push_str(separator);
        line.push_str(&said);
    }
    (!line.is_empty()).then_some(line)
}

fn counts(before: &[Before<'_>]) -> String {
    let turns: usize = before.iter().map(|before| before.turns.len()).sum();
    let mut tools: BTreeMap<&str, usize> = BTreeMap::new();
    for call in before.iter().flat_map(|before| &before.turns).flat_map(|turn| turn.calls()) {
        *tools.entry(&call.name).or_default() += 1;
    }
    let mut text = format!("Turns: {turns}.");
    if !tools.is_empty() {
        let tools: Vec<String> = tools.iter().map(|(name, count)| format!("{name} ×{count}")).collect();
        write!(text, " Tools called: {}.", tools.join(", ")).expect("strings take everything");
    }
    text
}
