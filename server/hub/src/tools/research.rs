//! `research_topic`: what was found, read side by side, and of each page what fits the question.

mod blocks;
mod read;
mod weigh;

use super::ToolError;
use super::web_search::{NOTE, asked, failures, nobody};
use crate::gateway::Caller;
use crate::web_search::{Found, MergedHit, Wanted};
use agent::context::RESULT_CHARS;
use agent::tools::{MOST_PAGES, ResolvedCall, USUAL_PAGES};
use read::{PageText, read_all};
use serde_json::{Value, json};
use weigh::{Fitting, Weighed};

/// Pages that are named besides, for whoever wants to read on.
const SPARE: usize = 3;
/// Bytes of the parts of all pages, the most that fit.
const PARTS: [usize; 6] = [6400, 5200, 4000, 2800, 1600, 800];
/// Characters of what a source says of a page that was not read.
const SNIPPET: usize = 160;

pub(super) async fn research(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let input = call.input();
    let pages = input.get("pages").and_then(Value::as_u64).and_then(|pages| usize::try_from(pages).ok());
    let pages = pages.unwrap_or(USUAL_PAGES).clamp(1, MOST_PAGES);
    let (wanted, named) = asked(call, caller.hub.now())?;
    let wanted = Wanted { count: pages + SPARE, ..wanted };
    let payer = caller.payer(call);
    let found =
        caller.hub.web_search().find(caller.owner, caller.root, &wanted, &named, payer.as_ref()).await?;
    if found.answered.is_empty() {
        return Err(nobody(&found));
    }
    let question = input.get("question").and_then(Value::as_str).unwrap_or(&wanted.query);
    let (first, others) = found.hits.split_at(pages.min(found.hits.len()));
    let read = read_all(caller, call, first).await;
    let texts = read.iter().map(|page| page.as_ref().map_or("", |page| page.text.as_str()));
    let weighed = Weighed::of(question, texts);
    let told = PARTS.map(|most| tell(&found, (first, &read), others, &weighed.parts(most)).to_string());
    let [.., shortest] = &told;
    Ok(told.iter().find(|told| told.len() <= RESULT_CHARS).unwrap_or(shortest).clone())
}

type Outcome = Result<PageText, String>;

fn tell(
    found: &Found,
    (first, read): (&[MergedHit], &[Outcome]),
    others: &[MergedHit],
    parts: &[Fitting],
) -> Value {
    let mut results: Vec<Value> =
        first.iter().zip(read).zip(parts).map(|((hit, read), parts)| result(hit, read, parts)).collect();
    results.extend(others.iter().map(|hit| {
        let mut told = head(hit);
        told["not_read"] = json!("It is not among the first.");
        told
    }));
    let mut told = json!({ "note": NOTE, "results": results, "asked": found.answered });
    if let Some(failed) = failures(found) {
        told["failed"] = failed;
    }
    told
}

fn result(hit: &MergedHit, read: &Outcome, parts: &Fitting) -> Value {
    let mut told = head(hit);
    match read {
        Ok(page) => {
            let known =
                [("url", &page.url), ("title", &page.title), ("author", &page.author), ("date", &page.date)];
            for (name, value) in known {
                if let Some(value) = value {
                    told[name] = json!(value);
                }
            }
            told["parts"] = json!(parts.parts);
            if let Some(remark) = remark(parts) {
                told["remark"] = json!(remark);
            }
        }
        Err(why) => {
            told["not_read"] = json!(why);
            let snippet: String = hit.hit.snippet.chars().take(SNIPPET).collect();
            told["snippet"] = json!(snippet);
        }
    }
    told
}

fn remark(parts: &Fitting) -> Option<&'static str> {
    match (parts.fits, parts.parts.is_empty()) {
        (true, false) => None,
        (true, true) => Some("It says the same as a page above."),
        (false, _) => Some("No word of the question stands in it. This is how it begins."),
    }
}

fn head(MergedHit { hit, from, .. }: &MergedHit) -> Value {
    let from: Vec<&str> = from.iter().map(|kind| kind.label()).collect();
    let mut told = json!({ "title": hit.title, "url": hit.url.as_str(), "from": from });
    if let Some(date) = &hit.date {
        told["date"] = json!(date);
    }
    told
}
