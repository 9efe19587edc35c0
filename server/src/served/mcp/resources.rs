//! The files of agents, for a token that may do what its person can.

use super::super::rpc::{INVALID_PARAMS, RpcError};
use super::{Asker, pages};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hub::{FileListing, MOST_LISTED, OfferedAgent, Viewer, clock, media_type};
use protocol::AgentId;
use protocol::files::FileView;
use serde_json::{Value, json};
use url::Url;

const SCHEME: &str = "vivarium";
/// The kind of what is known to be nothing else.
const BYTES: &str = "application/octet-stream";

impl Asker {
    /// A page is what one agent has, or a part of it. The cursor is the agent of the next one, and if that is a part the
    /// path behind which it begins.
    pub(super) async fn resources(&self, viewer: &Viewer, params: &Value) -> Result<Value, RpcError> {
        let mut agents = self.state.hub.program_runs(&self.program).agents().await?;
        let mut listing = FileListing::default();
        if let Some(cursor) = params["cursor"].as_str() {
            let (id, after) = cursor.split_once('/').unwrap_or((cursor, ""));
            listing.after = after.to_owned();
            let at = agents.iter().position(|agent| agent.id.0 == id);
            let Some(at) = at else {
                return Err(RpcError::new(
                    INVALID_PARAMS,
                    "There is no such page. Ask again without a cursor.",
                ));
            };
            agents.drain(..at);
        }
        let mut agents = agents.iter();
        let mut resources = Vec::new();
        while resources.is_empty()
            && let Some(agent) = agents.next()
        {
            let files = self.state.hub.for_viewer(viewer).files().list(&agent.id, &listing).await?;
            resources.extend(files.iter().map(|file| resource(agent, file)));
            if let Some(last) = files.last().filter(|_| files.len() == MOST_LISTED) {
                let cursor = format!("{}/{}", agent.id, last.path);
                return Ok(json!({ "resources": resources, "nextCursor": cursor }));
            }
            listing.after.clear();
        }
        let mut page = json!({ "resources": resources });
        if let Some(next) = agents.next() {
            page["nextCursor"] = json!(next.id);
        }
        Ok(page)
    }

    pub(super) async fn read_resource(&self, viewer: &Viewer, params: &Value) -> Result<Value, RpcError> {
        let named = params["uri"].as_str().unwrap_or_default();
        if named == pages::ADDRESS {
            return Ok(pages::resource());
        }
        let missing = || RpcError {
            data: Some(json!({ "uri": named })),
            ..RpcError::new(self.era.no_resource(), format!("There is no resource {named}."))
        };
        let (agent, path) = place(named).ok_or_else(missing)?;
        let bytes = match self.state.hub.program_runs(&self.program).agent(&agent).await {
            Ok(agent) => self.state.hub.for_viewer(viewer).files().read(&agent.id, &path).await,
            Err(error) => Err(error),
        };
        let bytes = bytes.map_err(|error| match error {
            hub::Error::NotFound(_) | hub::Error::Invalid(_) => missing(),
            error => error.into(),
        })?;
        let content = match String::from_utf8(bytes) {
            Ok(text) => {
                json!({ "uri": named, "mimeType": kind(&path).unwrap_or("text/plain"), "text": text })
            }
            Err(bytes) => json!({
                "uri": named,
                "mimeType": kind(&path).unwrap_or(BYTES),
                "blob": STANDARD.encode(bytes.as_bytes()),
            }),
        };
        Ok(json!({ "contents": [content] }))
    }
}

fn resource(agent: &OfferedAgent, file: &FileView) -> Value {
    let FileView { path, size, at, .. } = file;
    let mut resource = json!({
        "uri": uri(&agent.id, path),
        "name": path,
        "title": format!("{path} of {}", agent.name),
        "size": size,
        "annotations": { "lastModified": clock::in_utc(*at).strftime("%Y-%m-%dT%H:%M:%SZ").to_string() },
    });
    // What its name does not tell is seen when it is read.
    if let Some(kind) = kind(path) {
        resource["mimeType"] = json!(kind);
    }
    resource
}

fn kind(path: &str) -> Option<&'static str> {
    Some(media_type(path)).filter(|kind| *kind != BYTES)
}

fn uri(agent: &AgentId, path: &str) -> String {
    let uri = Url::parse(&format!("{SCHEME}://{agent}/")).map(|mut uri| {
        if let Ok(mut segments) = uri.path_segments_mut() {
            segments.clear().extend(path.split('/'));
        }
        uri.to_string()
    });
    uri.unwrap_or_default()
}

fn place(named: &str) -> Option<(AgentId, String)> {
    let uri = Url::parse(named).ok().filter(|uri| uri.scheme() == SCHEME)?;
    let segments = uri.path_segments()?.map(decoded).collect::<Option<Vec<_>>>()?;
    Some((AgentId(uri.host_str()?.to_owned()), segments.join("/")))
}

fn decoded(segment: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = segment.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_its_file() {
        let agent = AgentId::from("0199");
        for path in ["a.txt", "notes/größe 100%.md", "a?b#c", "%41", "x/y/z"] {
            let uri = uri(&agent, path);
            assert_eq!(place(&uri), Some((agent.clone(), path.to_owned())), "{uri}");
        }
        for odd in
            ["", "a.txt", "file:///etc/passwd", "https://0199/a.txt", "vivarium:a", "vivarium://0199/%zz"]
        {
            assert_eq!(place(odd), None, "{odd}");
        }
    }
}
