//! What the person wants of a call: by their rules, by what holds without any, or by what they say now.

use super::caller::{By, Caller};
use super::permit::{Questions, Refused};
use crate::approvals::{Question, hash_of};
use crate::error::Result;
use crate::marks;
use crate::policy::{Asked, Ruling, Subject};
use agent::taint;
use agent::tools::{PageTier, RISK_OF_MADE, Tool, access, find};
use protocol::approval::Settled;
use protocol::model::ToolCall;
use protocol::{ApprovalId, PolicyRuleId, UserId};
use sqlx::Row as _;
use tokio_util::sync::CancellationToken;

/// Who decided about a call.
pub(super) struct Decided {
    pub(super) by: DecidedBy,
    pub(super) rule: Option<PolicyRuleId>,
    pub(super) answer: Option<Answer>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecidedBy {
    /// What is so without any word of the person's.
    Default,
    Network,
    Hook,
    Rule,
    Person,
    /// Nobody answered in time.
    Time,
}

/// What was said to a question, for the call that it was asked about.
pub(super) struct Answer {
    pub(super) approval: ApprovalId,
    pub(super) hash: String,
    pub(super) by: Option<UserId>,
}

impl Decided {
    pub(super) fn by(by: DecidedBy) -> Self {
        Self { by, rule: None, answer: None }
    }

    fn by_rule(rule: Option<PolicyRuleId>) -> Self {
        let by = if rule.is_some() { DecidedBy::Rule } else { DecidedBy::Default };
        Self { by, rule, answer: None }
    }
}

impl DecidedBy {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Network => "network",
            Self::Hook => "hook",
            Self::Rule => "rule",
            Self::Person => "person",
            Self::Time => "time",
        }
    }
}

/// Looks at the rules, and asks the person where that is needed.
pub(super) async fn settle(
    caller: &Caller<'_>,
    call: &ToolCall,
    questions: Questions,
    stop: &CancellationToken,
) -> Result<std::result::Result<Decided, Refused>> {
    let about = Subject::of(find(&call.name), call);
    let asked = asked(caller, call, &about).await?;
    let why = match caller.hub.ruling(caller.owner, caller.agent, &asked).await? {
        Ruling::Allow { rule } => return Ok(Ok(Decided::by_rule(rule))),
        Ruling::Deny { rule, why } => return Ok(Err(Refused::denied(why, Decided::by_rule(rule)))),
        Ruling::Ask(why) => why,
    };
    if questions == Questions::No {
        let why = "Not made: a person would have to be asked.".to_owned();
        return Ok(Err(Refused::denied(why, Decided::by(DecidedBy::Default))));
    }
    if let By::Page { tab } = caller.by
        && tab.calls.was_denied(caller.agent, &call.name)
    {
        let why = "The person said no.".to_owned();
        return Ok(Err(Refused::denied(why, Decided::by(DecidedBy::Person))));
    }
    let about = about.text().map(str::to_owned);
    let question = Question { call, about, risk: asked.risk, why, once: asked.once };
    ask(caller, question, &asked, stop).await
}

/// What the rules are asked about the call.
pub(super) async fn asked<'a>(
    caller: &Caller<'a>,
    call: &'a ToolCall,
    about: &'a Subject,
) -> Result<Asked<'a>> {
    let tool = find(&call.name);
    Ok(Asked {
        tool: &call.name,
        about,
        asker: caller.asker(),
        run: caller.run(),
        risk: tool.map_or(RISK_OF_MADE, |tool| tool.risk_of(&call.input)),
        page: tool.map_or(PageTier::Ask, |tool| tool.page),
        writes: !access::is_read_only(tool, &call.input),
        leaks: leaks(caller, tool, call).await?,
        denials: denials(caller).await?,
        once: tool.is_some_and(|tool| access::speaks_later(tool, &call.input)),
    })
}

async fn ask(
    caller: &Caller<'_>,
    question: Question<'_>,
    asked: &Asked<'_>,
    stop: &CancellationToken,
) -> Result<std::result::Result<Decided, Refused>> {
    let call = question.call;
    let hub = caller.hub;
    let said = hub.ask_person(caller, question, stop).await?;
    let hash = hash_of(caller.agent, caller.run(), caller.turn().unwrap_or(0), call);
    let may = said.is_yes();
    let decided = |by| Decided {
        by,
        rule: None,
        answer: Some(Answer { approval: said.approval.clone(), hash, by: said.by.clone() }),
    };
    if may {
        // What the person forbade meanwhile counts for more than one answer.
        return Ok(match hub.rules_of(caller.owner, caller.agent).await?.deny(asked) {
            Some((rule, why)) => Err(Refused::denied(why, Decided { rule, ..decided(DecidedBy::Rule) })),
            None => Ok(decided(DecidedBy::Person)),
        });
    }
    Ok(Err(match &said.settled {
        Settled::Decided { word, .. } => {
            if let By::Page { tab } = caller.by {
                tab.calls.deny(caller.agent, &call.name);
            }
            let why = match word {
                Some(word) => format!("The person said no: {word}"),
                None => "The person said no.".to_owned(),
            };
            Refused::denied(why, decided(DecidedBy::Person))
        }
        Settled::Expired => Refused::denied("Nobody said yes in time.".to_owned(), decided(DecidedBy::Time)),
        Settled::Withdrawn => Refused {
            why: "not run: the person pressed Stop".to_owned(),
            denied: false,
            decided: decided(DecidedBy::Default),
        },
    }))
}

/// Whether the call could carry private words out of a conversation that strangers write in.
async fn leaks(caller: &Caller<'_>, tool: Option<&'static Tool>, call: &ToolCall) -> Result<bool> {
    if !taint::is_way_out(tool) {
        return Ok(false);
    }
    let mut connection = caller.hub.store.read().acquire().await?;
    let marks = marks::of(&mut connection, caller.agent, caller.conversation).await?;
    Ok(marks.both()
        && !marks::was_written_by_the_person(&mut connection, caller.conversation, &call.input).await?)
}

/// How many calls of the run were denied, or of the page in this tab.
pub(super) async fn denials(caller: &Caller<'_>) -> Result<u32> {
    let run = match caller.by {
        By::Model { execution, .. } => &execution.run,
        By::Page { tab } => return Ok(tab.calls.denials(caller.agent)),
    };
    let row = sqlx::query("SELECT COUNT(*) FROM tool_calls WHERE run_id = $1 AND outcome = 'denied'")
        .bind(&run.0)
        .fetch_one(caller.hub.store.read())
        .await?;
    Ok(u32::try_from(row.try_get::<i64, _>(0)?).unwrap_or(u32::MAX))
}
