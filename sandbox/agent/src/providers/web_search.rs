//! The search of the web that a provider has itself, as the one tool of a request that has no others.

use super::{HttpRequest, Wire};
use serde_json::{Value, json};

impl Wire {
    /// The same request of a model that may search, so often at most where the wire can say it. Where there is no
    /// such tool it stays as it is.
    pub fn searching(&self, request: HttpRequest, most: u32) -> HttpRequest {
        let added = match self {
            // <https://docs.claude.com/en/docs/agents-and-tools/tool-use/web-search-tool>
            Self::Anthropic => json!({
                "tools": [{ "type": "web_search_20250305", "name": "web_search", "max_uses": most }],
            }),
            // <https://platform.openai.com/docs/guides/tools-web-search>
            Self::OpenAiResponses => json!({ "tools": [{ "type": "web_search" }], "max_tool_calls": most }),
            // <https://ai.google.dev/gemini-api/docs/google-search>
            Self::Gemini => json!({ "tools": [{ "google_search": {} }] }),
            Self::OpenAiChat(_) | Self::Ollama | Self::Bedrock => return request,
        };
        let (Ok(Value::Object(mut body)), Value::Object(added)) =
            (serde_json::from_slice(&request.body), added)
        else {
            return request;
        };
        body.extend(added);
        HttpRequest { body: Value::Object(body).to_string().into_bytes(), ..request }
    }
}
