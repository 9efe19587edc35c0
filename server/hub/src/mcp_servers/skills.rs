//! Skills of servers (the extension `io.modelcontextprotocol/skills`, SEP-2640): what a server says that it has, and
//! the files of one, read when their person asks for them. What may be done with them is not known here.

use super::client::{Asked, Client};
use super::failure::McpFailure;
use super::{McpServers, OwnMcpServers, resources};
use crate::error::{Error, Result};
use crate::nodes;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::McpServerId;
use protocol::UserId;
use protocol::view::McpServerView;
use serde_json::{Value, json};

/// Skills of a server, pages in which they come, and files of a skill.
const MOST_SKILLS: usize = 200;
const PAGES: usize = 10;
const FILES: usize = 200;
/// Bytes of all files of a skill.
const TOTAL: usize = 2 * 1024 * 1024;
/// Values of a list.
const VALUES: usize = 20_000;
const MAIN: &str = "SKILL.md";
/// Where servers of an earlier draft have their list.
const INDEX: &str = "skill://index.json";

/// A skill as its server announces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct McpSkill {
    /// Of its `SKILL.md`.
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) description: String,
    files: Vec<Announced>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Announced {
    uri: String,
    digest: Option<String>,
}

/// A file of a skill as it came.
pub(crate) struct McpSkillFile {
    /// Below the folder of the skill.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    /// What its server said that it would be: SHA-256, as `sha256:` and hex.
    pub(crate) digest: Option<String>,
}

enum Wanted<'a> {
    List,
    Files(&'a str),
}

enum Brought {
    List(Vec<McpSkill>),
    Files(Vec<McpSkillFile>),
}

impl OwnMcpServers<'_> {
    /// The skills that a server of the viewer's has.
    pub(crate) async fn skills(self, id: &McpServerId) -> Result<Vec<McpSkill>> {
        match self.skills_brought(id, Wanted::List).await? {
            Brought::List(skills) => Ok(skills),
            Brought::Files(_) => Ok(Vec::new()),
        }
    }

    /// All files of the skill whose `SKILL.md` has this address.
    pub(crate) async fn skill_files(self, id: &McpServerId, uri: &str) -> Result<Vec<McpSkillFile>> {
        match self.skills_brought(id, Wanted::Files(uri)).await? {
            Brought::Files(files) => Ok(files),
            Brought::List(_) => Ok(Vec::new()),
        }
    }

    async fn skills_brought(self, id: &McpServerId, wanted: Wanted<'_>) -> Result<Brought> {
        let server = self.found(id).await?;
        let owner = &self.scoped.viewer.me.id;
        let brought = self.scoped.hub.mcp_servers().skills(owner, &server, &wanted).await;
        brought.map_err(|failure| Error::Upstream(format!("{}: {failure}", server.name)))
    }
}

impl McpServers<'_> {
    async fn skills(
        self,
        owner: &UserId,
        server: &McpServerView,
        wanted: &Wanted<'_>,
    ) -> std::result::Result<Brought, McpFailure> {
        let _turn = self.turn(owner).await?;
        let client = self.client(owner, &server.id, &server.name, &server.url).await?;
        let brought = match brought(&client, wanted).await {
            Err(McpFailure::LoginNeeded) if self.signed_in_again(owner, &client).await? => {
                brought(&client, wanted).await
            }
            other => other,
        };
        match brought {
            Err(McpFailure::LoginNeeded) => Err(self.signed_out(owner, &client).await?),
            other => other,
        }
    }
}

async fn brought(client: &Client<'_>, wanted: &Wanted<'_>) -> std::result::Result<Brought, McpFailure> {
    let list = list(client).await?;
    let uri = match wanted {
        Wanted::List => return Ok(Brought::List(list)),
        Wanted::Files(uri) => *uri,
    };
    let gone =
        || McpFailure::Hub("It has no such skill any more. Look again at which ones it has.".to_owned());
    let skill = list.into_iter().find(|skill| skill.uri == uri).ok_or_else(gone)?;
    let folder = skill.uri.strip_suffix(MAIN).unwrap_or_default();
    let (mut files, mut total) = (Vec::new(), 0);
    for Announced { uri, digest } in skill.files {
        let Some(path) = uri.strip_prefix(folder).filter(|path| !path.is_empty()) else {
            return Err(McpFailure::Hub(format!("It names a file outside of the skill's folder: {uri:?}.")));
        };
        let bytes = file(client, &uri).await?;
        total += bytes.len();
        if total > TOTAL {
            return Err(McpFailure::TooMuch(TOTAL / (1024 * 1024)));
        }
        files.push(McpSkillFile { path: path.to_owned(), bytes, digest });
    }
    Ok(Brought::Files(files))
}

async fn file(client: &Client<'_>, uri: &str) -> std::result::Result<Vec<u8>, McpFailure> {
    let asked = Asked {
        method: "resources/read",
        about: Some(uri),
        params: json!({ "uri": uri }),
        mirrored: Vec::new(),
    };
    let read = client.ask(&asked).await?;
    let content = read.pointer("/contents/0").ok_or(McpFailure::Empty)?;
    let part = |field: &str| content.get(field).and_then(Value::as_str);
    match (part("text"), part("blob")) {
        (Some(text), _) => Ok(client.without_secrets(text).into_bytes()),
        (None, Some(blob)) => STANDARD.decode(blob).map_err(|_| McpFailure::Empty),
        (None, None) => Err(McpFailure::Empty),
    }
}

async fn list(client: &Client<'_>) -> std::result::Result<Vec<McpSkill>, McpFailure> {
    let listed = match pages(client).await {
        Err(McpFailure::Said(_) | McpFailure::NotMcp | McpFailure::Forgotten | McpFailure::Broken(_)) => {
            indexed(client).await?
        }
        other => other?,
    };
    match listed.is_empty() {
        true => Err(McpFailure::Hub("It has no skills.".to_owned())),
        false => Ok(listed),
    }
}

async fn pages(client: &Client<'_>) -> std::result::Result<Vec<McpSkill>, McpFailure> {
    let (mut skills, mut params) = (Vec::new(), json!({}));
    for _ in 0..PAGES {
        let asked = Asked { method: "skills/list", about: None, params, mirrored: Vec::new() };
        let page = client.ask(&asked).await?;
        let listed = page.get("skills").and_then(Value::as_array).ok_or(McpFailure::NotMcp)?;
        skills.extend(listed.iter().filter_map(announced));
        match page.get("nextCursor").and_then(Value::as_str) {
            Some(cursor) if !cursor.is_empty() && skills.len() < MOST_SKILLS => {
                params = json!({ "cursor": cursor })
            }
            Some(_) | None => break,
        }
    }
    skills.truncate(MOST_SKILLS);
    Ok(skills)
}

/// A server that does not know the word may have a list among its resources.
async fn indexed(client: &Client<'_>) -> std::result::Result<Vec<McpSkill>, McpFailure> {
    let none = || McpFailure::Hub("It has no skills.".to_owned());
    let bytes = file(client, INDEX).await.map_err(|_| none())?;
    if nodes::count(&bytes) > VALUES {
        return Err(none());
    }
    let index: Value = serde_json::from_slice(&bytes).map_err(|_| none())?;
    let listed = index.get("skills").and_then(Value::as_array).ok_or_else(none)?;
    let skill = |skill: &Value| {
        let text = |field: &str| skill.get(field).and_then(Value::as_str);
        let uri = text("url").filter(|uri| is_main(uri))?.to_owned();
        let digest = text("digest").map(str::to_owned);
        Some(McpSkill {
            name: text("name")?.to_owned(),
            description: text("description").unwrap_or_default().to_owned(),
            files: vec![Announced { uri: uri.clone(), digest }],
            uri,
        })
    };
    Ok(listed.iter().filter_map(skill).take(MOST_SKILLS).collect())
}

/// `None`: nobody could ask for it.
fn announced(skill: &Value) -> Option<McpSkill> {
    let uri = skill.get("uri").and_then(Value::as_str).filter(|uri| is_main(uri))?.to_owned();
    let head = |field: &str| skill.pointer(&format!("/frontmatter/{field}")).and_then(Value::as_str);
    let file = |file: &Value| {
        let uri = file.get("uri").and_then(Value::as_str).filter(|uri| uri.len() <= resources::ADDRESS)?;
        let digest = file.get("digest").and_then(Value::as_str).map(str::to_owned);
        Some(Announced { uri: uri.to_owned(), digest })
    };
    let listed = skill.get("resources").and_then(Value::as_array).filter(|files| files.len() <= FILES)?;
    let files = listed.iter().map(file).collect::<Option<Vec<_>>>()?;
    Some(McpSkill {
        name: head("name").unwrap_or_default().to_owned(),
        description: head("description").unwrap_or_default().to_owned(),
        uri,
        files,
    })
}

fn is_main(uri: &str) -> bool {
    uri.len() <= resources::ADDRESS && uri.ends_with("/SKILL.md")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_is_announced_with_its_files() {
        let file = json!({ "uri": "skill://moss/SKILL.md", "digest": "sha256:ab", "size": 3 });
        for (skill, expected) in [
            (
                json!({ "uri": "skill://moss/SKILL.md", "frontmatter": { "name": "moss" }, "resources": [file] }),
                Some(1),
            ),
            (json!({ "uri": "skill://moss/SKILL.md", "resources": [] }), Some(0)),
            (json!({ "uri": "skill://moss/SKILL.md" }), None),
            (json!({ "uri": "skill://moss/README.md", "resources": [file] }), None),
            (json!({ "uri": "skill://moss/SKILL.md", "resources": [{}] }), None),
            (json!({ "uri": "skill://moss/SKILL.md", "resources": vec![&file; 201] }), None),
        ] {
            assert_eq!(announced(&skill).map(|skill| skill.files.len()), expected, "{skill}");
        }
    }
}
