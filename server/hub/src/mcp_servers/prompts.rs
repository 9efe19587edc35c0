//! Prompts of servers: texts that a person picks in a conversation for an agent to follow. They stand there as a
//! stranger's words, and the person sees them before they are sent.

use super::client::{Asked, Client};
use super::failure::McpFailure;
use super::visible::visible;
use super::{McpServers, OwnMcpServers, resources, rows};
use crate::error::{Error, Result};
use crate::store::Json;
use agent::context::only_fenced;
use protocol::view::{McpCommand, McpCommands, McpPrompt, McpPromptArgument, McpPromptValue, McpServerView};
use protocol::{AgentId, McpServerId, UserId};
use serde_json::{Map, Value, json};
use std::time::Duration;
use tokio::time::timeout;

/// Prompts of a server that are kept, and pages in which they come.
const MOST_PROMPTS: usize = 100;
const PAGES: usize = 10;
const MOST_ARGUMENTS: usize = 20;
/// Characters of a name, of what is said of it, and of what a person says for an argument.
const NAME: usize = 100;
const WORDS: usize = 300;
const VALUE: usize = 10_000;
/// Characters of a prompt that come into a message.
const TEXT: usize = 30_000;
/// For one prompt.
const LIMIT: Duration = Duration::from_secs(30);

impl OwnMcpServers<'_> {
    /// What the servers add that the agent may use. A server that said that it has others is asked first.
    pub async fn commands(self, agent: &AgentId) -> Result<McpCommands> {
        self.scoped.require_agent(agent).await?;
        let hub = self.scoped.hub;
        for id in self.chosen(agent).await? {
            if hub.0.mcp_servers.looked.has_changed(&id) {
                // What came of it stands with the server.
                let _ = self.asked(&self.found(&id).await?).await;
            }
        }
        let of_servers = rows::commands(hub.store().read(), agent).await?;
        let prompts = of_servers.into_iter().flat_map(|(server, server_name, Json(prompts))| {
            prompts.into_iter().map(move |prompt| McpCommand {
                server: server.clone(),
                server_name: server_name.clone(),
                prompt,
            })
        });
        let with_resources = rows::with_tool(hub.store().read(), agent, resources::TOOL).await?;
        Ok(McpCommands { prompts: prompts.collect(), with_resources })
    }

    /// The prompt as a message of the person's that they have not sent yet: what the server says stands behind a
    /// fence in it.
    pub async fn prompt(
        self,
        id: &McpServerId,
        agent: &AgentId,
        name: &str,
        values: &[McpPromptValue],
    ) -> Result<String> {
        let server = self.given(id, agent).await?;
        let (store, owner) = (self.scoped.hub.store(), self.scoped.owner());
        let prompts = rows::prompts(store.read(), owner, id).await?;
        let prompt = prompts.into_iter().find(|it| it.name == name).ok_or(Error::NotFound("prompt"))?;
        let arguments = arguments(&prompt, values)?;
        let owner = &self.scoped.viewer.me.id;
        let getting = self.scoped.hub.mcp_servers().got(owner, &server, &prompt.name, arguments);
        let text = timeout(LIMIT, getting).await.unwrap_or(Err(McpFailure::TooLate(LIMIT.as_secs())));
        let text = text.map_err(|failure| Error::Upstream(format!("{}: {failure}", server.name)))?;
        let head = format!("Follow the prompt {} of my MCP server {}:", prompt.name, server.name);
        Ok(format!("{head}\n{}", only_fenced(&text)))
    }
}

impl McpServers<'_> {
    async fn got(
        self,
        owner: &UserId,
        server: &McpServerView,
        name: &str,
        arguments: Map<String, Value>,
    ) -> std::result::Result<String, McpFailure> {
        let _turn = self.turn(owner).await?;
        let client = self.client(owner, &server.id, &server.name, &server.url).await?;
        let params = json!({ "name": name, "arguments": arguments });
        let asked = Asked { method: "prompts/get", about: Some(name), params, mirrored: Vec::new() };
        let got = match client.ask(&asked).await {
            Err(McpFailure::LoginNeeded) if self.signed_in_again(owner, &client).await? => {
                client.ask(&asked).await
            }
            other => other,
        };
        match got {
            Err(McpFailure::LoginNeeded) => Err(self.signed_out(owner, &client).await?),
            Err(other) => Err(other),
            Ok(result) => match words(&result) {
                text if text.trim().is_empty() => Err(McpFailure::Empty),
                text => Ok(client.without_secrets(&text)),
            },
        }
    }
}

/// Those that it has, by name. `None`: it did not say.
pub(super) async fn offered(client: &Client<'_>) -> Option<Vec<McpPrompt>> {
    if !client.features().prompts {
        return Some(Vec::new());
    }
    let (mut prompts, mut params) = (Vec::new(), json!({}));
    for _ in 0..PAGES {
        let asked = Asked { method: "prompts/list", about: None, params, mirrored: Vec::new() };
        let page = client.ask(&asked).await.ok()?;
        let listed = page.get("prompts").and_then(Value::as_array)?;
        prompts.extend(listed.iter().filter_map(read));
        match page.get("nextCursor").and_then(Value::as_str) {
            Some(cursor) if !cursor.is_empty() && prompts.len() < MOST_PROMPTS => {
                params = json!({ "cursor": cursor })
            }
            Some(_) | None => break,
        }
    }
    prompts.truncate(MOST_PROMPTS);
    prompts.sort_by(|one, other| one.name.cmp(&other.name));
    prompts.dedup_by(|one, other| one.name == other.name);
    Some(prompts)
}

/// `None`: nobody could name it, or say what it needs.
fn read(prompt: &Value) -> Option<McpPrompt> {
    let text = |value: &Value, field: &str| {
        visible(value.get(field).and_then(Value::as_str).unwrap_or_default(), WORDS)
    };
    let name = name(prompt)?;
    let empty = Vec::new();
    let arguments = prompt.get("arguments").and_then(Value::as_array).unwrap_or(&empty);
    let arguments = arguments.iter().map(|argument| {
        let is_required = argument.get("required") == Some(&Value::Bool(true));
        Some(McpPromptArgument {
            name: self::name(argument)?,
            description: text(argument, "description"),
            is_required,
        })
    });
    let arguments = arguments.collect::<Option<Vec<_>>>().filter(|list| list.len() <= MOST_ARGUMENTS)?;
    Some(McpPrompt {
        name,
        title: text(prompt, "title"),
        description: text(prompt, "description"),
        arguments,
    })
}

fn name(value: &Value) -> Option<String> {
    let name = value.get("name")?.as_str()?;
    let is_plain = !name.trim().is_empty() && !name.contains('\n') && visible(name, NAME) == name;
    is_plain.then(|| name.to_owned())
}

/// What is sent along: each argument that has a value, once.
fn arguments(prompt: &McpPrompt, values: &[McpPromptValue]) -> Result<Map<String, Value>> {
    let mut arguments = Map::new();
    for McpPromptValue { name, value } in values.iter().filter(|value| !value.value.trim().is_empty()) {
        if !prompt.arguments.iter().any(|argument| argument.name == *name) {
            return Err(Error::invalid(format!("The prompt {} takes no {name}.", prompt.name)));
        }
        if value.chars().count() > VALUE {
            return Err(Error::invalid(format!("{name} is too long: {VALUE} characters are the most.")));
        }
        arguments.insert(name.clone(), json!(value));
    }
    let needs = prompt.arguments.iter().find(|it| it.is_required && !arguments.contains_key(&it.name));
    match needs {
        Some(needed) => Err(Error::invalid(format!("Say what {} is. The prompt needs it.", needed.name))),
        None => Ok(arguments),
    }
}

/// What it says, as text: who says it stands before each part where it is more than one.
fn words(result: &Value) -> String {
    let empty = Vec::new();
    let messages = result.get("messages").and_then(Value::as_array).unwrap_or(&empty);
    let parts: Vec<(&str, String)> = messages.iter().filter_map(message).collect();
    let whole: Vec<String> = match parts.as_slice() {
        [(_, text)] => vec![text.clone()],
        parts => parts.iter().map(|(role, text)| format!("{role}:\n{text}")).collect(),
    };
    visible(&whole.join("\n\n"), TEXT)
}

fn message(message: &Value) -> Option<(&'static str, String)> {
    let role = match message.get("role")?.as_str()? {
        "assistant" => "Assistant",
        _ => "User",
    };
    let content = message.get("content")?;
    let text = |value: &Value, field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
    let said = match content.get("type")?.as_str()? {
        "text" => text(content, "text")?,
        "resource" => {
            let resource = content.get("resource")?;
            let uri = text(resource, "uri").unwrap_or_default();
            match text(resource, "text") {
                Some(within) => format!("[{uri}]\n{within}"),
                None => format!("[A file, not included: {uri}]"),
            }
        }
        "resource_link" => format!("[A link: {}]", text(content, "uri")?),
        kind @ ("image" | "audio") => format!("[{kind}, not included]"),
        _ => return None,
    };
    Some((role, said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_one_that_a_person_can_name_and_fill_in() {
        for (prompt, expected) in [
            (json!({ "name": "plan", "arguments": [{ "name": "bed", "required": true }] }), Some(1)),
            (json!({ "name": "plan" }), Some(0)),
            (json!({ "name": "" }), None),
            (json!({ "name": "a\nb" }), None),
            (json!({ "name": "a\u{200b}b" }), None),
            (json!({ "name": "plan", "arguments": [{}] }), None),
            (json!({ "name": "plan", "arguments": vec![json!({ "name": "a" }); 21] }), None),
            (json!("plan"), None),
        ] {
            assert_eq!(read(&prompt).map(|it| it.arguments.len()), expected, "{prompt}");
        }
    }

    #[test]
    fn what_a_prompt_says_becomes_text() {
        let said = |role: &str, content: Value| json!({ "role": role, "content": content });
        let text = |text: &str| json!({ "type": "text", "text": text });
        for (messages, expected) in [
            (vec![said("user", text("Plan."))], "Plan."),
            (
                vec![said("user", text("Plan.")), said("assistant", text("Yes."))],
                "User:\nPlan.\n\nAssistant:\nYes.",
            ),
            (
                vec![said(
                    "user",
                    json!({ "type": "resource", "resource": { "uri": "a:1", "text": "Moss" } }),
                )],
                "[a:1]\nMoss",
            ),
            (vec![said("user", json!({ "type": "image", "data": "AAAA" }))], "[image, not included]"),
            (vec![json!({}), said("user", json!({ "type": "new" }))], ""),
        ] {
            assert_eq!(words(&json!({ "messages": messages })), expected, "{messages:?}");
        }
    }
}
