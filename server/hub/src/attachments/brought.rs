//! Files that tools brought, in a request: it says where they are. What stands in them others wrote, and the tools that
//! read it say so.

use protocol::AttachmentId;
use protocol::model::ToolResult;
use std::collections::BTreeMap;

/// Has a line in place of each file that is no picture, and none of what pages are told.
pub(super) fn tell_places(result: &mut ToolResult, paths: &BTreeMap<AttachmentId, String>) {
    for file in std::mem::take(&mut result.media) {
        if file.is_app_result() {
            continue;
        }
        let Some(stored) = file.stored.as_ref().filter(|_| !file.is_picture()) else {
            result.media.push(file);
            continue;
        };
        let name = file.name.as_deref().unwrap_or("file");
        let line = match paths.get(&stored.id) {
            Some(path) => format!(
                "[The file {name} has {size} bytes and is at /uploads/{path}. Read it with the tool read, or open it \
                 there with another of your tools.]",
                size = stored.size
            ),
            None => format!("[The file {name} is not kept any more.]"),
        };
        result.content.push_str("\n\n");
        result.content.push_str(&line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::model::Media;
    use protocol::{APP_RESULT, Attachment};

    #[test]
    fn a_file_of_a_tool_is_told_by_its_place_and_a_picture_stays() {
        let media = |id: &str, name: &str, mime: &str| {
            Media::from(&Attachment {
                id: id.into(),
                name: name.to_owned(),
                mime: mime.to_owned(),
                size: 7,
                dimensions: None,
                server: Some("garden".to_owned()),
            })
        };
        let picture = media("c", "c.png", "image/png");
        let mut result = ToolResult {
            call: "call".into(),
            name: "mcp_garden_water".to_owned(),
            content: "{}".to_owned(),
            media: vec![
                media("a", "a.txt", "text/plain"),
                picture.clone(),
                media("b", "b.pdf", "application/pdf"),
                media("d", "d", APP_RESULT),
            ],
            is_error: false,
        };
        tell_places(&mut result, &BTreeMap::from([("a".into(), "12/a.txt".to_owned())]));
        assert_eq!(result.media, [picture]);
        let expected = "{}\n\n[The file a.txt has 7 bytes and is at /uploads/12/a.txt. Read it with the tool read, or \
                        open it there with another of your tools.]\n\n[The file b.pdf is not kept any more.]";
        assert_eq!(result.content, expected);
    }
}
