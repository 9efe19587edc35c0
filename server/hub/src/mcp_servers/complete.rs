//! What a server suggests for an argument of one of its prompts, or for a part of an address of what it has to read,
//! while its person writes it.

use super::client::{Asked, Client};
use super::failure::McpFailure;
use super::resources::ADDRESS;
use super::visible::visible;
use super::{McpServers, OwnMcpServers, rows};
use crate::error::{Error, Result};
use protocol::view::{McpPromptValue, McpServerView};
use protocol::{AgentId, McpServerId, UserId};
use serde_json::{Map, Value, json};
use std::time::Duration;
use tokio::time::timeout;

/// Whoever writes does not wait for longer.
const LIMIT: Duration = Duration::from_secs(5);
/// Suggestions, and characters of one and of what it is for.
const MOST_SUGGESTIONS: usize = 20;
const LONGEST: usize = 200;
const WRITTEN: usize = 1_000;

/// What somebody fills in.
#[derive(Clone, Copy, Debug)]
pub enum FilledIn<'a> {
    /// The prompt of this name.
    Prompt(&'a str),
    /// An address with parts in braces.
    Template(&'a str),
}

impl OwnMcpServers<'_> {
    /// What may stand for this argument, beginning with what of it is written already. `others` are the arguments
    /// that are filled in. None: the server suggests nothing.
    pub async fn complete(
        self,
        id: &McpServerId,
        agent: &AgentId,
        filled_in: FilledIn<'_>,
        argument: &McpPromptValue,
        others: &[McpPromptValue],
    ) -> Result<Vec<String>> {
        let server = self.given(id, agent).await?;
        let owner = &self.scoped.viewer.me.id;
        let (reference, known) = match filled_in {
            FilledIn::Prompt(name) => {
                let prompts = rows::prompts(self.scoped.hub.store().read(), self.scoped.owner(), id).await?;
                let prompt = prompts.into_iter().find(|it| it.name == name);
                let prompt = prompt.ok_or(Error::NotFound("prompt"))?;
                let known: Vec<String> = prompt.arguments.into_iter().map(|it| it.name).collect();
                (json!({ "type": "ref/prompt", "name": prompt.name }), known)
            }
            FilledIn::Template(uri) => (json!({ "type": "ref/resource", "uri": uri }), parts(uri)),
        };
        let is_known = |name: &str| known.iter().any(|known| known == name);
        if !is_known(&argument.name) {
            return Err(Error::NotFound("argument"));
        }
        let is_short = |value: &McpPromptValue| value.value.chars().count() <= WRITTEN;
        if !is_short(argument) {
            return Ok(Vec::new());
        }
        let filled: Map<String, Value> = others
            .iter()
            .filter(|other| other.name != argument.name && is_known(&other.name) && is_short(other))
            .filter(|other| !other.value.is_empty())
            .map(|other| (other.name.clone(), json!(other.value)))
            .collect();
        let mut params = json!({
            "ref": reference,
            "argument": { "name": argument.name, "value": argument.value },
        });
        if !filled.is_empty() {
            params["context"] = json!({ "arguments": filled });
        }
        let (hub, owner, name) = (self.scoped.hub.clone(), owner.clone(), server.name.clone());
        // A sign-in that is renewed on the way is not broken off, or its server would take it for a stolen one.
        let asking = self
            .scoped
            .hub
            .tasks()
            .complete(async move { hub.mcp_servers().completed(&owner, &server, params).await });
        let suggested = match timeout(LIMIT, asking).await {
            Ok(suggested) => suggested?,
            Err(_) => Err(McpFailure::TooLate(LIMIT.as_secs())),
        };
        suggested.map_err(|failure| Error::Upstream(format!("{name}: {failure}")))
    }
}

impl McpServers<'_> {
    async fn completed(
        self,
        owner: &UserId,
        server: &McpServerView,
        params: Value,
    ) -> std::result::Result<Vec<String>, McpFailure> {
        let _turn = self.turn(owner).await?;
        let client = self.client(owner, &server.id, &server.name, &server.url).await?;
        let completed = match asked(&client, &params).await {
            Err(McpFailure::LoginNeeded) if self.signed_in_again(owner, &client).await? => {
                asked(&client, &params).await
            }
            other => other,
        };
        match completed {
            Err(McpFailure::LoginNeeded) => Err(self.signed_out(owner, &client).await?),
            Err(other) => Err(other),
            Ok(result) => Ok(suggestions(&client.without_secrets(&result.to_string()))),
        }
    }
}

async fn asked(client: &Client<'_>, params: &Value) -> std::result::Result<Value, McpFailure> {
    if !client.met().await?.completions {
        return Ok(Value::Null);
    }
    let about = params.pointer("/ref/name").and_then(Value::as_str);
    let params = params.clone();
    client.ask(&Asked { method: "completion/complete", about, params, mirrored: Vec::new() }).await
}

/// The names of what stands in braces.
fn parts(template: &str) -> Vec<String> {
    if template.len() > ADDRESS {
        return Vec::new();
    }
    let inside = template.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    let names =
        inside.flat_map(|inside| inside.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']).split(','));
    // How long a part is at most, and that it is a list, stand behind its name.
    let names = names.map(|name| name.split([':', '*']).next().unwrap_or_default());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Those that can be seen and written in one line.
fn suggestions(result: &str) -> Vec<String> {
    let result: Value = serde_json::from_str(result).unwrap_or_default();
    let values = result.pointer("/completion/values").and_then(Value::as_array).cloned().unwrap_or_default();
    let plain = |value: &Value| {
        let value = value.as_str()?;
        let is_plain = !value.trim().is_empty() && !value.contains('\n') && visible(value, LONGEST) == value;
        is_plain.then(|| value.to_owned())
    };
    values.iter().filter_map(plain).take(MOST_SUGGESTIONS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_an_address_are_what_stands_in_its_braces() {
        for (template, expected) in [
            ("garden://beds/{bed}", vec!["bed"]),
            ("garden://{+path}/rows{?from,to:3,kinds*}", vec!["path", "from", "to", "kinds"]),
            ("garden://beds/north", vec![]),
            ("garden://{}/{open", vec![]),
        ] {
            assert_eq!(parts(template), expected, "{template}");
        }
        assert_eq!(parts(&format!("garden://{{bed}}/{}", "x".repeat(2_000))), Vec::<String>::new());
    }

    #[test]
    fn a_suggestion_is_what_a_person_can_see_in_a_line() {
        for (result, expected) in [
            (json!({ "completion": { "values": ["moss", "fern"], "total": 2 } }), vec!["moss", "fern"]),
            (
                json!({ "completion": { "values": ["", " ", "a\nb", "a\u{202e}b", 7, "x".repeat(201)] } }),
                vec![],
            ),
            (json!({ "completion": { "values": vec!["moss"; 100] } }), vec!["moss"; 20]),
            (json!({ "completion": {} }), vec![]),
            (Value::Null, vec![]),
        ] {
            assert_eq!(suggestions(&result.to_string()), expected, "{result}");
        }
    }
}
