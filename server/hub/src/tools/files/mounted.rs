//! Where a path leads.

use super::mounts::{AGENT, UPLOADS, WORKSPACE, is_skin};
use crate::files::{FilePath, Mount};
use crate::tools::ToolError;
use agent::tools::{DEVICE_FILES, LOCAL_FILES, SERVER_FILES};
use protocol::device::{DeviceMount, DevicePath};

/// A file or a folder in a mount, or a mount itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mounted {
    /// Above all mounts.
    Root,
    In(Mount, Option<FilePath>),
    Uploads(Option<FilePath>),
    Device(DevicePath),
    /// Above the folders of devices.
    Local,
    /// Above the mounted servers.
    Servers,
    /// What a server has that has this name.
    Server(String, Option<FilePath>),
}

/// A file that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Writable {
    Kept(Mount, FilePath),
    OnDevice(DevicePath),
}

impl Mounted {
    pub(super) fn parse(path: &str) -> Result<Self, ToolError> {
        if path == "/" {
            return Ok(Self::Root);
        }
        let (mount, rest) = match path.get(1..).and_then(|rest| rest.find('/')) {
            Some(end) => (&path[..=end], Some(&path[end + 2..])),
            None => (path, None),
        };
        let given = rest;
        let rest = rest.map(FilePath::check).transpose()?;
        match mount {
            AGENT if rest.as_ref().is_some_and(|path| is_skin(path.as_str())) => {
                Err(ToolError("Pages that were put aside are opened with the tool skins.".to_owned()))
            }
            AGENT => Ok(Self::In(Mount::Agent, rest)),
            WORKSPACE => Ok(Self::In(Mount::Workspace, rest)),
            UPLOADS => Ok(Self::Uploads(rest)),
            // What is there others named, and only as they spelled it is it found.
            DEVICE_FILES => Ok(Self::Device(DevicePath {
                mount: DeviceMount::Opfs,
                path: given.unwrap_or_default().to_owned(),
            })),
            LOCAL_FILES => Ok(given.map_or(Self::Local, |rest| Self::Device(local(rest)))),
            SERVER_FILES => rest.map_or(Ok(Self::Servers), |rest| on_a_server(rest.as_str())),
            _ => Err(ToolError(format!(
                "There is nothing at {path}: paths begin with {AGENT}, {WORKSPACE}, {UPLOADS}, {DEVICE_FILES}, {LOCAL_FILES} or {SERVER_FILES}."
            ))),
        }
    }

    /// A file that can be changed.
    pub(super) fn writable(path: &str) -> Result<Writable, ToolError> {
        match Self::parse(path)? {
            Self::In(mount, Some(path)) => Ok(Writable::Kept(mount, path)),
            Self::Device(at) if !at.path.is_empty() => Ok(Writable::OnDevice(at)),
            Self::In(_, None) | Self::Root | Self::Device(_) | Self::Local => {
                Err(ToolError(format!("{path} is a folder. Name a file.")))
            }
            Self::Uploads(_) => Err(ToolError(format!(
                "What is under {UPLOADS} belongs to your person and cannot be changed. Copy it to {AGENT} first."
            ))),
            Self::Servers | Self::Server(..) => Err(ToolError(format!(
                "What is under {SERVER_FILES} is kept by servers and can only be read. Copy it to {AGENT} first."
            ))),
        }
    }

    /// Whether each look at it is a way there and back.
    pub(super) fn is_elsewhere(&self) -> bool {
        match self {
            Self::Device(_) | Self::Local | Self::Servers | Self::Server(..) => true,
            Self::Root | Self::In(..) | Self::Uploads(_) => false,
        }
    }

    /// Whether it is there, or below it.
    pub(super) fn holds(&self, path: &str) -> bool {
        let (mount, below) = match self {
            Self::Root => return true,
            Self::Device(_) | Self::Local | Self::Servers | Self::Server(..) => return false,
            Self::In(mount, below) => (mount.path(), below),
            Self::Uploads(below) => (UPLOADS, below),
        };
        let Some(rest) = path.strip_prefix(mount).and_then(|rest| rest.strip_prefix('/')) else {
            return false;
        };
        below.as_ref().is_none_or(|below| {
            rest.strip_prefix(below.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }
}

fn local(path: &str) -> DevicePath {
    let (name, rest) = path.split_once('/').unwrap_or((path, ""));
    DevicePath { mount: DeviceMount::Local(name.to_owned()), path: rest.to_owned() }
}

fn on_a_server(path: &str) -> Result<Mounted, ToolError> {
    let (name, below) = path.split_once('/').map_or((path, None), |(name, below)| (name, Some(below)));
    Ok(Mounted::Server(name.to_owned(), below.map(FilePath::check).transpose()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_into_a_mount_or_nowhere() {
        let file = |path| Some(FilePath::check(path).unwrap());
        for (path, place) in [
            ("/", Some(Mounted::Root)),
            ("/agent", Some(Mounted::In(Mount::Agent, None))),
            ("/agent/a/b.txt", Some(Mounted::In(Mount::Agent, file("a/b.txt")))),
            ("/workspace", Some(Mounted::In(Mount::Workspace, None))),
            ("/workspace/skins/a", Some(Mounted::In(Mount::Workspace, file("skins/a")))),
            ("/workspace/../agent/a", None),
            ("/uploads/a b.pdf", Some(Mounted::Uploads(file("a b.pdf")))),
            ("/opfs", Some(Mounted::Device(DevicePath { mount: DeviceMount::Opfs, path: String::new() }))),
            (
                "/opfs/a/b",
                Some(Mounted::Device(DevicePath { mount: DeviceMount::Opfs, path: "a/b".to_owned() })),
            ),
            ("/opfs/../agent/a", None),
            ("/local", Some(Mounted::Local)),
            ("/local/notes", Some(Mounted::Device(local("notes")))),
            ("/local/notes/a.md", Some(Mounted::Device(local("notes/a.md")))),
            ("/local/..", None),
            ("/local/notes/../a", None),
            ("/mcp", Some(Mounted::Servers)),
            ("/mcp/garden", Some(Mounted::Server("garden".to_owned(), None))),
            ("/mcp/garden/beds/north", Some(Mounted::Server("garden".to_owned(), file("beds/north")))),
            ("/mcp/..", None),
            ("/mcp/garden/../a", None),
            ("/etc/passwd", None),
            ("/agent/../uploads/a", None),
            ("/agent//a", None),
            ("/agentx/a", None),
            ("//agent/a", None),
            ("/agent/./a", None),
            ("/agent/a\\b", None),
            ("/agent/skins/evening.srcdoc", None),
            ("", None),
            ("äx.csv", None),
        ] {
            assert_eq!(Mounted::parse(path).ok(), place, "{path}");
        }
    }

    #[test]
    fn a_folder_holds_what_is_below_it_and_no_more() {
        let notes = Mounted::parse("/agent/notes").unwrap();
        for (path, holds) in [
            ("/agent/notes/a", true),
            ("/agent/notes", true),
            ("/agent/notes2/a", false),
            ("/uploads/notes/a", false),
        ] {
            assert_eq!(notes.holds(path), holds, "{path}");
        }
    }
}
