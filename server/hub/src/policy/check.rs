//! A rule as a person entered it.

use super::pattern::{argument, is_place};
use crate::error::{Error, Result};
use crate::files::FilePath;
use agent::tools::{Tool, find};
use protocol::approval::{Asker, PolicyDraft, PolicyRule, Verdict};
use protocol::{AgentId, PolicyRuleId};

/// Characters of a pattern.
const MAX_PATTERN_CHARS: usize = 260;
pub(crate) const MOST_USES: u32 = 1000;
/// A year.
const MOST_MINUTES: u32 = 366 * 24 * 60;

pub(super) fn rule(draft: &PolicyDraft, id: PolicyRuleId, now: i64) -> Result<PolicyRule> {
    let tool = draft.tool.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-*".contains(c);
    if !(1..=MAX_PATTERN_CHARS).contains(&tool.len()) || !tool.chars().all(is_name) {
        return Err(Error::invalid("Name a tool, like fetch. A * stands for any characters."));
    }
    let about = FilePath::spelled(draft.about.trim());
    let about = about.as_str();
    if about.chars().count() > MAX_PATTERN_CHARS || about.chars().any(char::is_control) {
        return Err(Error::invalid(format!(
            "What the rule is about has at most {MAX_PATTERN_CHARS} characters on one line."
        )));
    }
    let tool = agent::tools::canonical(tool);
    if !about.is_empty()
        && let Some(known) = find(tool)
    {
        check_about(known, about)?;
    }
    if draft.uses > MOST_USES || draft.minutes > MOST_MINUTES {
        return Err(Error::invalid(format!("A rule holds at most {MOST_USES} times, or for a year.")));
    }
    let verdict = verdict(&draft.verdict)?;
    if draft.uses > 0 && verdict != Verdict::Allow {
        return Err(Error::invalid(
            "Only a yes is used up by calls. Leave the number of times out, or say how long the rule holds.",
        ));
    }
    Ok(PolicyRule {
        id,
        agent: Some(draft.agent.trim()).filter(|agent| !agent.is_empty()).map(AgentId::from),
        asker: asker(&draft.asker)?,
        tool: tool.to_owned(),
        about: (!about.is_empty()).then(|| about.to_owned()),
        verdict,
        run: None,
        uses_left: (draft.uses > 0).then_some(draft.uses),
        until: (draft.minutes > 0).then(|| now + i64::from(draft.minutes) * 60_000),
        made_at: now,
        approval: None,
        risk_at_most: None,
    })
}

/// A rule about what no call of this tool can be about would hold for nothing.
fn check_about(tool: &Tool, about: &str) -> Result<()> {
    if argument(about).is_some() {
        return Ok(());
    }
    if tool.names_a_place() && !is_place(about) {
        return Err(Error::invalid(format!(
            "{about:?} is no host. Write example.org, *.example.org for all below it, .example.org for both, \
             example.org:8000 or example.org/docs."
        )));
    }
    if !tool.names_a_place() && !tool.has_about() {
        return Err(Error::invalid(format!(
            "A call of {} names nothing that a rule could be about. Leave it empty, or write an argument of it, \
             like text=*.",
            tool.name
        )));
    }
    Ok(())
}

fn asker(text: &str) -> Result<Option<Asker>> {
    match text {
        "" => Ok(None),
        "model" => Ok(Some(Asker::Model)),
        "page" => Ok(Some(Asker::Page)),
        _ => Err(Error::invalid("A rule is about calls of the model, of the page, or of both.")),
    }
}

fn verdict(text: &str) -> Result<Verdict> {
    match text {
        "allow" => Ok(Verdict::Allow),
        "ask" => Ok(Verdict::Ask),
        "deny" => Ok(Verdict::Deny),
        _ => Err(Error::invalid("A rule says allow, ask or deny.")),
    }
}
