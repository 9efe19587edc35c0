//! Files that come with messages.

use crate::AttachmentId;
use serde::{Deserialize, Serialize};

/// A file that came with a message. Its bytes are kept by the hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    pub id: AttachmentId,
    /// What its sender called it.
    pub name: String,
    /// `image/jpeg` or `image/png`, in which form pictures are kept, the type of a document, `text/plain`, or
    /// `application/octet-stream` of what a model is only told of: a long text, and any other file.
    pub mime: String,
    /// Bytes that are kept.
    pub size: u64,
    /// Of a picture, or of the first page of a PDF as it looks, in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<Dimensions>,
    /// The MCP server that it is a resource of: others wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
}

/// What a call brought, as its server said it, for the page that shows the call. No model and no tool gets it.
pub const APP_RESULT: &str = "application/vnd.vivarium.app-result+json";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dimensions {
    pub width: u32,
    pub height: u32,
}

impl Attachment {
    pub fn is_picture(&self) -> bool {
        self.mime.starts_with("image/")
    }
}
