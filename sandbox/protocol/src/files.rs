//! Read models of folders, of the files in them, and of what became of these.

use crate::view::NamedConversation;
use crate::{AgentId, AttachmentId, CallId, ConversationId, FolderId, GivenLinkId, McpServerId};
use serde::{Deserialize, Serialize};

/// Who wrote a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FileAuthor {
    Person,
    /// An agent, in this conversation.
    Agent {
        conversation: ConversationId,
        /// None, in lines from before several could write in a folder: the one whose folder it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AgentId>,
        /// The call that did it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<CallId>,
        /// What the agent is called now. It is not kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// It came along when the agent was made.
    Archive,
}

/// The file in which a person says how the files of an agent are worked on. It stands in the agent's prompt as long as
/// its person wrote it last.
pub const AGENTS_MD: &str = "AGENTS.md";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FolderKind {
    /// An agent's own.
    Agent,
    /// One that agents share.
    Workspace,
}

/// Where files lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderView {
    pub id: FolderId,
    /// Of an agent's folder the agent's.
    pub name: String,
    pub kind: FolderKind,
    #[serde(default)]
    pub files: u64,
    /// In bytes, without former versions.
    #[serde(default)]
    pub size: u64,
}

/// What became of taking a call back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoneCall {
    /// Files that are as they were before the call.
    pub undone: u64,
    /// Files of which what they were before is not kept any more, or has no room.
    pub left: u64,
}

/// A folder that agents of one person share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceView {
    pub id: FolderId,
    pub name: String,
    pub files: u64,
    /// In bytes, without former versions.
    pub size: u64,
    /// Those that have it, by name.
    pub agents: Vec<WorkspaceAgent>,
}

/// An agent that has a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceAgent {
    pub id: AgentId,
    pub name: String,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileView {
    pub path: String,
    /// In bytes.
    pub size: u64,
    pub at: i64,
    /// Counts its changes.
    pub version: u64,
    /// None: it is not known.
    #[serde(default)]
    pub author: Option<FileAuthor>,
    /// Whether an agent that had read strangers' words wrote it where others read.
    #[serde(default)]
    pub untrusted: bool,
    /// Opens the file for a quarter of an hour, for whoever has it.
    pub url: String,
}

/// A folder among files. It is there as long as a file is below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubFolder {
    pub path: String,
    /// Below it, however deep.
    pub files: u64,
    /// In bytes, of all of these.
    pub size: u64,
    /// When one of these was written last. Unix milliseconds. 0: it is kept with nothing in it.
    pub at: i64,
}

/// What stands directly in a folder, or a part of that: folders first, each by path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderPart {
    pub folders: Vec<SubFolder>,
    pub files: Vec<FileView>,
    /// Asked for as `after` it reads on. None: this is the end.
    #[serde(default)]
    pub next: Option<String>,
}

/// What a person changed at once. Folder and moment name it, for taking it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilesChange {
    pub folder: FolderId,
    /// Unix milliseconds: no other change of the folder has it.
    pub at: i64,
    /// How many were deleted, moved or copied.
    pub files: u64,
}

/// What a call of an agent did to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileOfCall {
    pub folder: FolderId,
    pub kind: FolderKind,
    pub path: String,
    pub did: FileDid,
    /// What changed in its text. Empty: it is no text, too large, or not kept any more.
    #[serde(default)]
    pub diff: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileDid {
    Made,
    Changed,
    Deleted,
}

/// One change of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileVersion {
    pub version: u64,
    /// In bytes. None: the file was deleted.
    pub size: Option<u64>,
    /// Unix milliseconds.
    pub at: i64,
    /// None: it is not known.
    pub author: Option<FileAuthor>,
    /// Whether an agent that had read strangers' words wrote it where others read.
    #[serde(default)]
    pub untrusted: bool,
    /// The conversation in which an agent wrote it, as long as that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<NamedConversation>,
}

/// A file that was deleted and can be brought back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletedFile {
    pub path: String,
    /// The version that is brought back.
    pub version: u64,
    /// In bytes.
    pub size: u64,
    /// When it was deleted.
    pub at: i64,
}

/// An address of a file that its person gave away, and that is not over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenLink {
    pub id: GivenLinkId,
    pub folder: FolderId,
    /// Of an agent's folder the agent's.
    pub folder_name: String,
    pub kind: FolderKind,
    pub path: String,
    /// Path and query, which open the file for whoever has them.
    pub address: String,
    /// Unix milliseconds, here and below.
    pub made_at: i64,
    pub ends_at: i64,
    /// How often it was opened, and when last.
    pub opened: u64,
    #[serde(default)]
    pub last_opened_at: Option<i64>,
    /// Whether the file is still what it was: else it opens nothing.
    pub holds: bool,
}

/// What of a file can be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FilePreview {
    /// The beginning of it, and whether that is all.
    Text { text: String, whole: bool },
    /// The first pages, slides, sheets or lines of a document, and whether these are all.
    Document {
        parts: Vec<PreviewPart>,
        whole: bool,
        /// Of a PDF: how many pages can be looked at as they are.
        #[serde(default)]
        pages: u32,
    },
    /// Why nothing of a document is shown.
    Unread { why: String },
    /// The address of the file opens it as a picture.
    Picture,
    /// It can be saved.
    Other,
}

/// An MCP server whose resources can be files of an agent, under `/mcp` and its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpMount {
    pub server: McpServerId,
    pub name: String,
    pub is_mounted: bool,
    /// Whether it had any when it last said what it has.
    pub has_resources: bool,
}

/// What is in such a mount.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpMountedFiles {
    /// By path.
    pub files: Vec<McpMountedFile>,
    /// Whether its server has more than can be listed.
    pub more: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpMountedFile {
    /// Below the mount.
    pub path: String,
    /// In bytes. `None`: its server does not say.
    pub size: Option<u64>,
}

/// What is in one of these files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpMountedContent {
    pub path: String,
    /// In bytes.
    pub size: u64,
    pub preview: FilePreview,
}

/// What came with a message to an agent, or what a tool of an MCP server brought it. It lies under `/uploads` as it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadView {
    pub id: AttachmentId,
    /// Below `/uploads`.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// Unix milliseconds.
    pub at: i64,
    /// The MCP server that had it, by its name. None: its person did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// No message has it: a tool brought it.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub by_tool: bool,
}

/// What is in such a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadContent {
    pub file: UploadView,
    pub preview: FilePreview,
    /// The conversation in which it came first, as long as that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<NamedConversation>,
}

/// A page, a slide, a sheet, or a document that has none of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewPart {
    /// Empty: there is only this one.
    pub title: String,
    pub text: String,
    /// Otherwise its lines are as they stand there.
    pub is_markdown: bool,
}

/// A file, or what is left of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDetail {
    pub path: String,
    /// None: it was deleted.
    pub file: Option<FileView>,
    pub preview: FilePreview,
    /// The newest first.
    pub versions: Vec<FileVersion>,
}
