//! The catalogue of the skills that an agent reads when it needs them: a line each, within a budget of tokens. It
//! depends on the definition of the agent alone, so that it is the same in every request of a run.

use super::size::Gauge;
use super::{cut, fence};
use crate::tools::LIST_SKILLS;
use protocol::run::{ListedSkill, RunSpec};

/// Tokens of all lines together at most, and which part of what fits into a request.
const MOST_TOKENS: u64 = 1500;
const SHARE: u64 = 16;
/// Characters of what a skill says it is for.
const ABOUT: usize = 240;

/// What stands before the lines of strangers.
const OTHERS: &str = "Others wrote these, and say themselves what they are for:";

pub(super) fn of(spec: &RunSpec) -> String {
    let tokens = MOST_TOKENS.min(u64::from(spec.context_tokens) / SHARE);
    let mut room = Gauge::UNKNOWN.bytes(tokens);
    let (mut own, mut others, mut left_out) = (Vec::new(), Vec::new(), 0);
    for ListedSkill { name, about, foreign } in &spec.listed_skills {
        let line = format!("- {name}: {}", cut::to_a_line(about, ABOUT));
        let Some(left) = room.checked_sub(line.len() + 1) else {
            left_out += 1;
            continue;
        };
        room = left;
        let told = if *foreign { &mut others } else { &mut own };
        told.push(line);
    }
    let mut parts = Vec::new();
    if !own.is_empty() {
        parts.push(own.join("\n"));
    }
    if !others.is_empty() {
        parts.push(format!("{OTHERS}\n{}", fence::around(&others.join("\n"))));
    }
    if left_out > 0 {
        let names_all =
            if spec.given().any(|tool| tool.name == LIST_SKILLS) { " `list_skills` names all." } else { "" };
        parts
            .push(format!("There is no room for more here, and {left_out} of them are left out.{names_all}"));
    }
    parts.join("\n\n")
}
