//! What lies in the mounts: what there is below a path, and what is in a file.

pub(super) use super::mounted::{Mounted, Writable};
use super::{device, server};
use crate::Hub;
use crate::error::Error;
use crate::files::{self, FilePath, FilePlace, Mount, Stat};
use crate::gateway::Caller;
use crate::tools::ToolError;
use crate::workspaces;
use agent::tools::{DEVICE_FILES, LOCAL_FILES, SERVER_FILES};
use protocol::{AgentId, FolderId};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const AGENT: &str = agent::tools::OWN_FILES;
pub(super) const WORKSPACE: &str = agent::tools::WORKSPACE;
pub(in crate::tools) const UPLOADS: &str = "/uploads";

/// Files that are named where none has the path that was given, but the last part of it.
const ALIKE: usize = 5;

/// Each mount with what it holds.
pub(super) const MOUNTS: [(&str, &str); 3] = [
    (AGENT, "Your own files. You can change them."),
    (
        WORKSPACE,
        "Files that you share with other agents of your person. You can change them, and so can they.",
    ),
    (UPLOADS, "What your person attached to messages. It can be read."),
];

/// The mounts of the device that shows the agent's page.
pub(super) const ON_DEVICES: [(&str, &str); 2] = [
    (DEVICE_FILES, "What the browser of the device that shows your page keeps for you. You can change it."),
    (
        LOCAL_FILES,
        "Folders of that device that your person opened for you. You can change them, if they say so.",
    ),
];

/// What is under the mount of servers.
pub(super) const ON_SERVERS: &str =
    "Folders with what MCP servers have to read, which your person chose. They can be read.";

/// Where the files of a mount lie. None: the agent has no such mount.
pub(super) async fn folder(caller: &Caller<'_>, mount: Mount) -> Result<Option<FolderId>, ToolError> {
    folder_of(caller.hub, caller.root, mount).await
}

/// The same for the agent at the top.
pub(in crate::tools) async fn folder_of(
    hub: &Hub,
    root: &AgentId,
    mount: Mount,
) -> Result<Option<FolderId>, ToolError> {
    match mount {
        Mount::Agent => Ok(Some(FolderId::from(root))),
        Mount::Workspace => Ok(workspaces::of_agent(hub.store().read(), root).await?),
    }
}

/// The same, where it has to be there.
pub(super) async fn require(caller: &Caller<'_>, mount: Mount) -> Result<FolderId, ToolError> {
    folder(caller, mount).await?.ok_or_else(|| {
        ToolError(format!("You have no {WORKSPACE}: your person can give you one on the page of your files."))
    })
}

/// Where a file lies whose versions are kept.
pub(super) async fn place(caller: &Caller<'_>, path: &str) -> Result<FilePlace, ToolError> {
    match Mounted::writable(path)? {
        Writable::Kept(mount, path) => Ok(FilePlace { folder: require(caller, mount).await?, path }),
        Writable::OnDevice(at) => Err(device::no_versions(&at)),
    }
}

/// Why a list of a device is not all.
const NOT_ALL: &str = "There is more on the device: over 5,000 files, or deeper or named otherwise than paths here can be. Name a folder below.";

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
    /// Whether strangers may have written it, its name included.
    pub(super) untrusted: bool,
}

impl Found {
    fn of(mount: Mount, stat: Stat) -> Self {
        let Stat { path, size, at, version, untrusted } = stat;
        Self { path: format!("{}/{path}", mount.path()), size, at, version: Some(version), untrusted }
    }
}

/// The files at and below a path that the agent may read with nobody asked, by path.
pub(super) async fn below(caller: &Caller<'_>, place: &Mounted) -> Result<Vec<Found>, ToolError> {
    Ok(listed(caller, place).await?.0)
}

/// The same, and whether there are more, of which nobody can say more here.
pub(super) async fn listed(
    caller: &Caller<'_>,
    place: &Mounted,
) -> Result<(Vec<Found>, Option<&'static str>), ToolError> {
    let (all, not_all) = match place {
        Mounted::Device(at) => {
            let (all, more) = device::list(caller, at).await?;
            (all, more.then_some(NOT_ALL))
        }
        Mounted::Server(name, at) => {
            let (all, more) = server::list(caller, name, at.as_ref()).await?;
            (all, more.then_some(server::NOT_ALL))
        }
        Mounted::Local => return Err(name_a_folder(LOCAL_FILES)),
        Mounted::Servers => return Err(name_a_folder(SERVER_FILES)),
        Mounted::Root | Mounted::In(..) | Mounted::Uploads(_) => (kept_below(caller, place).await?, None),
    };
    Ok((caller.readable(all, |found| &found.path).await?, not_all))
}

/// The same for a folder that has to be there: an answer with nothing in it would say that nothing is in it.
pub(super) async fn found(
    caller: &Caller<'_>,
    path: &str,
    place: &Mounted,
) -> Result<(Vec<Found>, Option<&'static str>), ToolError> {
    let (all, more) = listed(caller, place).await?;
    if all.is_empty() && !may_be_empty(caller, place).await? {
        return Err(nothing_at(caller, path).await?);
    }
    Ok((all, more))
}

async fn may_be_empty(caller: &Caller<'_>, place: &Mounted) -> Result<bool, ToolError> {
    match place {
        Mounted::In(mount, at) => {
            require(caller, *mount).await?;
            Ok(at.is_none() || !empty_below(caller, place).await?.0.is_empty())
        }
        Mounted::Uploads(at) | Mounted::Server(_, at) => Ok(at.is_none()),
        // The device says so itself.
        Mounted::Root | Mounted::Device(_) | Mounted::Local | Mounted::Servers => Ok(true),
    }
}

/// What a rule keeps from being read is not told by a copy, a difference, in another format or under another path
/// either.
pub(super) async fn require_readable(caller: &Caller<'_>, path: &str) -> Result<(), ToolError> {
    match caller.readable(vec![path], |path| path).await?.is_empty() {
        true => Err(ToolError(format!("A rule of your person or a skill keeps {path} from being read."))),
        false => Ok(()),
    }
}

fn name_a_folder(mount: &str) -> ToolError {
    ToolError(format!("Name a folder under {mount}. List it to see which there are."))
}

/// Those that the hub keeps.
pub(super) async fn kept_below(caller: &Caller<'_>, place: &Mounted) -> Result<Vec<Found>, ToolError> {
    let pool = caller.hub.store().read();
    let mut all = Vec::new();
    for mount in Mount::ALL {
        let at = match place {
            Mounted::Root => None,
            Mounted::In(meant, at) if *meant == mount => at.as_ref(),
            Mounted::In(..)
            | Mounted::Uploads(_)
            | Mounted::Device(_)
            | Mounted::Local
            | Mounted::Servers
            | Mounted::Server(..) => continue,
        };
        let Some(folder) = folder(caller, mount).await? else { continue };
        let stats = files::stats(pool, &folder, at).await?.into_iter();
        let shown = stats.filter(|stat| mount != Mount::Agent || !is_skin(&stat.path));
        all.extend(shown.map(|stat| Found::of(mount, stat)));
    }
    if matches!(place, Mounted::Root | Mounted::Uploads(_)) {
        let uploads = files::uploads(pool, caller.root).await?.into_iter().map(|upload| Found {
            path: format!("{UPLOADS}/{}", upload.path),
            size: upload.size,
            at: upload.at,
            version: None,
            untrusted: upload.server.is_some(),
        });
        all.extend(uploads.filter(|found| place.holds(&found.path)));
    }
    Ok(all)
}

/// The folders of a mount with nothing in them that a command may find, and whether strangers may have named one.
pub(super) async fn empty_folders(
    caller: &Caller<'_>,
    mount: Mount,
    folder: &FolderId,
) -> Result<(Vec<FilePath>, bool), ToolError> {
    let all = files::empty_folders(caller.hub.store().read(), folder).await?.into_iter();
    let shown = all.filter(|(path, _)| mount != Mount::Agent || !is_skin(path.as_str()));
    let named: Vec<(String, FilePath, bool)> =
        shown.map(|(path, untrusted)| (format!("{}/{path}", mount.path()), path, untrusted)).collect();
    let readable = caller.readable(named, |(whole, ..)| whole).await?;
    let untrusted = readable.iter().any(|(.., untrusted)| *untrusted);
    Ok((readable.into_iter().map(|(_, path, _)| path).collect(), untrusted))
}

/// Those at and below a place, from the root, with nothing in them, and whether strangers may have named one.
pub(super) async fn empty_below(
    caller: &Caller<'_>,
    place: &Mounted,
) -> Result<(Vec<String>, bool), ToolError> {
    let Mounted::In(mount, _) = place else { return Ok((Vec::new(), false)) };
    let Some(folder) = folder(caller, *mount).await? else { return Ok((Vec::new(), false)) };
    let (empty, are_untrusted) = empty_folders(caller, *mount, &folder).await?;
    let whole = empty.into_iter().map(|path| format!("{}/{path}", mount.path()));
    let mut there: Vec<String> = whole.filter(|path| place.holds(path)).collect();
    if there.is_empty() {
        return Ok((there, false));
    }
    // What is in one that was empty stands in its own line.
    let files = kept_below(caller, place).await?;
    let files: BTreeSet<&str> = files.iter().map(|found| found.path.as_str()).collect();
    there.retain(|path| {
        let below = format!("{path}/");
        files.range(below.as_str()..).next().is_none_or(|next| !next.starts_with(&below))
    });
    Ok((there, are_untrusted))
}

/// Whether it is a page that was put aside: what stands there a page may have written, whoever filled that.
pub(super) fn is_skin(path: &str) -> bool {
    path == "skins" || path.starts_with("skins/")
}

/// What is in a file.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    /// Whether strangers may have written it.
    pub(super) untrusted: bool,
}

/// What is in each of the files, a part at most, that is still there: what the hub keeps of one mount with one
/// statement.
pub(super) async fn contents_of(
    caller: &Caller<'_>,
    part: &[Found],
) -> Result<BTreeMap<String, Content>, ToolError> {
    let mut contents = BTreeMap::new();
    let mut kept = BTreeMap::<Mount, Vec<FilePath>>::new();
    for found in part {
        match Mounted::parse(&found.path)? {
            Mounted::In(mount, Some(path)) => kept.entry(mount).or_default().push(path),
            Mounted::Root
            | Mounted::In(..)
            | Mounted::Uploads(_)
            | Mounted::Device(_)
            | Mounted::Local
            | Mounted::Servers
            | Mounted::Server(..) => {
                // It may be gone by now, or be too large to come from elsewhere.
                if let Ok(content) = content_of(caller, &found.path).await {
                    contents.insert(found.path.clone(), content);
                }
            }
        }
    }
    for (mount, paths) in kept {
        let Some(folder) = folder(caller, mount).await? else { continue };
        let found = files::contents(caller.hub.store().read(), &folder, &paths).await?;
        contents.extend(found.into_iter().map(|(path, (bytes, untrusted))| {
            (format!("{}/{path}", mount.path()), Content { bytes, untrusted })
        }));
    }
    Ok(contents)
}

pub(super) async fn content_of(caller: &Caller<'_>, path: &str) -> Result<Content, ToolError> {
    let pool = caller.hub.store().read();
    let content = match Mounted::parse(path)? {
        Mounted::In(mount, Some(path)) => files::open(pool, &require(caller, mount).await?, &path).await,
        Mounted::Uploads(Some(path)) => files::open_upload(pool, caller.root, path.as_str()).await,
        Mounted::Device(at) if !at.path.is_empty() => return device::read(caller, &at).await,
        Mounted::Server(name, Some(at)) => match server::read(caller, &name, &at).await? {
            Some(bytes) => return Ok(Content { bytes, untrusted: true }),
            None => Err(Error::NotFound("file")),
        },
        Mounted::Device(_) | Mounted::Local | Mounted::Servers | Mounted::Server(_, None) => {
            return Err(ToolError(format!("{path} is a folder. List it with files.")));
        }
        Mounted::Root | Mounted::In(_, None) | Mounted::Uploads(None) => Err(Error::NotFound("file")),
    };
    match content {
        Err(Error::NotFound(_)) => Err(missing(caller, path).await?),
        Err(error) => Err(error.into()),
        Ok((bytes, untrusted)) => Ok(Content { bytes, untrusted }),
    }
}

/// Says that there is no such file, and what there is.
pub(super) async fn missing(caller: &Caller<'_>, path: &str) -> Result<ToolError, ToolError> {
    let place = Mounted::parse(path)?;
    if !below(caller, &place).await?.is_empty() || matches!(place, Mounted::Root) {
        return Ok(ToolError(format!("{path} is a folder. List it with files.")));
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut alike = below(caller, &Mounted::Root).await?;
    alike.retain(|found| !found.untrusted && found.path.rsplit('/').next() == Some(name));
    alike.sort_by(|one, other| other.at.cmp(&one.at).then_with(|| one.path.cmp(&other.path)));
    let named: Vec<&str> = alike.iter().take(ALIKE).map(|found| found.path.as_str()).collect();
    Ok(but(&format!("There is no file {path}."), "There are, the newest first", &named))
}

/// The same of a folder in which was to be looked.
async fn nothing_at(caller: &Caller<'_>, path: &str) -> Result<ToolError, ToolError> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let (mut all, mut alike) = (below(caller, &Mounted::Root).await?, BTreeSet::new());
    all.retain(|found| !found.untrusted);
    for path in all.iter().map(|found| found.path.as_str()) {
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        let parts = ends.map(move |end| &path[..end]);
        alike.extend(parts.filter(|part| part.rsplit('/').next() == Some(name)));
    }
    let named: Vec<&str> = alike.into_iter().take(ALIKE).collect();
    Ok(but(&format!("There is nothing at {path}."), "There are", &named))
}

fn but(why: &str, there_are: &str, alike: &[&str]) -> ToolError {
    ToolError(match alike {
        [] => why.to_owned(),
        [one] => format!("{why} There is {one}."),
        several => format!("{why} {there_are}: {}.", several.join(", ")),
    })
}
