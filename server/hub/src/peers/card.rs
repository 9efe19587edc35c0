//! What an agent elsewhere says of itself: its card, as far as it counts here. All of it is a stranger's words.

use crate::outbound::Target;
use protocol::{told, words};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Characters of a name, and of what it says it is for.
const NAME: usize = 60;
const ABOUT: usize = 300;
/// A message that comes again under its id is the one that came before: what our own hubs promise.
pub(super) const MESSAGES_ONCE: &str = "urn:vivarium:a2a:messages-once";
/// A message says what began the chain that it is a part of, and how deep it stands in that.
pub(crate) const CHAIN: &str = "urn:vivarium:a2a:chain";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Offer {
    pub(super) name: String,
    pub(super) about: String,
    /// Where it is called; of one that cannot be, where its card is.
    pub(super) url: String,
    pub(super) streams: bool,
    pub(super) takes_messages_once: bool,
    #[serde(default)]
    pub(super) takes_chain: bool,
    /// Why it cannot be asked.
    pub(super) problem: Option<String>,
}

impl Offer {
    /// `None`: it is no card. `at` is where it was found; it is called nowhere else than on that server.
    pub(super) fn read(card: &Value, at: &Target) -> Option<Self> {
        let name = on_one_line(card.get("name")?.as_str()?, NAME);
        let interfaces = card.get("supportedInterfaces").and_then(Value::as_array);
        let is_old = card.get("url").is_some() || card.get("protocolVersion").is_some();
        if interfaces.is_none() && !is_old || name.is_empty() {
            return None;
        }
        let interface = interfaces.into_iter().flatten().find(|interface| {
            interface["protocolBinding"] == "JSONRPC"
                && interface["protocolVersion"].as_str().is_some_and(|version| version.starts_with("1."))
        });
        let url = interface.and_then(|interface| interface["url"].as_str()).map(Target::parse);
        let (url, problem) = match url {
            None => (
                None,
                Some(
                    words!("It does not speak A2A 1.0 by JSON-RPC, which is what is spoken here.").to_owned(),
                ),
            ),
            Some(Err(error)) => {
                (None, Some(told!("It says that it is called at no address that is one. {error}")))
            }
            Some(Ok(url)) if url.place() != at.place() => {
                let place = url.place();
                let elsewhere = told!(
                    "It wants to be called at {place}, which is another server than the one where its card is. If that is right, add a peer with that address."
                );
                (None, Some(elsewhere))
            }
            Some(Ok(url)) => (Some(url), None),
        };
        let capabilities = &card["capabilities"];
        let extensions = capabilities["extensions"].as_array();
        let knows = |uri: &str| extensions.into_iter().flatten().any(|extension| extension["uri"] == uri);
        let mut about = on_one_line(card["description"].as_str().unwrap_or_default(), ABOUT);
        if about.is_empty() {
            about = on_one_line(card["skills"][0]["description"].as_str().unwrap_or_default(), ABOUT);
        }
        Some(Self {
            name,
            about,
            url: url.as_ref().unwrap_or(at).url().as_str().to_owned(),
            streams: capabilities["streaming"] == true,
            takes_messages_once: knows(MESSAGES_ONCE),
            takes_chain: knows(CHAIN),
            problem,
        })
    }

    /// Of what it says of itself.
    pub(super) fn digest(&self) -> String {
        let words = format!("{}\n{}\n{}", self.name, self.about, self.url);
        data_encoding::HEXLOWER.encode(&Sha256::digest(words))
    }

    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        self.name == other.name && self.about == other.about
    }
}

/// Without what nobody sees, and without line ends, by which it could pass for something else.
fn on_one_line(text: &str, most: usize) -> String {
    let shown = text.chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter });
    let shown: String = shown.filter(|letter| !is_hidden(*letter)).collect();
    let words: Vec<&str> = shown.split_whitespace().collect();
    words.join(" ").chars().take(most).collect()
}

fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn card(url: &str) -> Value {
        json!({
            "name": " Fern\nof\u{202e} the garden ", "description": "Knows mosses.",
            "supportedInterfaces": [
                { "url": "https://garden.example/rest", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0" },
                { "url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0" },
            ],
            "capabilities": { "streaming": true, "extensions": [{ "uri": MESSAGES_ONCE }] },
        })
    }

    #[test]
    fn a_card_counts_as_far_as_it_is_about_its_own_server() {
        let at = Target::parse("https://garden.example/.well-known/agent-card.json").expect("an address");
        let offer = Offer::read(&card("https://garden.example/rpc"), &at).expect("a card");
        assert_eq!(
            (offer.name.as_str(), offer.url.as_str()),
            ("Fern of the garden", "https://garden.example/rpc")
        );
        assert!(offer.streams && offer.takes_messages_once && offer.problem.is_none());
        for (url, words) in [
            ("https://bank.example/rpc", "another server"),
            ("http://garden.example/rpc", "another server"),
            ("https://garden.example:8443/rpc", "another server"),
            ("http://169.254.169.254/", "another server"),
            ("file:///etc/passwd", "no address"),
        ] {
            let problem = Offer::read(&card(url), &at).expect("a card").problem.expect(url);
            assert!(problem.contains(words), "{url}: {problem}");
        }
        let old = json!({ "name": "Old", "url": "https://garden.example/", "protocolVersion": "0.3.0" });
        assert!(Offer::read(&old, &at).expect("a card").problem.is_some());
        for nothing in
            [json!({}), json!({ "name": "x" }), json!([]), json!({ "name": "\u{200b}", "url": "x" })]
        {
            assert_eq!(Offer::read(&nothing, &at), None, "{nothing}");
        }
    }
}
