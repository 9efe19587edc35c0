//! Why this browser got no answer, in words that say what to do. A browser itself does not tell.

use protocol::agent::ProviderKind;
use protocol::{told, words};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectError {
    /// It is there, and does not let pages of ours read its answers (CORS).
    Refused,
    /// This page was made before it was allowed to connect there.
    Blocked,
    /// A page that came over HTTPS may not call plain HTTP in the network.
    Insecure,
    /// Nothing answers.
    Silent,
}

/// Who asks whom.
#[derive(Clone, Debug)]
pub struct Endpoint<'a> {
    pub kind: ProviderKind,
    /// The server's scheme, host and port.
    pub server: &'a str,
    /// Scheme, host and port of our page.
    pub page: &'a str,
}

impl ConnectError {
    /// A sentence that goes into the log, too.
    pub fn words(self, place: &Endpoint) -> String {
        let Endpoint { kind, server, page } = place;
        match self {
            Self::Refused => {
                let how = match kind {
                    ProviderKind::Ollama => {
                        told!("Start Ollama with OLLAMA_ORIGINS={page} in its environment.")
                    }
                    ProviderKind::LmStudio => {
                        let how = words!(
                            "In LM Studio, turn on \u{201c}Enable CORS\u{201d} in the settings of the local server."
                        );
                        how.to_owned()
                    }
                    ProviderKind::Anthropic
                    | ProviderKind::OpenAi
                    | ProviderKind::OpenAiResponses
                    | ProviderKind::Gemini
                    | ProviderKind::Bedrock
                    | ProviderKind::Azure
                    | ProviderKind::Groq
                    | ProviderKind::OpenRouter
                    | ProviderKind::DeepSeek
                    | ProviderKind::Mistral
                    | ProviderKind::XAi
                    | ProviderKind::LlamaCpp
                    | ProviderKind::InBrowser
                    | ProviderKind::Scripted => told!("Let it answer pages of {page} (CORS)."),
                };
                told!("{server} is there, but does not let this page read its answers. {how}")
            }
            Self::Blocked => {
                told!("This page was opened before it was allowed to call {server}. Load it again.")
            }
            Self::Insecure => told!(
                "This page came over HTTPS, and then browsers call {server} only over HTTPS too. Run the \
                 model on this device itself, at http://localhost, or give its server a certificate."
            ),
            Self::Silent => told!(
                "No model server answers this browser at {server}. Start it, or check its address under \
                 Providers."
            ),
        }
    }

    /// What it is, from what can be seen: whether the server answers a request whose answer nobody may
    /// read, and whether our own policy kept this page from asking.
    pub fn of(is_there: bool, is_blocked: bool, place: &Endpoint) -> Self {
        let is_plain = place.page.starts_with("https:") && place.server.starts_with("http:");
        match (is_there, is_blocked) {
            (true, _) => Self::Refused,
            (false, true) => Self::Blocked,
            (false, false) if is_plain && !is_own(place.server) => Self::Insecure,
            (false, false) => Self::Silent,
        }
    }
}

/// Whether it is this device itself, which browsers trust without a certificate.
fn is_own(server: &str) -> bool {
    let host = server.split_once("://").map_or(server, |(_, rest)| rest);
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_seen_says_what_is_wrong() {
        let table = [
            (true, false, "http://hub.lan", "http://localhost:1", ConnectError::Refused),
            (true, true, "https://hub.lan", "http://10.0.0.1", ConnectError::Refused),
            (false, true, "https://hub.lan", "http://10.0.0.1", ConnectError::Blocked),
            (false, false, "https://hub.lan", "http://10.0.0.1:11434", ConnectError::Insecure),
            (false, false, "https://hub.lan", "https://10.0.0.1:11434", ConnectError::Silent),
            (false, false, "https://hub.lan", "http://localhost:11434", ConnectError::Silent),
            (false, false, "https://hub.lan", "http://127.0.0.1:11434", ConnectError::Silent),
            (false, false, "http://hub.lan", "http://10.0.0.1:11434", ConnectError::Silent),
        ];
        for (is_there, is_blocked, page, server, expected) in table {
            let place = Endpoint { kind: ProviderKind::Ollama, server, page };
            assert_eq!(ConnectError::of(is_there, is_blocked, &place), expected, "{place:?}");
        }
    }

    #[test]
    fn a_refusal_tells_how_to_open_the_server() {
        for (kind, expected) in [
            (ProviderKind::Ollama, "OLLAMA_ORIGINS=http://hub.lan "),
            (ProviderKind::LmStudio, "Enable CORS"),
            (ProviderKind::OpenAi, "pages of http://hub.lan"),
        ] {
            let place = Endpoint { kind, server: "http://localhost:1", page: "http://hub.lan" };
            let words = ConnectError::Refused.words(&place);
            assert!(words.contains(expected), "{words}");
        }
    }
}
