//! Text as it comes, apart into what is to be shown and calls, in six ways of writing them.

use super::{balance, balance::Balance, calls, xml};
use protocol::model::ToolSpec;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Text(String),
    /// `input` is JSON of an object, or what came in its place.
    Call {
        name: String,
        input: String,
    },
}

#[derive(Debug, Default)]
pub(super) struct Scanner {
    /// Text that may be the beginning of a call.
    held: String,
    /// The last line so far has nothing but white space, so that a call may begin.
    is_in_line: bool,
    /// A call came, and no text to show since: white space between calls is not shown.
    is_after_call: bool,
}

/// What stands at the beginning of some text.
enum Reading {
    /// No call, nor the beginning of one.
    Nothing,
    /// More has to come.
    Wait,
    Calls(Vec<Found>, usize),
}

/// Ways of writing a call that begin with a mark.
const MARKS: [(&str, &[&str]); 6] = [
    ("<tool_call>", &["</tool_call>"]),
    ("[TOOL_CALL]", &["[/TOOL_CALL]"]),
    ("<|tool_call|>", &["<|/tool_call|>", "<|tool_call_end|>", "<|end_tool_call|>", "<|tool_call|>"]),
    ("<function_calls>", &["</function_calls>"]),
    ("<function=", &["</function>"]),
    ("<invoke ", &["</invoke>"]),
];

const FENCE: &str = "```";

impl Scanner {
    pub(super) fn push(&mut self, text: &str, tools: &[ToolSpec]) -> Vec<Found> {
        self.held.push_str(text);
        // Only these end what is waited for, unless it is short enough to be a mark.
        let is_worth_it = self.held.len() < 64 || text.contains(['}', ']', '>', '`', '\n']);
        if is_worth_it { self.scan(tools, false) } else { Vec::new() }
    }

    /// The text is whole.
    pub(super) fn finish(&mut self, tools: &[ToolSpec]) -> Vec<Found> {
        self.scan(tools, true)
    }

    fn scan(&mut self, tools: &[ToolSpec], is_end: bool) -> Vec<Found> {
        let mut found = Vec::new();
        let held = std::mem::take(&mut self.held);
        if tools.is_empty() {
            self.show(&held, &mut found);
            return found;
        }
        let mut shown = 0;
        let mut at = 0;
        while at < held.len() {
            let rest = &held[at..];
            match read(rest, !self.is_in_line, tools, is_end) {
                Reading::Calls(list, length) => {
                    self.show(&held[shown..at], &mut found);
                    found.extend(list);
                    self.is_after_call = true;
                    self.is_in_line = false;
                    at += length;
                    shown = at;
                }
                Reading::Wait if !is_end => break,
                Reading::Wait | Reading::Nothing => {
                    let Some(char) = rest.chars().next() else { break };
                    self.is_in_line = char != '\n' && (self.is_in_line || !char.is_whitespace());
                    at += char.len_utf8();
                }
            }
        }
        self.show(&held[shown..at], &mut found);
        self.held = held[at..].to_owned();
        found
    }

    fn show(&mut self, text: &str, found: &mut Vec<Found>) {
        let text = if self.is_after_call { text.trim_start() } else { text };
        if !text.is_empty() {
            self.is_after_call = false;
            found.push(Found::Text(text.to_owned()));
        }
    }
}

fn read(text: &str, is_line_start: bool, tools: &[ToolSpec], is_end: bool) -> Reading {
    for (mark, ends) in MARKS {
        if let Some(rest) = text.strip_prefix(mark) {
            return read_marked(text, mark, rest, ends, tools, is_end);
        }
        if mark.starts_with(text) {
            return Reading::Wait;
        }
    }
    if !is_line_start {
        return Reading::Nothing;
    }
    if text.starts_with(FENCE) || FENCE.starts_with(text) {
        return read_fenced(text, tools);
    }
    if text.starts_with(['{', '[']) {
        return match balance::of(text) {
            Balance::Open => Reading::Wait,
            Balance::Whole(length) => known(&text[..length], length, tools),
            Balance::Broken => Reading::Nothing,
        };
    }
    read_piped(text, tools)
}

fn read_marked(
    text: &str,
    mark: &str,
    rest: &str,
    ends: &[&str],
    tools: &[ToolSpec],
    is_end: bool,
) -> Reading {
    let begin = rest.len() - rest.trim_start().len();
    let body = &rest[begin..];
    let is_tagged = mark == "<function=" || mark == "<invoke ";
    // The call says itself where it ends, and its end may stand in its strings.
    let json_at = if is_tagged { None } else { body_json(body) };
    if let Some((name, at)) = json_at {
        match balance::of(&body[at..]) {
            Balance::Open if !is_end => return Reading::Wait,
            Balance::Whole(length) => {
                let json = &body[at..at + length];
                let list = match name {
                    Some(name) if serde_json::from_str::<serde_json::Value>(json).is_ok() => {
                        Some(vec![Found::Call { name: name.to_owned(), input: json.to_owned() }])
                    }
                    Some(_) => None,
                    None => calls::of_json(json),
                };
                let list = list.unwrap_or_else(|| vec![calls::malformed(&body[..at + length])]);
                let end = mark.len() + begin + at + length;
                return with_end(text, end, ends, list, is_end);
            }
            Balance::Open | Balance::Broken => {}
        }
    } else if !is_tagged && !is_end && may_become_json(body) {
        return Reading::Wait;
    }
    let end = ends.iter().filter_map(|end| Some((rest.find(end)?, end.len()))).min();
    let (inside, length) = match end {
        Some((at, length)) => (&rest[..at], mark.len() + at + length),
        None if is_end => (rest, text.len()),
        None => return Reading::Wait,
    };
    let list = match mark {
        "<function=" | "<invoke " => xml::read(&text[..length], tools).into_iter().collect(),
        _ => read_tags(inside, tools),
    };
    match list.is_empty() {
        true => Reading::Calls(vec![calls::malformed(inside)], length),
        false => Reading::Calls(list, length),
    }
}

/// Calls with tags of their own within the mark.
fn read_tags(inside: &str, tools: &[ToolSpec]) -> Vec<Found> {
    let mut list = Vec::new();
    let mut rest = inside;
    while let Some(at) = ["<function=", "<invoke "].iter().filter_map(|tag| rest.find(tag)).min() {
        rest = &rest[at..];
        let end = if rest.starts_with("<function=") { "</function>" } else { "</invoke>" };
        let length = rest.find(end).map_or(rest.len(), |found| found + end.len());
        list.push(xml::read(&rest[..length], tools).unwrap_or_else(|| calls::malformed(&rest[..length])));
        rest = &rest[length..];
    }
    list
}

/// Where JSON begins in a call's body, and the name before it: `{…}`, `name: {…}`, `name|{…}`,
/// `name {…}`.
fn body_json(body: &str) -> Option<(Option<&str>, usize)> {
    if body.starts_with(['{', '[']) {
        return Some((None, 0));
    }
    let at = body.find('{')?;
    let name = body[..at].trim_end().trim_end_matches([':', '|']).trim();
    is_name(name).then_some((Some(name), at))
}

fn may_become_json(body: &str) -> bool {
    is_name(body.trim_end().trim_end_matches([':', '|']).trim_end()) || body.is_empty()
}

fn is_name(text: &str) -> bool {
    let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.');
    !text.is_empty() && text.len() <= 128 && text.chars().all(is_part)
}

/// Calls up to `end`, with the closing mark where there is one.
fn with_end(text: &str, end: usize, ends: &[&str], list: Vec<Found>, is_end: bool) -> Reading {
    let rest = &text[end..];
    let after = rest.trim_start();
    let space = rest.len() - after.len();
    if let Some(mark) = ends.iter().find(|mark| after.starts_with(**mark)) {
        // The mark that begins one call may also end the one before it.
        let is_opening = MARKS.iter().any(|(opening, _)| opening == mark);
        let is_used_up = is_opening && after[mark.len()..].trim_start().starts_with(['{', '[']);
        return Reading::Calls(list, if is_used_up { end } else { end + space + mark.len() });
    }
    if !is_end && ends.iter().any(|mark| mark.starts_with(after)) {
        return Reading::Wait;
    }
    Reading::Calls(list, end)
}

/// Code that a model shows is not a call.
fn read_fenced(text: &str, tools: &[ToolSpec]) -> Reading {
    let Some((_, rest)) = text.split_once('\n') else { return Reading::Wait };
    let inside = rest.trim_start();
    if !inside.starts_with(['{', '[']) {
        return if inside.is_empty() { Reading::Wait } else { Reading::Nothing };
    }
    let begin = text.len() - inside.len();
    match balance::of(inside) {
        Balance::Open => Reading::Wait,
        Balance::Broken => Reading::Nothing,
        Balance::Whole(length) => {
            let after = inside[length..].trim_start();
            let end = text.len() - after.len() + FENCE.len();
            match after.starts_with(FENCE) {
                true => known(&text[begin..begin + length], end, tools),
                false if FENCE.starts_with(after) => Reading::Wait,
                false => Reading::Nothing,
            }
        }
    }
}

/// `name|{…}` of a tool that there is.
fn read_piped(text: &str, tools: &[ToolSpec]) -> Reading {
    for tool in tools {
        let Some(rest) = text.strip_prefix(tool.name.as_str()) else {
            if tool.name.starts_with(text) {
                return Reading::Wait;
            }
            continue;
        };
        if rest.is_empty() || rest == "|" {
            return Reading::Wait;
        }
        let Some(json) = rest.strip_prefix('|').filter(|json| json.starts_with('{')) else { continue };
        return match balance::of(json) {
            Balance::Open => Reading::Wait,
            Balance::Broken => Reading::Nothing,
            Balance::Whole(length) => {
                let call = Found::Call { name: tool.name.clone(), input: json[..length].to_owned() };
                Reading::Calls(vec![call], text.len() - json.len() + length)
            }
        };
    }
    Reading::Nothing
}

fn known(json: &str, length: usize, tools: &[ToolSpec]) -> Reading {
    match calls::of_json(json).filter(|list| calls::are_known(list, tools)) {
        Some(list) => Reading::Calls(list, length),
        None => Reading::Nothing,
    }
}
