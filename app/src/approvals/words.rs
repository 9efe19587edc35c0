//! Approvals in plain words.

use crate::prelude::{say, t};
use protocol::agent::ToolRisk;
use protocol::approval::{Approval, ApprovalOutcome, ApprovalReason, Asker, Decision};
use protocol::model::ToolCall;
use protocol::question::Answer;
use serde_json::Value;

/// How often a yes can be made to hold.
pub const TIMES: [u32; 7] = [1, 2, 3, 5, 10, 20, 100];

/// What the agent wants, in one sentence.
pub fn question(name: &str, approval: &Approval) -> String {
    let tool = &approval.call.name;
    if let Some(question) = &approval.question {
        if approval.why == ApprovalReason::Unknown {
            return question.text.clone();
        }
        let asker = question.server.as_deref().unwrap_or(name);
        return say!("{asker} asked: {question}", question = question.text);
    }
    if let Some(server) = &approval.page_of {
        return say!("A page of the MCP server {server} wants to use {tool}.");
    }
    match approval.asker {
        Asker::Model => say!("{name} wants to use {tool}."),
        Asker::Page => say!("The page of {name} wants to use {tool}."),
    }
}

/// What the call is made with, letter for letter.
pub fn input_words(call: &ToolCall) -> String {
    match &call.input {
        Value::String(text) => text.clone(),
        input => serde_json::to_string_pretty(input).unwrap_or_default(),
    }
}

pub fn times_words(times: u32) -> String {
    match times {
        1 => t("once").to_owned(),
        2 => t("twice").to_owned(),
        times => say!("{times} times"),
    }
}

/// Why a person is asked, and whose words may be behind it.
pub fn reason(approval: &Approval) -> String {
    let why = why(approval);
    match approval.strangers {
        true => say!("{why} The agent has read words of strangers, who may have asked for it."),
        false => why,
    }
}

fn why(approval: &Approval) -> String {
    let place = match approval.call.name.as_str() {
        "research_topic" => t("the pages that a search finds"),
        _ => approval.about.as_deref().unwrap_or_else(|| t("somewhere else")),
    };
    let words = match approval.why {
        ApprovalReason::Risk if approval.once => {
            t("It decides what the agent is told later, so it is agreed to by itself each time.")
        }
        ApprovalReason::Risk if approval.call.name == "location" => {
            t("It learns where you are, as your device knows it.")
        }
        ApprovalReason::Risk if reads_the_clipboard(&approval.call) => {
            t("It learns what you copied last on your device.")
        }
        ApprovalReason::Risk => t("It can change things that nobody can change back here."),
        ApprovalReason::Rule => t("A rule of yours wants you to be asked."),
        ApprovalReason::Page => t("It reaches beyond the page's own things."),
        ApprovalReason::Denials => {
            t("Three calls were denied already. It would change something all the same.")
        }
        ApprovalReason::Question => t("It asks you something."),
        ApprovalReason::Unknown => t("The hub stopped while it was under way."),
        ApprovalReason::WayOut => {
            return say!(
                "This conversation holds words of strangers, or the agent's tools are described by others, who may have \
                 asked for this, and things that are yours alone. The call could carry them to {place}."
            );
        }
    };
    words.to_owned()
}

fn reads_the_clipboard(call: &ToolCall) -> bool {
    call.name == "clipboard" && call.input.get("action").and_then(Value::as_str) == Some("read")
}

/// What an answer is for that holds for longer than once.
pub fn calls_like_it(approval: &Approval) -> String {
    let Approval { call, about, risk, .. } = approval;
    let about = about.as_ref().map(|about| say!(" about {about}")).unwrap_or_default();
    let limit = t(match risk {
        ToolRisk::None => " that only look",
        ToolRisk::Low => " with low risk at most",
        ToolRisk::Medium => " with some risk at most, so none that change things elsewhere",
        ToolRisk::High => " with high risk at most",
    });
    say!("Allow this and calls of {tool}{about}{limit}:", tool = call.name)
}

/// For whom an answer to a sub-agent holds, if it is one that asks: its name begins with whose it is.
pub fn words_for_all(name: &str) -> Option<String> {
    let (agent, _) = name.split_once(" › ")?;
    Some(say!("Half an hour and always hold for {agent} and all its sub-agents."))
}

/// How it ended, and on which device.
pub fn answered(approval: &Approval, settled: &ApprovalOutcome) -> String {
    let default = approval.question.as_ref().map(|question| question.default.as_ref());
    let of_server = approval.question.as_ref().is_some_and(|question| question.server.is_some());
    match settled {
        ApprovalOutcome::Decided { decision, device, .. } => {
            let said = t(match decision {
                Decision::Once => "Allowed once",
                Decision::Run => "Allowed for this run",
                Decision::HalfHour => "Allowed for half an hour",
                Decision::Always => "Always allowed",
                Decision::Deny => "Denied",
            });
            say!("{said}, on {device}.")
        }
        ApprovalOutcome::Answered { answer: Answer::Skipped, device } if of_server => {
            say!("Declined, on {device}.")
        }
        ApprovalOutcome::Answered { answer: Answer::Skipped, device } => say!("Skipped, on {device}."),
        ApprovalOutcome::Answered { answer, device } => {
            say!("Answered {answer}, on {device}.", answer = answer_words(answer))
        }
        ApprovalOutcome::Expired => match default {
            Some(Some(default)) => {
                say!("Nobody answered in time, so {answer} holds.", answer = answer_words(default))
            }
            Some(None) if approval.why == ApprovalReason::Unknown => {
                t("Nobody answered in time, so nobody knows what came of it.").to_owned()
            }
            Some(None) => t("Nobody answered in time, so it went on without an answer.").to_owned(),
            None => t("Nobody answered in time, so it was not made.").to_owned(),
        },
        ApprovalOutcome::Withdrawn => t("Nobody waits for it any more.").to_owned(),
    }
}

/// What was said, between quotation marks where those are words.
pub fn answer_words(answer: &Answer) -> String {
    let quoted = |text: &str| say!("\u{201c}{text}\u{201d}");
    match answer {
        Answer::Chosen { labels, other } if labels.is_empty() && other.is_none() => {
            t("none of them").to_owned()
        }
        Answer::Chosen { labels, other } => {
            let said: Vec<String> = labels.iter().chain(other).map(|label| quoted(label)).collect();
            said.join(", ")
        }
        Answer::Text { text } => quoted(text),
        Answer::Number { number } => number.to_string(),
        Answer::Date { date } => date.clone(),
        Answer::File { file } => say!("with the file {name}", name = file.name),
        Answer::Kept => t("with a secret").to_owned(),
        Answer::Form { fields } if fields.is_empty() => t("yes").to_owned(),
        Answer::Form { fields } => {
            let said = fields.iter().map(|field| format!("{} {}", field.name, answer_words(&field.answer)));
            said.collect::<Vec<_>>().join(", ")
        }
        Answer::Skipped => t("nothing").to_owned(),
    }
}
