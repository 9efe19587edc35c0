//! What is odd about the head of a skill, and the name that it has here.

use super::Scan;
use crate::skills::front_matter::Head;
use crate::skills::parcel::MAIN;
use crate::skills::{narrow, shipped};
use protocol::view::SkillRule;
use unicode_security::skeleton;

/// Longest name, as the standard has it.
const NAME: usize = 64;
/// What a skill is called whose name has no letter that one may have.
const UNNAMED: &str = "skill";
/// Fields with which other products give a skill more than words.
const WANTING: [&str; 14] = [
    "agent",
    "always",
    "context",
    "dependencies",
    "disable-model-invocation",
    "env",
    "hooks",
    "mcp",
    "mcpServers",
    "mcp_servers",
    "packages",
    "permissions",
    "requires",
    "tools",
];

/// The name by which agents read it: small letters, digits and single dashes.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::skills) struct Named {
    pub(in crate::skills) name: String,
    is_odd: bool,
    is_taken: bool,
}

pub(in crate::skills) fn named(written: &str) -> Named {
    let mut name = String::new();
    for letter in written.chars().map(|letter| letter.to_ascii_lowercase()) {
        match letter {
            'a'..='z' | '0'..='9' => name.push(letter),
            _ if !name.is_empty() && !name.ends_with('-') => name.push('-'),
            _ => {}
        }
    }
    name.truncate(NAME);
    let name = name.trim_end_matches('-');
    let name = if name.is_empty() { UNNAMED } else { name };
    let is_taken = shipped::find(name).is_some();
    let is_odd = name != written;
    let name = if is_taken { format!("{name}-2") } else { name.to_owned() };
    Named { name, is_odd, is_taken }
}

pub(super) fn look(head: &Head, name: &Named, scan: &mut Scan) {
    if name.is_odd {
        scan.find(SkillRule::OddName, MAIN, 1, &format!("{} → {}", head.name, name.name));
    }
    if name.is_taken {
        scan.find(SkillRule::NameTaken, MAIN, 1, &head.name);
    }
    let looks = |text: &str| skeleton(text).collect::<String>();
    let shape = looks(&head.name);
    let is_like = |shipped: &&shipped::Skill| looks(shipped.name) == shape && shipped.name != head.name;
    if !head.name.is_ascii() || shipped::all().iter().any(|shipped| is_like(&shipped)) {
        scan.find(SkillRule::Lookalike, MAIN, 1, &head.name);
    }
    if head.is_odd {
        scan.find(SkillRule::OddHead, MAIN, 1, &head.description);
    }
    for field in head.others.iter().filter(|field| WANTING.contains(&field.as_str())) {
        scan.find(SkillRule::WantsMore, MAIN, 1, field);
    }
    for tool in head.requires.iter().filter(|tool| narrow::known(tool).is_none()) {
        scan.find(SkillRule::UnknownTool, MAIN, 1, tool);
    }
    for tool in head.allowed_tools.iter().flatten() {
        if tool == "*" {
            scan.find(SkillRule::WantsMore, MAIN, 1, "allowed-tools: *");
        } else if narrow::known(tool).is_none() {
            scan.find(SkillRule::UnknownTool, MAIN, 1, tool);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_that_can_be_called() {
        for (written, name, is_odd, is_taken) in [
            ("moss-care", "moss-care", false, false),
            ("Moss  Care!", "moss-care", true, false),
            ("--", "skill", true, false),
            ("", "skill", true, false),
            ("пaypal", "aypal", true, false),
            ("../../etc", "etc", true, false),
            ("page-api", "page-api-2", false, true),
            ("Page API", "page-api-2", true, true),
        ] {
            assert_eq!(named(written), Named { name: name.to_owned(), is_odd, is_taken }, "{written}");
        }
        assert_eq!(named(&"a-".repeat(60)).name.len(), 63);
    }
}
