//! A call that was under way when its hub stopped, and may have changed something elsewhere. Nothing here tells whether
//! it did, so its person says what came of it. Without their word it is not made again.

use super::audit::{Ending, close};
use super::caller::{CallOrigin, Caller};
use super::counts::{self, Ended};
use super::{Call, GatewayResult, RESULT, answer};
use crate::approvals::{self, AFTERWARDS, AGAIN, ApprovalResult, Question};
use crate::error::Result;
use crate::policy::Subject;
use crate::runs::{OUTCOME_UNKNOWN, refusal};
use crate::store::query;
use agent::tools::ResolvedCall;
use protocol::approval::{ApprovalOutcome, ApprovalReason};
use protocol::log::EntryBody;
use protocol::model::ToolCall;
use protocol::question::{self, Answer, QuestionOption, Wanted};
use protocol::{CallId, RunId};
use tokio_util::sync::CancellationToken;

/// Then the agent goes on, and is told that nobody knows.
const WAIT_MINUTES: u32 = 60;

const WAS_DONE: &str = "It was done";
const WAS_NOT_DONE: &str = "It was not done";

const DONE: &str =
    "Done: your person says so. The hub stopped before the answer came, so what it said is not known.";
const NOT_DONE: &str = "not run: the hub stopped, and your person says that it was not done. Make it again if it is still wanted.";

/// What came of the call before the hub stopped. `None`: it is to be made, for the first time or again.
pub(super) async fn cleared_up(
    caller: &Caller<'_>,
    call: &Call,
    stop: &CancellationToken,
) -> Result<Option<GatewayResult>> {
    let CallOrigin::Model { execution, turn } = caller.by else { return Ok(None) };
    let (resolved, run) = (&call.resolved, &execution.run);
    if !is_unsure(caller, run, turn, resolved.id()).await? {
        return Ok(None);
    }
    let asked = resolved.asked();
    // To ask about what only looks, as its server says, would be one question too many.
    let looks = call.elsewhere.as_ref().is_some_and(|tool| tool.says_it_only_looks);
    let said = if looks { None } else { Some(ask(caller, resolved, run, turn, stop).await?) };
    let chosen = said.as_ref().and_then(|said| match &said.settled {
        ApprovalOutcome::Answered { answer: Answer::Chosen { labels, .. }, .. } => labels.first(),
        _ => None,
    });
    let mut appending = caller.hub.log().appending().await?;
    execution.require_running(&mut appending).await?;
    if let Some(said) = &said {
        approvals::take(&mut appending, &said.approval, &said.hash).await?;
    }
    let ended = Ended::OfModel { run, turn, call: resolved.id() };
    let (result, ending) = match chosen.map(String::as_str) {
        Some(AGAIN) => {
            counts::count(&mut appending.tx, ended, "unknown", caller.hub.now()).await?;
            appending.reopen_call(run, turn, resolved.id()).await?;
            caller.hub.log().commit(appending).await?;
            return Ok(None);
        }
        Some(WAS_DONE) => (answer(asked, DONE.to_owned().into(), RESULT), Ending::Done),
        Some(WAS_NOT_DONE) => (refusal(asked, NOT_DONE), Ending::NotMade),
        Some(_) | None => (refusal(asked, OUTCOME_UNKNOWN), Ending::Unknown),
    };
    close(&mut appending, caller, resolved.id(), ending).await?;
    let body = EntryBody::ToolFinished { turn, result: result.clone(), millis: 0, denied: false };
    appending.append(&caller.place(), body).await?;
    caller.hub.log().commit(appending).await?;
    Ok(Some(GatewayResult { result, denied: false }))
}

async fn is_unsure(caller: &Caller<'_>, run: &RunId, turn: u32, call: &CallId) -> Result<bool> {
    query(
        "SELECT 1 FROM tool_calls
         WHERE run_id = $1 AND turn = $2 AND call_id = $3 AND unsure = 1 AND finished_at IS NULL",
        (run, turn, call),
    )
    .exists(caller.hub.store().read())
    .await
}

/// Each time that the hub stopped during this call is asked about by itself.
async fn ask(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    run: &RunId,
    turn: u32,
    stop: &CancellationToken,
) -> Result<ApprovalResult> {
    let before: i64 = query(
        "SELECT COUNT(*) FROM approvals
         WHERE run_id = $1 AND turn = $2 AND call_id = $3 AND nth >= $4 AND taken_at IS NOT NULL",
        (run, turn, call.id(), AFTERWARDS),
    )
    .fetch_one(caller.hub.store().read())
    .await?;
    let about = Subject::of(call).ok().and_then(|about| about.text().map(str::to_owned));
    let question = Question {
        call,
        risk: call.risk(),
        why: ApprovalReason::Unknown,
        once: false,
        strangers: false,
        reaches: Vec::new(),
        question: Some(question_about(call.asked(), about.as_deref())),
        about,
        nth: AFTERWARDS.saturating_add(u32::try_from(before).unwrap_or(u32::MAX)),
    };
    caller.hub.approvals().ask(caller, question, stop).await
}

fn question_about(call: &ToolCall, about: Option<&str>) -> question::Question {
    let about = about.map(|about| format!(" to {about}")).unwrap_or_default();
    let option = |label: &str, description: &str| QuestionOption {
        label: label.to_owned(),
        description: Some(description.to_owned()),
    };
    question::Question {
        server: None,
        text: format!(
            "The hub stopped while {}{about} was under way. It may have come to its end there, or not. What came of it?",
            call.name
        ),
        wanted: Wanted::Choice {
            options: vec![
                option(WAS_DONE, "The agent goes on, without the answer that it would have got."),
                option(WAS_NOT_DONE, "The agent is told so, and may ask to make it again."),
                option(AGAIN, "Once more, as it stands here. If it was done before, it is done twice."),
            ],
            other: false,
        },
        default: None,
        wait_minutes: WAIT_MINUTES,
    }
}
