//! What a person should look at before they accept a skill. Found by rules, so it is evidence and no verdict: a skill
//! with nothing found can still be hostile, which is why none of it is trusted whatever this says.

mod encoded;
mod flat;
mod head;
mod rules;

use super::front_matter::Head;
use super::parcel::{MAIN, Parcel};
use super::visible::{self, Hidden};
use flat::Flat;
pub(super) use head::{Named, named};
use protocol::view::{SkillFinding, SkillRule};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Findings that are kept, and those of one rule in one file.
const KEPT: usize = 200;
const OF_A_RULE: usize = 10;
/// Characters of what is quoted.
const EXCERPT: usize = 160;
/// Hosts that are listed.
const HOSTS: usize = 50;

/// How the names of programs end that are texts.
const SCRIPTS: [&str; 20] = [
    "applescript",
    "bat",
    "cjs",
    "cmd",
    "fish",
    "go",
    "js",
    "lua",
    "mjs",
    "php",
    "pl",
    "ps1",
    "py",
    "rb",
    "rs",
    "sh",
    "swift",
    "ts",
    "vbs",
    "zsh",
];

static HOST: LazyLock<Regex> =
    LazyLock::new(|| rules::regex(r#"https?://(?:[^\s/@"'<>]*@)?([^\s/:?#"'<>()\[\]{}`\\,;]+)"#));

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Scan {
    pub(super) findings: Vec<SkillFinding>,
    /// Findings beyond those.
    pub(super) more: usize,
    pub(super) hosts: Vec<String>,
    pub(super) scripts: Vec<String>,
}

impl Scan {
    pub(super) fn of(parcel: &Parcel, head: &Head, name: &Named) -> Self {
        let mut scan = Self::default();
        head::look(head, name, &mut scan);
        let mut hosts = BTreeSet::new();
        for (path, bytes) in &parcel.0 {
            let Ok(text) = str::from_utf8(bytes) else {
                scan.find(SkillRule::NoText, path, 1, path);
                continue;
            };
            if is_script(path, text) {
                scan.scripts.push(path.clone());
                scan.find(SkillRule::Script, path, 1, text.lines().next().unwrap_or_default());
            }
            scan.hidden(path, text);
            let flat = Flat::of(text);
            rules::look(path, &flat, &mut scan);
            encoded::look(path, &flat, &mut scan);
            for host in HOST.captures_iter(&flat.text) {
                let line = host.get(0).map_or(1, |found| flat.line(found.start()));
                let host = host[1].trim_end_matches('.').to_lowercase();
                if is_lookalike(&host) {
                    scan.find(SkillRule::LookalikeHost, path, line, &host);
                }
                if hosts.len() < HOSTS {
                    hosts.insert(host);
                }
            }
        }
        scan.hosts = hosts.into_iter().collect();
        // The gravest first; of these in the order of the files.
        scan.findings.sort_by_key(|finding| std::cmp::Reverse(finding.rule.weight()));
        scan
    }

    fn find(&mut self, rule: SkillRule, file: &str, line: usize, excerpt: &str) {
        let same = self.findings.iter().filter(|finding| finding.rule == rule && finding.file == file);
        if self.findings.len() >= KEPT || same.count() >= OF_A_RULE {
            self.more += 1;
            return;
        }
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let excerpt = visible::spelled(&shortened(excerpt.trim()));
        self.findings.push(SkillFinding { rule, file: file.to_owned(), line, excerpt });
    }

    fn hidden(&mut self, path: &str, text: &str) {
        let (mut number, mut start) = (1, 0);
        for line in text.split_inclusive('\n') {
            let mut seen = BTreeSet::new();
            for (_, _, hidden) in visible::hidden(line) {
                let rule = match hidden {
                    Hidden::Tag => SkillRule::TagCharacters,
                    Hidden::Turn => SkillRule::TurnedText,
                    Hidden::Shapeless => SkillRule::InvisibleCharacters,
                };
                // A mark of the order of bytes begins many a file.
                let is_beginning = start == 0 && path == MAIN && line.starts_with('\u{feff}');
                if seen.insert(rule) && !(is_beginning && rule == SkillRule::InvisibleCharacters) {
                    self.find(rule, path, number, &around_first(line, hidden));
                }
            }
            number += 1;
            start += line.len();
        }
    }
}

/// The part of the line in which the first such letter stands.
fn around_first(line: &str, kind: Hidden) -> String {
    let at = visible::hidden(line).find(|(.., hidden)| *hidden == kind).map_or(0, |(at, ..)| at);
    let before: String = line[..at].chars().rev().take(20).collect::<Vec<_>>().into_iter().rev().collect();
    before + &line[at..]
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn is_script(path: &str, text: &str) -> bool {
    let end = path.rsplit_once('.').map(|(_, end)| end.to_lowercase());
    text.starts_with("#!") || end.is_some_and(|end| SCRIPTS.contains(&end.as_str()))
}

/// Names of hosts are letters of ASCII. One that is not, or stands for one that is not, can look like another's.
fn is_lookalike(host: &str) -> bool {
    let is_number =
        host.parse::<std::net::Ipv4Addr>().is_ok_and(|ip| !ip.is_loopback() && !ip.is_unspecified());
    is_number || !host.is_ascii() || host.split('.').any(|part| part.starts_with("xn--"))
}
