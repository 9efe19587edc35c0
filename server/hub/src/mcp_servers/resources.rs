//! Resources of servers: what they have to read, by address. An agent reads them by a tool like those of the server
//! itself: its person sees it among them, switches it, and is asked before its calls.

use super::client::{Asked, Client};
use super::failure::McpFailure;
use super::offer::Offer;
use super::visible::visible;
use crate::files::{Decoded, decoded, kind_of_content};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Resources of a server that are listed, as many templates, and pages in which they come.
const MOST_RESOURCES: usize = 50;
const PAGES: usize = 10;
/// The same of those that are files of an agent.
pub(super) const MOST_FILES: usize = 500;
const FILE_PAGES: usize = 50;
/// Characters of a name of these, and what one can say of its bytes.
const NAME: usize = 200;
const LARGEST: u64 = 1 << 40;
/// Bytes of an address.
pub(super) const ADDRESS: usize = 2_000;
const TEMPLATE: &str = "uriTemplate";

/// What the tool is called among those of its server.
pub(super) const TOOL: &str = "resources/read";

/// The tool by which an agent reads them.
pub(super) fn offer() -> Offer {
    let uri = json!({ "type": "string", "minLength": 1, "maxLength": ADDRESS, "description": "The address of what is read." });
    Offer {
        name: TOOL.to_owned(),
        title: String::new(),
        description: "Reads a resource of the server by its address. Without an address it lists what there is to read; where an address has parts in braces, put values in their place.".to_owned(),
        input_schema: json!({ "type": "object", "properties": { "uri": uri } }),
        annotations: json!({ "readOnlyHint": true }),
        ui: None,
        is_task: false,
    }
}

/// Whether there is anything to read.
pub(super) async fn are_there(client: &Client<'_>) -> bool {
    client.features().resources && list(client).await.is_ok_and(|listed| !listed.is_empty())
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted<'a> {
    /// What a call of the tool brings.
    Call(&'a Value),
    /// Those that can be files: address, name and size of each, and whether there are more.
    Files,
}

impl Wanted<'_> {
    pub(super) async fn of(self, client: &Client<'_>) -> Result<Value, McpFailure> {
        match self {
            Self::Call(input) => called(client, input).await,
            Self::Files => files(client).await,
        }
    }
}

/// What a call of the tool brings, in the shape of what calls bring.
pub(super) async fn called(client: &Client<'_>, input: &Value) -> Result<Value, McpFailure> {
    let Some(uri) = input.get("uri").and_then(Value::as_str) else {
        return Ok(json!({ "content": list(client).await? }));
    };
    let params = json!({ "uri": uri });
    let asked = Asked { method: "resources/read", about: Some(uri), params, mirrored: Vec::new() };
    let read = client.ask(&asked).await?;
    let contents = read.get("contents").and_then(Value::as_array).ok_or(McpFailure::Empty)?;
    let content: Vec<Value> =
        contents.iter().map(|resource| json!({ "type": "resource", "resource": resource })).collect();
    Ok(json!({ "content": content }))
}

/// What is in the first content that a call brought.
pub(super) fn first(read: &Value) -> Result<Vec<u8>, McpFailure> {
    let content = read.pointer("/content/0/resource").ok_or(McpFailure::Empty)?;
    let part = |field: &str| content.get(field).and_then(Value::as_str);
    match (part("text"), part("blob")) {
        (Some(text), _) => Ok(visible(text, usize::MAX).into_bytes()),
        (None, Some(blob)) => STANDARD.decode(blob).map(visible_bytes).map_err(|_| McpFailure::Empty),
        (None, None) => Err(McpFailure::Empty),
    }
}

/// What nobody sees in a text is not in one that comes as bytes either. Anything else stays as it is.
fn visible_bytes(bytes: Vec<u8>) -> Vec<u8> {
    if kind_of_content(&bytes).is_some() {
        return bytes;
    }
    let shown = decoded(&bytes).map(|Decoded { text, encoding }| {
        let shown = visible(&text, usize::MAX);
        encoding.encode(&shown).unwrap_or_else(|_| shown.into_bytes())
    });
    shown.unwrap_or(bytes)
}

async fn files(client: &Client<'_>) -> Result<Value, McpFailure> {
    let (mut files, mut more, mut params) = (Vec::new(), false, json!({}));
    // Who has none may not know the word.
    let pages = if client.met().await?.resources { FILE_PAGES } else { 0 };
    for _ in 0..pages {
        let asked = Asked { method: "resources/list", about: None, params, mirrored: Vec::new() };
        let page = client.ask(&asked).await?;
        let listed = page.get("resources").and_then(Value::as_array).ok_or(McpFailure::NotMcp)?;
        files.extend(listed.iter().filter_map(file));
        match page.get("nextCursor").and_then(Value::as_str) {
            Some(cursor) if !cursor.is_empty() => {
                more = true;
                params = json!({ "cursor": cursor });
            }
            Some(_) | None => {
                more = false;
                break;
            }
        }
        if files.len() >= MOST_FILES {
            break;
        }
    }
    more |= files.len() > MOST_FILES;
    files.truncate(MOST_FILES);
    Ok(json!({ "files": files, "more": more }))
}

/// `None`: it has no address that could be asked for.
fn file(resource: &Value) -> Option<Value> {
    let uri = resource.get("uri").and_then(Value::as_str).filter(|uri| (1..=ADDRESS).contains(&uri.len()))?;
    let name = visible(resource.get("name").and_then(Value::as_str).unwrap_or_default(), NAME);
    let size = resource.get("size").and_then(Value::as_u64).map(|size| size.min(LARGEST));
    Some(json!({ "uri": uri, "name": name, "size": size }))
}

/// Resources and templates, as links.
async fn list(client: &Client<'_>) -> Result<Vec<Value>, McpFailure> {
    let mut links = pages(client, "resources/list", "resources", "uri").await?;
    // Many servers have none, and some of them do not know the word.
    links.extend(
        pages(client, "resources/templates/list", "resourceTemplates", TEMPLATE).await.unwrap_or_default(),
    );
    Ok(links)
}

async fn pages(
    client: &Client<'_>,
    method: &'static str,
    key: &str,
    address: &str,
) -> Result<Vec<Value>, McpFailure> {
    let (mut links, mut params) = (Vec::new(), json!({}));
    for _ in 0..PAGES {
        let page = client.ask(&Asked { method, about: None, params, mirrored: Vec::new() }).await?;
        let listed = page.get(key).and_then(Value::as_array).ok_or(McpFailure::NotMcp)?;
        links.extend(listed.iter().filter_map(|resource| link(resource, address)));
        match page.get("nextCursor").and_then(Value::as_str) {
            Some(cursor) if !cursor.is_empty() && links.len() < MOST_RESOURCES => {
                params = json!({ "cursor": cursor })
            }
            Some(_) | None => break,
        }
    }
    links.truncate(MOST_RESOURCES);
    Ok(links)
}

/// What the list says of the resource with this address.
pub(super) async fn listed(client: &Client<'_>, uri: &str) -> Result<Option<Value>, McpFailure> {
    let mut params = json!({});
    for _ in 0..PAGES {
        let asked = Asked { method: "resources/list", about: None, params, mirrored: Vec::new() };
        let page = client.ask(&asked).await?;
        let listed = page.get("resources").and_then(Value::as_array).ok_or(McpFailure::NotMcp)?;
        if let Some(found) = listed.iter().find(|resource| resource.get("uri") == Some(&json!(uri))) {
            return Ok(Some(found.clone()));
        }
        match page.get("nextCursor").and_then(Value::as_str) {
            Some(cursor) if !cursor.is_empty() => params = json!({ "cursor": cursor }),
            Some(_) | None => break,
        }
    }
    Ok(None)
}

/// `None`: it has no address that could be asked for.
fn link(resource: &Value, address: &str) -> Option<Value> {
    let text = |field: &str| resource.get(field).and_then(Value::as_str).unwrap_or_default();
    let uri = text(address);
    (1..=ADDRESS).contains(&uri.len()).then(|| {
        json!({
            "type": "resource_link", "uri": uri, "name": text("name"), "description": text("description"),
            "is_template": address == TEMPLATE,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_nothing_unseen_whether_it_comes_as_text_or_as_bytes() {
        let wide = |text: &str| -> Vec<u8> {
            [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
        };
        let hidden = "M\u{202e}oss\u{200b} grows.\u{e0041}";
        let said = |field: &str, content: String| {
            first(&json!({ "content": [{ "resource": { field: content } }] })).unwrap()
        };
        assert_eq!(said("text", hidden.to_owned()), b"Moss grows.");
        let picture = b"\x89PNG\r\n\x1a\n\0\0\xe2\x80\x8b".to_vec();
        let document = "%PDF-1.4\r\n\u{200b}".as_bytes().to_vec();
        for (bytes, expected) in [
            (hidden.as_bytes().to_vec(), b"Moss grows.".to_vec()),
            (wide(hidden), wide("Moss grows.")),
            (picture.clone(), picture),
            (document.clone(), document),
            (vec![0, 159, 146, 150], vec![0, 159, 146, 150]),
        ] {
            assert_eq!(said("blob", STANDARD.encode(&bytes)), expected, "{bytes:?}");
        }
    }
}
