//! Pages side by side, but of one server one after the other.

use crate::gateway::Caller;
use crate::outbound::Target;
use crate::tools::ToolError;
use crate::tools::fetch::read_found;
use crate::web_search::MergedHit;
use agent::tools::ResolvedCall;
use futures_util::future::join_all;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// For all pages.
const WHOLE: Duration = Duration::from_secs(25);
/// Characters of a title, a name or a date that a page gives itself.
const SAID: usize = 200;

/// What a page says. What it does not say of itself is as the search found it.
pub(super) struct PageText {
    /// Where it was read in the end.
    pub(super) url: Option<String>,
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) date: Option<String>,
    pub(super) text: String,
}

/// Each page in the order of the hits, or why it was not read.
pub(super) async fn read_all(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    hits: &[MergedHit],
) -> Vec<Result<PageText, String>> {
    let mut servers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, hit) in hits.iter().enumerate() {
        servers.entry(hit.hit.url.origin().ascii_serialization()).or_default().push(at);
    }
    let until = Instant::now() + WHOLE;
    let read = servers.into_values().map(async |pages| {
        let mut read = Vec::new();
        for at in pages {
            let page = timeout_at(until, read_one(caller, call, &hits[at])).await;
            read.push((at, page.unwrap_or_else(|_| Err("There was no time left for it.".to_owned()))));
        }
        read
    });
    let read: BTreeMap<_, _> = join_all(read).await.into_iter().flatten().collect();
    read.into_values().collect()
}

async fn read_one(caller: &Caller<'_>, call: &ResolvedCall, hit: &MergedHit) -> Result<PageText, String> {
    let target = Target::parse_without_fragment(hit.hit.url.as_str()).map_err(|error| error.to_string())?;
    let told = read_found(caller, call, target).await.map_err(|ToolError(why)| why)?;
    page_of(&told)
}

/// The page in an answer of `fetch`.
fn page_of(told: &Value) -> Result<PageText, String> {
    let said = |name: &str| told[name].as_str().map(|text| text.chars().take(SAID).collect::<String>());
    if let Some(why) = said("as_it_is") {
        return Err(why);
    }
    match told["status"].as_u64().unwrap_or_default() {
        200..=299 => {}
        status => return Err(format!("It answered with status {status}.")),
    }
    if let Some(why) = told["binary"]["not_read"].as_str() {
        return Err(why.to_owned());
    }
    if let Some(kind) = told["binary"]["type"].as_str() {
        return Err(format!("It is no text but {kind}."));
    }
    let text = told["text"].as_str().unwrap_or_default();
    if text.trim().is_empty() {
        return Err("It says nothing without its scripts.".to_owned());
    }
    let url = told["url"].as_str().map(str::to_owned);
    let (title, author, date) = (said("title"), said("author"), said("published"));
    Ok(PageText { url, title, author, date, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_a_page_that_says_something_is_one() {
        for (told, expected) in [
            (json!({ "status": 200, "url": "u", "text": "Moss." }), Ok("Moss.")),
            (json!({ "status": 404, "text": "No moss." }), Err("It answered with status 404.")),
            (json!({ "status": 200, "text": " \n" }), Err("It says nothing without its scripts.")),
            (
                json!({ "status": 200, "binary": { "type": "image/png", "bytes": 7 } }),
                Err("It is no text but image/png."),
            ),
            (
                json!({ "status": 200, "binary": { "type": "application/pdf", "not_read": "It is encrypted." } }),
                Err("It is encrypted."),
            ),
            (json!({ "status": 200, "text": "<p>", "as_it_is": "Too deep." }), Err("Too deep.")),
        ] {
            let page = page_of(&told).map(|page| page.text);
            assert_eq!(page.as_deref().map_err(String::as_str), expected, "{told}");
        }
    }
}
