//! Where a path leads.

use crate::error::Error;
use crate::files::{self, FilePath};
use crate::gateway::Caller;
use crate::tools::ToolError;

const AGENT: &str = agent::tools::OWN_FILES;
pub(in crate::tools) const UPLOADS: &str = "/uploads";

/// Each mount with what it holds.
pub(super) const MOUNTS: [(&str, &str); 2] = [
    (AGENT, "Your own files. You can change them."),
    (UPLOADS, "What your person attached to messages. It can be read."),
];

/// A file or a folder in a mount, or a mount itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mounted {
    /// Above all mounts.
    Root,
    Agent(Option<FilePath>),
    Uploads(Option<FilePath>),
}

impl Mounted {
    pub(super) fn parse(path: &str) -> Result<Self, ToolError> {
        if path == "/" {
            return Ok(Self::Root);
        }
        let (mount, rest) = match path[1..].find('/') {
            Some(end) => (&path[..=end], Some(&path[end + 2..])),
            None => (path, None),
        };
        let rest = rest.map(FilePath::check).transpose()?;
        match mount {
            AGENT if rest.as_ref().is_some_and(|path| is_skin(path.as_str())) => {
                Err(ToolError("Pages that were put aside are opened with the tool skins.".to_owned()))
            }
            AGENT => Ok(Self::Agent(rest)),
            UPLOADS => Ok(Self::Uploads(rest)),
            _ => {
                Err(ToolError(format!("There is nothing at {path}: paths begin with {AGENT} or {UPLOADS}.")))
            }
        }
    }

    /// A file that can be changed.
    pub(super) fn writable(path: &str) -> Result<FilePath, ToolError> {
        match Self::parse(path)? {
            Self::Agent(Some(path)) => Ok(path),
            Self::Agent(None) | Self::Root => Err(ToolError(format!("{path} is a folder. Name a file."))),
            Self::Uploads(_) => Err(ToolError(format!(
                "What is under {UPLOADS} belongs to your person and cannot be changed. Copy it to {AGENT} first."
            ))),
        }
    }

    fn holds(&self, path: &str) -> bool {
        let (mount, below) = match self {
            Self::Root => return true,
            Self::Agent(below) => (AGENT, below),
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

/// A file of a mount, without what is in it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// From the root.
    pub(super) path: String,
    /// In bytes.
    pub(super) size: u64,
    pub(super) at: i64,
    /// Of a file that can be changed.
    pub(super) version: Option<u64>,
}

/// The files at and below a path that the agent may read with nobody asked, by path.
pub(super) async fn below(caller: &Caller<'_>, place: &Mounted) -> Result<Vec<Found>, ToolError> {
    let pool = caller.hub.store().read();
    let own = files::stats(pool, caller.root).await?.into_iter();
    let own = own.filter(|stat| !is_skin(&stat.path)).map(|stat| Found {
        path: format!("{AGENT}/{}", stat.path),
        size: stat.size,
        at: stat.at,
        version: Some(stat.version),
    });
    let uploads = files::uploads(pool, caller.root).await?.into_iter().map(|upload| Found {
        path: format!("{UPLOADS}/{}", upload.path),
        size: upload.size,
        at: upload.at,
        version: None,
    });
    let found: Vec<Found> = own.chain(uploads).filter(|found| place.holds(&found.path)).collect();
    Ok(caller.readable(found, |found| &found.path).await?)
}

/// Whether it is a page that was put aside: what stands there a page may have written, whoever filled that.
fn is_skin(path: &str) -> bool {
    path == "skins" || path.starts_with("skins/")
}

/// What is in the file.
pub(super) async fn bytes_of(caller: &Caller<'_>, path: &str) -> Result<Vec<u8>, ToolError> {
    let pool = caller.hub.store().read();
    let bytes = match Mounted::parse(path)? {
        Mounted::Agent(Some(path)) => files::read(pool, caller.root, &path).await,
        Mounted::Uploads(Some(path)) => files::open_upload(pool, caller.root, path.as_str()).await,
        Mounted::Root | Mounted::Agent(None) | Mounted::Uploads(None) => Err(Error::NotFound("file")),
    };
    match bytes {
        Err(Error::NotFound(_)) => Err(missing(caller, path).await?),
        other => Ok(other?),
    }
}

/// Says that there is no such file, and what there is.
async fn missing(caller: &Caller<'_>, path: &str) -> Result<ToolError, ToolError> {
    let place = Mounted::parse(path)?;
    if !below(caller, &place).await?.is_empty() || matches!(place, Mounted::Root) {
        return Ok(ToolError(format!("{path} is a folder. List it with files.")));
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let all = below(caller, &Mounted::Root).await?;
    let alike = all.iter().find(|found| found.path.rsplit('/').next() == Some(name));
    Ok(ToolError(match alike {
        Some(found) => format!("There is no file {path}. There is {}.", found.path),
        None => format!("There is no file {path}."),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_into_a_mount_or_nowhere() {
        let file = |path| Some(FilePath::check(path).unwrap());
        for (path, place) in [
            ("/", Some(Mounted::Root)),
            ("/agent", Some(Mounted::Agent(None))),
            ("/agent/a/b.txt", Some(Mounted::Agent(file("a/b.txt")))),
            ("/uploads/a b.pdf", Some(Mounted::Uploads(file("a b.pdf")))),
            ("/etc/passwd", None),
            ("/agent/../uploads/a", None),
            ("/agent//a", None),
            ("/agentx/a", None),
            ("//agent/a", None),
            ("/agent/./a", None),
            ("/agent/a\\b", None),
            ("/agent/skins/evening.srcdoc", None),
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
