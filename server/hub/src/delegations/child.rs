//! Who a sub-agent is: its tools, which are never more than those of its maker, its name and what it is told of itself.

use super::BELOW_ROOT;
use crate::agents;
use crate::error::{Error, Result};
use crate::gateway::Caller;
use agent::tools;

/// Between the name of an agent and that of one that it made.
const BELOW: &str = " › ";

/// The tools of the caller's that a sub-agent can have, or of those the ones that are asked for.
pub(super) fn narrowed(caller: &Caller<'_>, asked: Option<&[String]>, leads: bool) -> Result<Vec<String>> {
    let mut names = inherited(|name| caller.spec.given().any(|own| own.name == name), leads);
    if let Some(asked) = asked {
        let is_of_the_web = |name: &String| tools::find(name).is_some_and(tools::Tool::is_of_the_web);
        if let Some(other) = asked
            .iter()
            .find(|name| !is_of_the_web(name) && !names.iter().any(|own| own == tools::canonical(name)))
        {
            let these = names.join(", ");
            return Err(Error::invalid(format!("A sub-agent cannot have {other}. It can have {these}.")));
        }
        names.retain(|own| asked.iter().any(|name| tools::canonical(name) == own));
    }
    Ok(names)
}

/// Of the tools that its maker has, those that a sub-agent can have, and with them those for sub-agents of its own if it
/// may make any.
pub(super) fn inherited(has: impl Fn(&str) -> bool, leads: bool) -> Vec<String> {
    let leads = leads && has(tools::AGENT_SPAWN);
    let can_have = |tool: &&tools::Tool| {
        !tool.is_of_the_web() && tools::may_a_sub_agent_have(tool) && (leads || !tools::is_for_leading(tool))
    };
    tools::all()
        .iter()
        .filter(|tool| has(tool.name))
        .filter(can_have)
        .map(|tool| tool.name.to_owned())
        .collect()
}

/// The agents from the top down to the one that is made, on one line: wherever its name stands, a person sees whose it
/// is. Of a long path each has less room.
pub(super) fn named(parent: &str, label: &str) -> String {
    let label: String = label.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let path: Vec<&str> = parent.splitn(BELOW_ROOT, BELOW).chain([label.trim()]).collect();
    let between = (path.len() - 1) * BELOW.chars().count();
    let room = (agents::NAME - between) / path.len();
    let cut = |name: &str| name.chars().take(room).collect::<String>().trim_end().to_owned();
    path.into_iter().map(cut).collect::<Vec<_>>().join(BELOW)
}

pub(super) fn alone(parent: &str) -> String {
    format!(
        "You are a sub-agent of {parent}, made for one task. Nobody talks with you meanwhile, so decide for yourself what is left open. Your last message is what {parent} gets: put the whole result into it, what you found and where, and what you could not do. Long results go into a file under /agent, which {parent} sees too; name it."
    )
}
