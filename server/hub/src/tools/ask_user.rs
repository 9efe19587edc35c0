//! `ask_user`: what a person said to a question, as data. The gateway has asked it, and waited.

use super::ToolError;
use super::files::UPLOADS;
use crate::files;
use crate::gateway::Caller;
use agent::tools::ResolvedCall;
use protocol::approval::ApprovalOutcome;
use protocol::question::{Answer, Question, Wanted};
use serde_json::{Value, json};

pub(super) async fn answer(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let nobody = || ToolError("Nobody was asked.".to_owned());
    let (run, turn) = caller.run().zip(caller.turn()).ok_or_else(nobody)?;
    let asked = caller.hub.approvals().asked_by(run, turn, call.id()).await?;
    let (question, ended) = asked.ok_or_else(nobody)?;
    let result = match ended {
        ApprovalOutcome::Answered { answer: Answer::Skipped, .. } => json!({
            "answered": false,
            "why": "Your person skipped the question. Go on without an answer, or say what you cannot do.",
        }),
        ApprovalOutcome::Answered { answer, device } => {
            with(json!({ "answered": true, "device": device }), said(caller, &question, &answer).await?)
        }
        ApprovalOutcome::Expired => late(caller, &question).await?,
        ApprovalOutcome::Decided { .. } | ApprovalOutcome::Withdrawn => return Err(nobody()),
    };
    Ok(result.to_string())
}

async fn late(caller: &Caller<'_>, question: &Question) -> Result<Value, ToolError> {
    let nobody = format!("Nobody answered within {}.", in_words(question.wait_minutes));
    Ok(match &question.default {
        Some(default) => {
            let why = format!("{nobody} The default holds.");
            with(json!({ "answered": false, "why": why }), said(caller, question, default).await?)
        }
        None => json!({ "answered": false, "why": format!("{nobody} Go on as well as you can without.") }),
    })
}

/// The answer, and whether it is none of the options, or what stands beside them.
async fn said(caller: &Caller<'_>, question: &Question, answer: &Answer) -> Result<Value, ToolError> {
    let is_one = matches!(question.wanted, Wanted::Choice { .. });
    Ok(match answer {
        Answer::Chosen { labels, other: Some(own) } if is_one && labels.is_empty() => {
            json!({ "answer": own, "own_words": true })
        }
        Answer::Chosen { labels, .. } if is_one => json!({ "answer": labels.first() }),
        Answer::Chosen { labels, other: Some(own) } => json!({ "answer": labels, "other": own }),
        Answer::Chosen { labels, other: None } => json!({ "answer": labels }),
        Answer::Text { text } => json!({ "answer": text }),
        Answer::Number { number } => json!({ "answer": number }),
        Answer::Date { date } => json!({ "answer": date }),
        Answer::File { file } => {
            let uploads = files::uploads(caller.hub.store().read(), caller.agent).await?;
            let upload = uploads.into_iter().find(|upload| upload.id == file.id);
            let upload =
                upload.ok_or_else(|| ToolError("The file is not kept any more. Ask again.".to_owned()))?;
            json!({ "answer": format!("{UPLOADS}/{}", upload.path), "type": file.mime, "bytes": file.size })
        }
        Answer::Kept => sending(&question.wanted),
        // None of its questions is a form.
        Answer::Form { .. } | Answer::Skipped => json!({}),
    })
}

/// How a secret is used that the agent does not see.
fn sending(wanted: &Wanted) -> Value {
    let Wanted::Secret { name, place, .. } = wanted else { return json!({}) };
    let how = format!(
        "You never see it. To send it, call fetch with `secret`: {name}, at an address that begins with {place}/."
    );
    json!({ "secret": name, "host": place, "how": how })
}

fn with(mut result: Value, more: Value) -> Value {
    if let (Value::Object(result), Value::Object(more)) = (&mut result, more) {
        result.extend(more);
    }
    result
}

fn in_words(minutes: u32) -> String {
    match minutes {
        1 => "a minute".to_owned(),
        minutes if minutes % 1440 == 0 && minutes > 1440 => format!("{} days", minutes / 1440),
        1440 => "a day".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}
