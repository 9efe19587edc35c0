//! Searching texts line by line for a regular expression whose matching takes time in proportion to the text.

use regex::{Regex, RegexBuilder};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Bytes of a compiled expression.
const COMPILED: usize = 1024 * 1024;
/// Bytes of a file in which all is looked for that fits over several lines: each look can go on to its end.
const OVER_LINES: usize = 256 * 1024;
/// How long one search looks for that.
const TIME: Duration = Duration::from_secs(2);
/// Files that are named as passed over.
const NAMED: usize = 10;
/// Documents that are named as not searched.
const NAMED_DOCUMENTS: usize = 5;
/// Characters of a line that are shown, and those of them before what fits.
const LINE: usize = 500;
const BEFORE: usize = 100;

/// How an expression is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct How {
    pub(super) ignore_case: bool,
    /// Whether it may fit over several lines.
    pub(super) multiline: bool,
}

#[derive(Debug)]
pub(super) struct Pattern {
    regex: Regex,
    is_of_lines: bool,
}

impl Pattern {
    pub(super) fn new(pattern: &str, how: How) -> Result<Self, String> {
        let built = RegexBuilder::new(pattern)
            .case_insensitive(how.ignore_case)
            .multi_line(how.multiline)
            .dot_matches_new_line(how.multiline)
            .size_limit(COMPILED)
            .dfa_size_limit(COMPILED)
            .build();
        let regex = built.map_err(|error| format!("The expression cannot be read: {error}"))?;
        Ok(Self { regex, is_of_lines: !how.multiline })
    }

    /// Whether it fits anywhere.
    fn fits(&self, content: &str, lines: &[&str]) -> bool {
        match self.is_of_lines {
            true => lines.iter().any(|line| self.regex.is_match(line)),
            false => self.regex.is_match(content),
        }
    }

    /// Where in a line what fits begins and ends. None: it does not fit in the line alone.
    fn place_in(&self, line: &str) -> Option<Range<usize>> {
        self.regex.find(line).map(|found| found.range())
    }

    /// The lines that have a part of what fits, counted from 0. None: over several lines it takes longer than this.
    fn hits(&self, content: &str, lines: &[&str], time: Duration) -> Option<Vec<usize>> {
        if self.is_of_lines {
            return Some((0..lines.len()).filter(|at| self.regex.is_match(lines[*at])).collect());
        }
        if content.len() > OVER_LINES {
            return None;
        }
        let begun = Instant::now();
        let (mut hits, mut next, mut line, mut counted) = (Vec::new(), 0, 0, 0);
        let Some(end) = lines.len().checked_sub(1) else { return Some(hits) };
        for found in self.regex.find_iter(content) {
            if begun.elapsed() >= time {
                return None;
            }
            line += ends_in(&content[counted..found.start()]);
            // The end of a line is a part of that line.
            let last = line + ends_in(found.as_str().strip_suffix('\n').unwrap_or(found.as_str()));
            hits.extend(line.max(next)..=last.min(end));
            next = next.max(last + 1);
            counted = found.start();
        }
        Some(hits)
    }
}

fn ends_in(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Files,
    /// With so many lines around each.
    Content {
        before: usize,
        after: usize,
    },
    Count,
}

/// A search under way.
#[derive(Debug)]
pub(super) struct Search {
    pattern: Pattern,
    mode: Mode,
    /// Lines or files that were told before, and those of them that are still to come.
    offset: usize,
    told: usize,
    /// Lines or files that may still be found.
    left: usize,
    /// Bytes that may still be said.
    room: usize,
    is_full: bool,
    /// In which it may still look over several lines.
    time: Duration,
    /// Files in which it did not look to their end.
    passed_over: Vec<String>,
    /// Documents, and how many other files are no texts.
    documents: Vec<String>,
    binaries: usize,
    paths: Vec<String>,
    counts: BTreeMap<String, usize>,
    lines: Vec<String>,
}

impl Search {
    pub(super) fn new(pattern: Pattern, mode: Mode, offset: usize, limit: usize, room: usize) -> Self {
        Self {
            pattern,
            mode,
            offset,
            told: offset,
            left: limit,
            room,
            is_full: false,
            time: TIME,
            passed_over: Vec::new(),
            documents: Vec::new(),
            binaries: 0,
            paths: Vec::new(),
            counts: BTreeMap::new(),
            lines: Vec::new(),
        }
    }

    /// Whether there is room for no more.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// How much it has to say so far.
    pub(super) fn found(&self) -> usize {
        self.hits() + self.passed_over.len() + self.documents.len()
    }

    fn hits(&self) -> usize {
        self.paths.len() + self.counts.len() + self.lines.len()
    }

    /// The lines of the file that fit, unless it is passed over.
    fn hits_in(&mut self, path: &str, content: &str, lines: &[&str]) -> Vec<usize> {
        let begun = Instant::now();
        let hits = self.pattern.hits(content, lines, self.time);
        self.time = self.time.saturating_sub(begun.elapsed());
        hits.unwrap_or_else(|| {
            self.passed_over.push(path.to_owned());
            Vec::new()
        })
    }

    /// It has pages, slides or sheets.
    pub(super) fn pass_document(&mut self, path: &str) {
        self.documents.push(path.to_owned());
    }

    /// It is no text.
    pub(super) fn pass_binary(&mut self) {
        self.binaries += 1;
    }

    pub(super) fn take(&mut self, path: &str, content: &str) {
        let lines: Vec<&str> = content.lines().collect();
        match self.mode {
            Mode::Files => {
                if self.pattern.fits(content, &lines) && self.is_new() && self.spend(path.len() + 3) {
                    self.paths.push(path.to_owned());
                }
            }
            Mode::Count => {
                let count = self.hits_in(path, content, &lines).len();
                if count > 0 && self.is_new() && self.spend(path.len() + 12) {
                    self.counts.insert(path.to_owned(), count);
                }
            }
            Mode::Content { before, after } => {
                let hits = self.hits_in(path, content, &lines);
                self.show(path, &lines, &hits, (before, after));
            }
        }
    }

    fn show(&mut self, path: &str, lines: &[&str], hits: &[usize], (before, after): (usize, usize)) {
        let mut next = 0;
        for hit in hits {
            let from = hit.saturating_sub(before).max(next);
            for (at, line) in lines.iter().enumerate().take(hit + after + 1).skip(from) {
                next = at + 1;
                if !self.is_new() {
                    continue;
                }
                let is_hit = hits.binary_search(&at).is_ok();
                let mark = if is_hit { ':' } else { '-' };
                let shown = part_of(line, || self.pattern.place_in(line).filter(|_| is_hit));
                let line = format!("{path}{mark}{}{mark}{shown}", at + 1);
                if !self.spend(json!(line).to_string().len() + 1) {
                    return;
                }
                self.lines.push(line);
            }
        }
    }

    /// Whether it was not told before.
    fn is_new(&mut self) -> bool {
        let is_new = self.told == 0;
        self.told = self.told.saturating_sub(1);
        is_new
    }

    fn spend(&mut self, bytes: usize) -> bool {
        if self.left == 0 || bytes > self.room {
            self.is_full = true;
            return false;
        }
        self.left -= 1;
        self.room -= bytes;
        true
    }

    /// What was found, and how many files were not read.
    pub(super) fn answer(self, unread: usize) -> Value {
        let told = self.offset + self.hits();
        let mut answer = match self.mode {
            Mode::Files => json!({ "paths": self.paths }),
            Mode::Count => json!({ "counts": self.counts }),
            Mode::Content { .. } => json!({ "lines": self.lines }),
        };
        if self.is_full {
            answer["more"] =
                format!("There is more. Read on with offset {told}, or narrow the search.").into();
        }
        if !self.passed_over.is_empty() {
            let named: Vec<&str> = self.passed_over.iter().take(NAMED).map(String::as_str).collect();
            answer["passed_over"] = format!(
                "{} files are larger than 256 KB or take too long for a search over several lines, as {}. Search them without multiline, or for a narrower expression.",
                self.passed_over.len(),
                named.join(", ")
            )
            .into();
        }
        let mut not_searched = Vec::new();
        if unread > 0 {
            not_searched.push(format!("{unread} files were not searched. Name a folder or a glob."));
        }
        if !self.documents.is_empty() {
            let named: Vec<&str> = self.documents.iter().take(NAMED_DOCUMENTS).map(String::as_str).collect();
            not_searched.push(format!(
                "{} documents were not searched, as {}. Read them with read.",
                self.documents.len(),
                named.join(", ")
            ));
        }
        if self.binaries > 0 {
            not_searched.push(format!("{} files are no texts.", self.binaries));
        }
        if !not_searched.is_empty() {
            answer["not_searched"] = not_searched.join(" ").into();
        }
        answer
    }
}

/// What is shown of a line: of a long one the part with what was looked for, and at which character that begins.
fn part_of(line: &str, place: impl FnOnce() -> Option<Range<usize>>) -> String {
    if line.chars().nth(LINE).is_none() {
        return line.to_owned();
    }
    let place = place().unwrap_or_default();
    let begins = line[..place.start].chars().count();
    let ends = begins + line[place].chars().count();
    let from = if ends <= LINE { 0 } else { begins.saturating_sub(BEFORE) };
    let part: String = line.chars().skip(from).take(LINE).collect();
    let head = if from > 0 { format!("[from character {}] ", from + 1) } else { String::new() };
    let goes_on = if line.chars().nth(from + LINE).is_some() { " [the line goes on]" } else { "" };
    format!("{head}{part}{goes_on}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = "one\ntwo moss\nthree\nfour\nMoss five\n";

    fn check(pattern: &str, ignore_case: bool, mode: Mode, limit: usize, expected: Value) {
        let how = How { ignore_case, multiline: pattern.contains("\\n") };
        let mut search = Search::new(Pattern::new(pattern, how).unwrap(), mode, 0, limit, 1000);
        search.take("/agent/plan", PLAN);
        search.take("/agent/none", "nothing");
        assert_eq!(search.answer(0), expected, "{pattern} {mode:?}");
    }

    #[test]
    fn what_is_found_is_told_as_was_asked() {
        let content = |context| Mode::Content { before: context, after: context };
        check("moss", false, Mode::Files, 9, json!({ "paths": ["/agent/plan"] }));
        check("^m", true, Mode::Count, 9, json!({ "counts": { "/agent/plan": 1 } }));
        check(
            "moss",
            true,
            content(0),
            9,
            json!({ "lines": ["/agent/plan:2:two moss", "/agent/plan:5:Moss five"] }),
        );
        check(
            "moss",
            true,
            content(1),
            9,
            json!({ "lines": [
                "/agent/plan-1-one", "/agent/plan:2:two moss", "/agent/plan-3-three",
                "/agent/plan-4-four", "/agent/plan:5:Moss five",
            ] }),
        );
        check(
            "shade|three",
            true,
            Mode::Content { before: 0, after: 1 },
            9,
            json!({ "lines": ["/agent/plan:3:three", "/agent/plan-4-four"] }),
        );
        check(
            "two.*\\nfour$",
            false,
            content(0),
            9,
            json!({ "lines": ["/agent/plan:2:two moss", "/agent/plan:3:three", "/agent/plan:4:four"] }),
        );
        check("e\\n", false, Mode::Count, 9, json!({ "counts": { "/agent/plan": 3 } }));
        let more = "There is more. Read on with offset 1, or narrow the search.";
        check("moss", true, content(0), 1, json!({ "lines": ["/agent/plan:2:two moss"], "more": more }));
        check("zebra", false, Mode::Files, 9, json!({ "paths": [] }));
    }

    #[test]
    fn parts_that_are_read_on_are_together_what_one_would_have_been() {
        for mode in [Mode::Files, Mode::Count, Mode::Content { before: 1, after: 1 }] {
            let search = |offset, limit| {
                let pattern = Pattern::new("moss|Moss", How::default()).unwrap();
                let mut search = Search::new(pattern, mode, offset, limit, 10_000);
                for number in 0..7 {
                    search.take(&format!("/agent/{number}"), PLAN);
                }
                search
            };
            let told = |search: &Search| {
                let counts = search.counts.iter().map(|(path, count)| format!("{path} {count}"));
                search.paths.iter().chain(&search.lines).cloned().chain(counts).collect::<Vec<_>>()
            };
            let whole = told(&search(0, usize::MAX));
            let mut read = Vec::new();
            loop {
                let part = search(read.len(), 3);
                read.extend(told(&part));
                if !part.is_full() {
                    break;
                }
                assert!(
                    part.answer(0)["more"].as_str().unwrap().contains(&format!("offset {},", read.len()))
                );
            }
            assert_eq!(read, whole, "{mode:?}");
        }
    }

    #[test]
    fn of_a_long_line_the_part_is_shown_in_which_it_was_found() {
        let line = format!("{}moss{}", "ä".repeat(1200), "x".repeat(600));
        let shown = |line: &str, mode| {
            let mut search = Search::new(Pattern::new("moss", How::default()).unwrap(), mode, 0, 9, 10_000);
            search.take("/agent/long", line);
            search.answer(0)["lines"][0].as_str().unwrap().to_owned()
        };
        let content = Mode::Content { before: 0, after: 0 };
        let part = format!("{}moss{}", "ä".repeat(100), "x".repeat(396));
        assert_eq!(
            shown(&line, content),
            format!("/agent/long:1:[from character 1101] {part} [the line goes on]")
        );
        let line = format!("moss{}", "x".repeat(496));
        assert_eq!(shown(&line, content), format!("/agent/long:1:{line}"));
        assert_eq!(shown(&format!("{line}y"), content), format!("/agent/long:1:{line} [the line goes on]"));
        let around = Mode::Content { before: 1, after: 0 };
        let before = "y".repeat(501);
        assert_eq!(
            shown(&format!("{before}\nmoss"), around),
            format!("/agent/long-1-{} [the line goes on]", &before[1..])
        );
    }

    #[test]
    fn what_takes_too_long_over_several_lines_is_passed_over() {
        let how = How { ignore_case: false, multiline: true };
        let pattern = Pattern::new("moss\\n", how).unwrap();
        let mut search = Search::new(pattern, Mode::Count, 0, 9, 1000);
        search.take("/agent/large", &"moss\n".repeat(OVER_LINES / 5 + 1));
        search.take("/agent/small", "moss\n");
        search.time = Duration::ZERO;
        search.take("/agent/late", "moss\n");
        let answer = search.answer(0);
        assert_eq!(answer["counts"], json!({ "/agent/small": 1 }));
        let why = answer["passed_over"].as_str().unwrap();
        assert!(why.starts_with("2 files") && why.contains("as /agent/large, /agent/late."), "{why}");
    }

    #[test]
    fn what_is_no_text_is_counted_and_documents_are_named() {
        let pattern = Pattern::new("moss", How::default()).unwrap();
        let mut search = Search::new(pattern, Mode::Files, 0, 9, 1000);
        search.pass_document("/agent/report.pdf");
        search.pass_binary();
        let told = "2 files were not searched. Name a folder or a glob. 1 documents were not searched, as /agent/report.pdf. Read them with read. 1 files are no texts.";
        assert_eq!(search.answer(2), json!({ "paths": [], "not_searched": told }));
    }

    #[test]
    fn an_expression_that_cannot_be_or_is_too_large_is_refused() {
        for pattern in ["(", "(?=a)", "(a{1000}){1000}"] {
            assert!(Pattern::new(pattern, How::default()).is_err(), "{pattern}");
        }
    }
}
