//! What the person wants of a call: by their rules, by what holds without any, or by what they say now.

use super::caller::{Beginner, CallOrigin, Caller};
use super::permit::{Questions, Refused};
use crate::approvals::{Question, hash_of, question_in};
use crate::error::{Error, Result};
use crate::made_tools::OF_SERVERS;
use crate::marks;
use crate::network;
use crate::outbound::Target;
use crate::policy::{PolicyRequest, Ruling, Subject};
use crate::store::query;
use agent::taint::Exposure;
use agent::tools::{ResolvedCall, Risk, Tool, ToolId};
use protocol::approval::{ApprovalOutcome, ApprovalReason};
use protocol::question::Wanted;
use protocol::view::{CallDecider, Network};
use protocol::{ApprovalId, PolicyRuleId, UserId};
use tokio_util::sync::CancellationToken;

/// Who decided about a call.
pub(super) struct Decided {
    pub(super) by: CallDecider,
    pub(super) rule: Option<PolicyRuleId>,
    pub(super) answer: Option<ConsentAnswer>,
}

/// What was said to a question, for the call that it was asked about.
pub(super) struct ConsentAnswer {
    pub(super) approval: ApprovalId,
    pub(super) hash: String,
    pub(super) by: Option<UserId>,
}

impl Decided {
    pub(super) fn by(by: CallDecider) -> Self {
        Self { by, rule: None, answer: None }
    }

    fn by_rule(rule: Option<PolicyRuleId>) -> Self {
        let by = if rule.is_some() { CallDecider::Rule } else { CallDecider::Default };
        Self { by, rule, answer: None }
    }
}

/// Looks at the rules, and asks the person where that is needed.
pub(super) async fn obtain(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    about: &Subject,
    questions: Questions,
    stop: &CancellationToken,
) -> Result<std::result::Result<Decided, Refused>> {
    let asked = asked(caller, call, about).await?;
    let question = match asks(call).transpose() {
        Ok(question) => question,
        Err(why) => return Ok(Err(Refused::mistake(why))),
    };
    if let Some(why) = cannot_be_sent(caller, question.as_ref()).await? {
        return Ok(Err(Refused::mistake(why)));
    }
    let why = match caller.hub.policies().ruling(caller.owner, caller.agent, &asked).await? {
        // To be asked whether one may be asked would be one question too many.
        Ruling::Allow { .. } | Ruling::Ask(_) if question.is_some() => ApprovalReason::Question,
        Ruling::Allow { rule } => return Ok(Ok(Decided::by_rule(rule))),
        Ruling::Deny { rule, why } => return Ok(Err(Refused::denied(why, Decided::by_rule(rule)))),
        Ruling::Ask(why) => why,
    };
    if questions == Questions::No {
        let why = "Not made: a person would have to be asked.".to_owned();
        return Ok(Err(Refused::denied(why, Decided::by(CallDecider::Default))));
    }
    if let CallOrigin::Page { tab } = caller.by
        && tab.calls.was_denied(caller.agent, call.name())
    {
        let why = "The person said no.".to_owned();
        return Ok(Err(Refused::denied(why, Decided::by(CallDecider::Person))));
    }
    let about = about.text().map(str::to_owned);
    let PolicyRequest { risk, once, .. } = asked;
    let strangers = asked.strangers || (question.is_some() && caller.has_read_strangers().await?);
    let reaches = reached_by_command(caller, call).await?;
    let question = Question { call, about, risk, why, once, strangers, reaches, question, nth: 0 };
    ask(caller, question, &asked, stop).await
}

/// What the call asks the person, if that is what it is for.
fn asks(call: &ResolvedCall) -> Option<std::result::Result<protocol::question::Question, String>> {
    call.tool().filter(|tool| tool.id == ToolId::AskUser).map(|_| question_in(call.input()))
}

/// Why the agent could not send the secret for which it asks, where it could not. Then nobody is to enter one.
async fn cannot_be_sent(
    caller: &Caller<'_>,
    question: Option<&protocol::question::Question>,
) -> Result<Option<String>> {
    let Some(Wanted::Secret { place, .. }) = question.map(|question| &question.wanted) else {
        return Ok(None);
    };
    let network = caller.hub.networks().of_agent(caller.root).await?;
    let target = Target::parse(place).map_err(Error::internal)?;
    Ok(network::permit(&network, &target).err())
}

/// What the rules are asked about the call.
pub(super) async fn asked<'a>(
    caller: &Caller<'a>,
    call: &'a ResolvedCall,
    about: &'a Subject,
) -> Result<PolicyRequest<'a>> {
    Ok(PolicyRequest {
        tool: call.name(),
        about,
        asker: caller.asker(),
        run: caller.run(),
        risk: call.risk(),
        page: call.page(),
        writes: !call.is_read_only(),
        leaks: leaks(caller, call, about).await?,
        denials: denials(caller).await?,
        once: call.speaks_later(),
        strangers: call.speaks_later() && caller.has_read_strangers().await?,
    })
}

async fn ask(
    caller: &Caller<'_>,
    question: Question<'_>,
    asked: &PolicyRequest<'_>,
    stop: &CancellationToken,
) -> Result<std::result::Result<Decided, Refused>> {
    let (call, is_question) = (question.call, question.question.is_some());
    let hub = caller.hub;
    let said = hub.approvals().ask(caller, question, stop).await?;
    let hash = hash_of(caller.agent, caller.run(), caller.turn().unwrap_or(0), call);
    let may = said.is_yes();
    let decided = |by| Decided {
        by,
        rule: None,
        answer: Some(ConsentAnswer { approval: said.approval.clone(), hash, by: said.by.clone() }),
    };
    if may {
        // What the person forbade meanwhile counts for more than one answer.
        return Ok(match hub.policies().rules_of(caller.owner, caller.agent).await?.deny(asked) {
            Some((rule, why)) => Err(Refused::denied(why, Decided { rule, ..decided(CallDecider::Rule) })),
            None => Ok(decided(CallDecider::Person)),
        });
    }
    Ok(Err(match &said.settled {
        ApprovalOutcome::Decided { word, .. } => {
            if let CallOrigin::Page { tab } = caller.by {
                tab.calls.deny(caller.agent, call.name());
            }
            let why = match word {
                Some(word) => format!("The person said no: {word}"),
                None => "The person said no.".to_owned(),
            };
            Refused::denied(why, decided(CallDecider::Person))
        }
        ApprovalOutcome::Answered { .. } => return Ok(Ok(decided(CallDecider::Person))),
        ApprovalOutcome::Expired if is_question => return Ok(Ok(decided(CallDecider::Time))),
        ApprovalOutcome::Expired => {
            Refused::denied("Nobody said yes in time.".to_owned(), decided(CallDecider::Time))
        }
        ApprovalOutcome::Withdrawn => Refused {
            why: "not run: the person pressed Stop".to_owned(),
            denied: false,
            decided: decided(CallDecider::Default),
        },
    }))
}

/// Whether the call could carry what is the person's out of a conversation that strangers write in. Where
/// that is what they said, they may have named who is to hear it.
async fn leaks(caller: &Caller<'_>, call: &ResolvedCall, about: &Subject) -> Result<bool> {
    let target = about.target();
    let reads_what_it_finds = call.tool().is_some_and(Tool::reads_what_it_finds);
    let goes_out = !reached_by_command(caller, call).await?.is_empty();
    if target.is_none() && call.elsewhere().is_none() && !reads_what_it_finds && !goes_out {
        return Ok(false);
    }
    // What runs in a room may be what a stranger wrote, whatever is said in the conversation.
    if goes_out && has_words_of_strangers(caller).await? {
        return Ok(true);
    }
    let (conversation, input) = (caller.conversation, call.input());
    let mut connection = caller.hub.store().reader().await?;
    let marks = marks::of(&mut connection, caller.agent).await?;
    let at_stake = match marks.at_stake() {
        // It stands in the prompt, and in no entry. Where a call names no host, no rule could end the asking.
        Exposure::Nothing if target.is_some() && marks.private && is_told_by_servers(caller, call) => {
            Exposure::Private
        }
        at_stake => at_stake,
    };
    // Which pages are read follows from the words that are searched for, and their servers see it; what a command or a
    // program sends nobody sees.
    let Some(target) = target else { return Ok(at_stake != Exposure::Nothing) };
    Ok(match at_stake {
        Exposure::Nothing => false,
        // What a tool elsewhere makes of its input nobody knows.
        Exposure::Said | Exposure::Private if call.elsewhere().is_some() => true,
        Exposure::Said => {
            !marks::was_named_by_the_person(&mut connection, conversation, input, target).await?
        }
        Exposure::Private => !marks::was_written_by_the_person(&mut connection, conversation, input).await?,
    })
}

/// Whether servers elsewhere say to the agent what their tools are, and the call is none of these.
fn is_told_by_servers(caller: &Caller<'_>, call: &ResolvedCall) -> bool {
    call.elsewhere().is_none() && caller.spec.given().any(|tool| tool.name.starts_with(OF_SERVERS))
}

/// Whether strangers may have written a file that a command finds, a skill that it can run in this conversation, or
/// what a session begins with.
async fn has_words_of_strangers(caller: &Caller<'_>) -> Result<bool> {
    if caller.hub.skills().has_read_one_of_strangers(caller.root, caller.conversation).await? {
        return Ok(true);
    }
    let found: Option<i64> = query(
        "SELECT 1 FROM agents a WHERE a.id = $1 AND (
           EXISTS (SELECT 1 FROM terminal_sessions t WHERE t.agent_id = $1 AND t.untrusted = 1)
           OR EXISTS (SELECT 1 FROM files f WHERE f.folder_id = $1 AND f.untrusted = 1
                      AND SUBSTR(f.path, 1, 9) <> '.outputs/')
           OR EXISTS (SELECT 1 FROM files f JOIN workspace_agents w ON w.folder_id = f.folder_id
                      WHERE w.agent_id = $1 AND f.untrusted = 1)
           OR EXISTS (SELECT 1 FROM empty_folders e WHERE e.folder_id = $1 AND e.untrusted = 1)
           OR EXISTS (SELECT 1 FROM empty_folders e JOIN workspace_agents w ON w.folder_id = e.folder_id
                      WHERE w.agent_id = $1 AND e.untrusted = 1))",
        (caller.root,),
    )
    .fetch_optional(caller.hub.store().read())
    .await?;
    Ok(found.is_some())
}

/// Hosts that the call reaches because it is a command.
async fn reached_by_command(caller: &Caller<'_>, call: &ResolvedCall) -> Result<Vec<String>> {
    let is_command = call.tool().is_some_and(|tool| tool.id == ToolId::Terminal) && call.risk() >= Risk::High;
    if !is_command {
        return Ok(Vec::new());
    }
    Ok(match caller.hub.networks().of_commands(caller.root).await? {
        Network::AllowList { hosts } => hosts,
        Network::Off | Network::Public => Vec::new(),
    })
}

impl Caller<'_> {
    /// Whether words of strangers stand in what the agent has seen and been told.
    pub(crate) async fn has_read_strangers(&self) -> Result<bool> {
        self.beginner().has_read_strangers().await
    }
}

impl Beginner {
    /// Whether its agent has read words of strangers.
    pub(crate) async fn has_read_strangers(&self) -> Result<bool> {
        let mut connection = self.hub.store().reader().await?;
        Ok(marks::of(&mut connection, &self.agent).await?.untrusted)
    }
}

/// How many calls of the run were denied, or of the page in this tab.
pub(super) async fn denials(caller: &Caller<'_>) -> Result<u32> {
    let run = match caller.by {
        CallOrigin::Model { execution, .. } => &execution.run,
        CallOrigin::Page { tab } => return Ok(tab.calls.denials(caller.agent)),
    };
    let denied: i64 =
        query("SELECT COUNT(*) FROM tool_calls WHERE run_id = $1 AND outcome = 'denied'", (run,))
            .fetch_one(caller.hub.store().read())
            .await?;
    Ok(u32::try_from(denied).unwrap_or(u32::MAX))
}
