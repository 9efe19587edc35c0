//! Resources of servers: what they have to read, by address. An agent reads them by a tool like those of the server
//! itself: its person sees it among them, switches it, and is asked before its calls.

use super::client::{Asked, Client};
use super::failure::McpFailure;
use super::offer::Offer;
use serde_json::{Value, json};

/// Resources of a server that are listed, as many templates, and pages in which they come.
const MOST_RESOURCES: usize = 50;
const PAGES: usize = 10;
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
