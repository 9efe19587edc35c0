//! Text as it comes, apart into what is to be shown and calls, in six ways of writing them.

use super::{balance::Balance, calls, effort, progress::Progress, xml};
use protocol::model::ToolSpec;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fragment {
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
    /// What is known of it.
    progress: Progress,
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
    Calls(Vec<Fragment>, usize),
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

/// Bytes in which a name before its arguments has to end.
const NAME_ROOM: usize = 256;

impl Scanner {
    pub(super) fn push(&mut self, text: &str, tools: &[ToolSpec]) -> Vec<Fragment> {
        self.held.push_str(text);
        self.scan(tools, false)
    }

    /// The text is whole.
    pub(super) fn finish(&mut self, tools: &[ToolSpec]) -> Vec<Fragment> {
        self.scan(tools, true)
    }

    fn scan(&mut self, tools: &[ToolSpec], is_end: bool) -> Vec<Fragment> {
        let mut found = Vec::new();
        let mut held = std::mem::take(&mut self.held);
        let mut progress = std::mem::take(&mut self.progress);
        if tools.is_empty() {
            self.show(&held, &mut found);
            return found;
        }
        let mut shown = 0;
        let mut at = 0;
        while at < held.len() {
            let rest = &held[at..];
            match read(rest, !self.is_in_line, tools, is_end, &mut progress) {
                Reading::Calls(list, length) => {
                    self.show(&held[shown..at], &mut found);
                    found.extend(list);
                    self.is_after_call = true;
                    self.is_in_line = false;
                    at += length;
                    shown = at;
                    progress = Progress::default();
                }
                Reading::Wait if !is_end => break,
                Reading::Wait | Reading::Nothing => {
                    let Some(char) = rest.chars().next() else { break };
                    self.is_in_line = char != '\n' && (self.is_in_line || !char.is_whitespace());
                    at += char.len_utf8();
                    progress = Progress::default();
                }
            }
        }
        self.show(&held[shown..at], &mut found);
        effort::spend(at);
        held.drain(..at);
        self.held = held;
        self.progress = progress;
        found
    }

    fn show(&mut self, text: &str, found: &mut Vec<Fragment>) {
        let text = if self.is_after_call { text.trim_start() } else { text };
        if !text.is_empty() {
            self.is_after_call = false;
            found.push(Fragment::Text(text.to_owned()));
        }
    }
}

fn read(
    text: &str,
    is_line_start: bool,
    tools: &[ToolSpec],
    is_end: bool,
    progress: &mut Progress,
) -> Reading {
    for (mark, ends) in MARKS {
        if let Some(rest) = text.strip_prefix(mark) {
            return read_marked(text, (mark, ends), rest, tools, is_end, progress);
        }
        if mark.starts_with(text) {
            return Reading::Wait;
        }
    }
    if !is_line_start {
        return Reading::Nothing;
    }
    if text.starts_with(FENCE) || FENCE.starts_with(text) {
        return read_fenced(text, tools, progress);
    }
    if text.starts_with(['{', '[']) {
        return match progress.balance(text) {
            Balance::Open => Reading::Wait,
            Balance::Whole(length) => known(&text[..length], length, tools),
            Balance::Broken => Reading::Nothing,
        };
    }
    read_piped(text, tools, progress)
}

fn read_marked(
    text: &str,
    (mark, ends): (&str, &[&str]),
    rest: &str,
    tools: &[ToolSpec],
    is_end: bool,
    progress: &mut Progress,
) -> Reading {
    let begin = progress.space_before(rest);
    let body = &rest[begin..];
    let is_tagged = mark == "<function=" || mark == "<invoke ";
    // The call says itself where it ends, and its end may stand in its strings.
    let json_at = if is_tagged { None } else { body_json(body) };
    if let Some((name, at)) = json_at {
        match progress.balance(&body[at..]) {
            Balance::Open if !is_end => return Reading::Wait,
            Balance::Whole(length) => {
                let end = mark.len() + begin + at + length;
                let Some(end) = end_of_call(text, end, ends, is_end, progress) else {
                    return Reading::Wait;
                };
                let list = read_json(name, &body[at..at + length]);
                let list = list.unwrap_or_else(|| vec![calls::malformed(&body[..at + length])]);
                return Reading::Calls(list, end);
            }
            Balance::Open | Balance::Broken => {}
        }
    } else if !is_tagged && !is_end && may_become_json(body) {
        return Reading::Wait;
    }
    let (inside, length) = match progress.find(rest, ends) {
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

fn read_json(name: Option<&str>, json: &str) -> Option<Vec<Fragment>> {
    effort::spend(json.len());
    let Some(name) = name else {
        return calls::of_json(json);
    };
    let is_json = serde_json::from_str::<serde_json::Value>(json).is_ok();
    is_json.then(|| vec![Fragment::Call { name: name.to_owned(), input: json.to_owned() }])
}

/// Calls with tags of their own within the mark.
fn read_tags(inside: &str, tools: &[ToolSpec]) -> Vec<Fragment> {
    let mut list = Vec::new();
    let mut rest = inside;
    let is_tag = |text: &str| text.starts_with("<function=") || text.starts_with("<invoke ");
    while let Some((at, _)) = rest.match_indices('<').find(|(at, _)| is_tag(&rest[*at..])) {
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
    let at = body[..body.floor_char_boundary(NAME_ROOM)].find('{')?;
    let name = body[..at].trim_end().trim_end_matches([':', '|']).trim();
    is_name(name).then_some((Some(name), at))
}

fn may_become_json(body: &str) -> bool {
    let before = body.trim_end().trim_end_matches([':', '|']).trim_end();
    body.is_empty() || (body.len() <= NAME_ROOM && is_name(before))
}

fn is_name(text: &str) -> bool {
    let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.');
    !text.is_empty() && text.len() <= 128 && text.chars().all(is_part)
}

/// Where a call that is whole at `end` ends with its closing mark, if it has one. `None`: that mark may
/// still come.
fn end_of_call(
    text: &str,
    end: usize,
    ends: &[&str],
    is_end: bool,
    progress: &mut Progress,
) -> Option<usize> {
    let space = progress.space_behind(&text[end..]);
    let after = &text[end + space..];
    if let Some(mark) = ends.iter().find(|mark| after.starts_with(**mark)) {
        // The mark that begins one call may also end the one before it.
        let is_opening = MARKS.iter().any(|(opening, _)| opening == mark);
        let next = &after[mark.len()..];
        let next = &next[progress.space_beyond(next)..];
        if is_opening && next.is_empty() && !is_end {
            return None;
        }
        let is_used_up = is_opening && next.starts_with(['{', '[']);
        return Some(if is_used_up { end } else { end + space + mark.len() });
    }
    let may_come = !is_end && ends.iter().any(|mark| mark.starts_with(after));
    (!may_come).then_some(end)
}

/// Code that a model shows is not a call.
fn read_fenced(text: &str, tools: &[ToolSpec], progress: &mut Progress) -> Reading {
    let Some(line) = progress.end_of_line(text) else { return Reading::Wait };
    let begin = line + 1 + progress.space_before(&text[line + 1..]);
    let inside = &text[begin..];
    if !inside.starts_with(['{', '[']) {
        return if inside.is_empty() { Reading::Wait } else { Reading::Nothing };
    }
    match progress.balance(inside) {
        Balance::Open => Reading::Wait,
        Balance::Broken => Reading::Nothing,
        Balance::Whole(length) => {
            let end = begin + length + progress.space_behind(&inside[length..]);
            let after = &text[end..];
            match after.starts_with(FENCE) {
                true => known(&inside[..length], end + FENCE.len(), tools),
                false if FENCE.starts_with(after) => Reading::Wait,
                false => Reading::Nothing,
            }
        }
    }
}

/// `name|{…}` of a tool that there is.
fn read_piped(text: &str, tools: &[ToolSpec], progress: &mut Progress) -> Reading {
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
        return match progress.balance(json) {
            Balance::Open => Reading::Wait,
            Balance::Broken => Reading::Nothing,
            Balance::Whole(length) => {
                let call = Fragment::Call { name: tool.name.clone(), input: json[..length].to_owned() };
                Reading::Calls(vec![call], text.len() - json.len() + length)
            }
        };
    }
    Reading::Nothing
}

fn known(json: &str, length: usize, tools: &[ToolSpec]) -> Reading {
    effort::spend(json.len());
    match calls::of_json(json).filter(|list| calls::are_known(list, tools)) {
        Some(list) => Reading::Calls(list, length),
        None => Reading::Nothing,
    }
}
