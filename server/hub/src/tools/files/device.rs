//! `/opfs` and `/local`: files on the device that shows the agent's page, done by the shell there. They have neither
//! versions nor a bin, so a change names what it is made to, and nothing else is written over. Whatever comes from there
//! counts as words of strangers: the person's own programs write there too, and nothing says which mark a file had.

use super::change::{Change, Put, made};
use super::mounts::{Content, Found, Mounted};
use crate::error::Error;
use crate::files::{self, digest_of};
use crate::gateway::Caller;
use crate::live::{TabCallError, TabLink};
use crate::tools::ToolError;
use agent::tools::{DEVICE_FILES, LOCAL_FILES};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::approval::Asker;
use protocol::device::{
    DeviceAnswer, DeviceAsk, DeviceMount, DevicePath, DeviceProblem, FileDigest, LONGEST_FILE, MOST_FILES,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// How long a device has, its person included, where the browser wants a word of theirs.
const PATIENCE: Duration = Duration::from_secs(75);

/// The same for one that is only asked which folders it has: a tab that sleeps says nothing.
const LOOK: Duration = Duration::from_secs(3);
/// Folders of one device, at most.
const MOST_FOLDERS: usize = 20;

/// Characters of a browser's words that are passed on.
const MESSAGE: usize = 200;

/// A path on a device as a model writes it.
pub(super) fn whole(at: &DevicePath) -> String {
    let mount = match &at.mount {
        DeviceMount::Opfs => DEVICE_FILES.to_owned(),
        DeviceMount::Local(name) => format!("{LOCAL_FILES}/{name}"),
    };
    if at.path.is_empty() { mount } else { format!("{mount}/{}", at.path) }
}

/// Whether a device shows the agent's page, and the agent itself asks.
pub(super) fn is_there(caller: &Caller<'_>) -> bool {
    !is_page(caller) && !caller.hub.live().pages(caller.root, None).is_empty()
}

/// The folders that the person opened for the agent, each with the name of its device.
pub(super) async fn folders(caller: &Caller<'_>) -> Result<Vec<(String, String)>, ToolError> {
    let mut all = BTreeSet::new();
    for tab in tabs(caller)? {
        let asked = caller.hub.live().call_tab(vec![tab], caller.root, DeviceAsk::Folders, LOOK).await;
        let Ok((tab, DeviceAnswer::Folders { names })) = asked else { continue };
        let device = device_name(caller, &tab).await?;
        all.extend(names.into_iter().take(MOST_FOLDERS).map(|name| (name, device.clone())));
    }
    // Two tabs of one browser have the same.
    Ok(all.into_iter().collect())
}

/// The files at and below a path, and whether there are more.
pub(super) async fn list(caller: &Caller<'_>, at: &DevicePath) -> Result<(Vec<Found>, bool), ToolError> {
    let (answer, _) = ask(caller, at, DeviceAsk::List { at: at.clone() }).await?;
    let DeviceAnswer::Files { files, more } = answer else { return Err(strange()) };
    let mount = whole(&DevicePath { path: String::new(), ..at.clone() });
    let told = files.len();
    let named = files.into_iter().take(MOST_FILES).map(|file| Found {
        path: format!("{mount}/{}", file.path),
        size: file.size,
        at: file.at,
        version: None,
        untrusted: true,
    });
    let found: Vec<Found> = named.filter(|found| Mounted::parse(&found.path).is_ok()).collect();
    let more = more || found.len() < told;
    Ok((found, more))
}

pub(super) async fn read(caller: &Caller<'_>, at: &DevicePath) -> Result<Content, ToolError> {
    let (answer, _) = ask(caller, at, DeviceAsk::Read { at: at.clone() }).await?;
    let DeviceAnswer::Content { content } = answer else { return Err(strange()) };
    let bytes = STANDARD.decode(content).map_err(|_| strange())?;
    Ok(Content { bytes, untrusted: true })
}

/// From now on it can be changed, as it is.
pub(super) async fn note_read(caller: &Caller<'_>, at: &DevicePath, bytes: &[u8]) -> Result<(), ToolError> {
    let mut tx = caller.hub.store().write().await?;
    let (path, digest) = (whole(at), digest_of(bytes));
    files::note_device_read(&mut tx, caller.conversation, &path, &digest, caller.hub.now()).await?;
    Ok(tx.commit().await?)
}

/// Another device can have another file of this path, and nothing brings back what is lost.
async fn require_read(caller: &Caller<'_>, at: &DevicePath, there: &[u8]) -> Result<(), ToolError> {
    let path = whole(at);
    let read = files::last_device_read(caller.hub.store().read(), caller.conversation, &path).await?;
    super::change::require_read(read, there, &path)
}

/// Makes the change, to what the agent has read and to nothing else.
pub(super) async fn put<C: Change>(
    caller: &Caller<'_>,
    at: &DevicePath,
    change: &Arc<C>,
) -> Result<Put, ToolError> {
    let path = whole(at);
    let before = match ask(caller, at, DeviceAsk::Read { at: at.clone() }).await {
        Ok((DeviceAnswer::Content { content }, _)) => Some(STANDARD.decode(content).map_err(|_| strange())?),
        Ok(_) => return Err(strange()),
        Err(Refusal { why: Some(DeviceProblem::Missing), .. }) => None,
        Err(refusal) => return Err(refusal.into()),
    };
    if let Some(before) = &before {
        require_read(caller, at, before).await?;
    }
    let (before, after) = made(change, &path, before).await?;
    let device = write(caller, at, &after, before.as_deref()).await?;
    note_read(caller, at, &after).await?;
    Ok(Put { version: None, before, was_untrusted: true, workspace: None, device: Some(device), after })
}

/// Puts a copy where nothing is, and gives the name of the device.
pub(super) async fn put_copy(
    caller: &Caller<'_>,
    at: &DevicePath,
    content: &[u8],
) -> Result<String, ToolError> {
    let device = write(caller, at, content, None).await?;
    note_read(caller, at, content).await?;
    Ok(device)
}

/// Writes it in place of what was there, and gives the name of the device.
async fn write(
    caller: &Caller<'_>,
    at: &DevicePath,
    content: &[u8],
    was: Option<&[u8]>,
) -> Result<String, ToolError> {
    if content.len() as u64 > LONGEST_FILE {
        return Err(problem(at, DeviceProblem::TooLarge, "").into());
    }
    let was = was.map(|was| FileDigest(digest_of(was)));
    let write = DeviceAsk::Write { at: at.clone(), content: STANDARD.encode(content), was };
    match ask(caller, at, write).await? {
        (DeviceAnswer::Done, device) => Ok(device),
        _ => Err(strange()),
    }
}

/// Takes away what the agent has read, if it is still there, and gives the name of the device.
pub(super) async fn delete(caller: &Caller<'_>, at: &DevicePath, was: &[u8]) -> Result<String, ToolError> {
    require_read(caller, at, was).await?;
    let delete = DeviceAsk::Delete { at: at.clone(), was: FileDigest(digest_of(was)) };
    match ask(caller, at, delete).await? {
        (DeviceAnswer::Done, device) => Ok(device),
        _ => Err(strange()),
    }
}

/// For what only files of the hub have.
pub(super) fn no_versions(at: &DevicePath) -> ToolError {
    ToolError(format!("{} is on a device of your person's, where nothing keeps versions.", whole(at)))
}

/// Why a device did not do it.
struct Refusal {
    why: Option<DeviceProblem>,
    words: String,
}

impl From<Refusal> for ToolError {
    fn from(refusal: Refusal) -> Self {
        Self(refusal.words)
    }
}

impl From<ToolError> for Refusal {
    fn from(ToolError(words): ToolError) -> Self {
        Self { why: None, words }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        ToolError::from(error).into()
    }
}

/// Has the first device do it that has the mount. It gives the name of that device as well.
async fn ask(
    caller: &Caller<'_>,
    at: &DevicePath,
    wanted: DeviceAsk,
) -> Result<(DeviceAnswer, String), Refusal> {
    let mut tabs = tabs(caller)?;
    loop {
        let answered = caller.hub.live().call_tab(tabs.clone(), caller.root, wanted.clone(), PATIENCE).await;
        let (tab, answer) = answered.map_err(|error| unanswered(at, error))?;
        match answer {
            DeviceAnswer::Failed { why: DeviceProblem::NoFolder, .. } if tabs.len() > 1 => {
                tabs.retain(|other| other.key != tab.key);
            }
            DeviceAnswer::Failed { why, message } => return Err(problem(at, why, &message)),
            answer => return Ok((answer, device_name(caller, &tab).await?)),
        }
    }
}

fn is_page(caller: &Caller<'_>) -> bool {
    caller.asker() == Asker::Page
}

fn tabs(caller: &Caller<'_>) -> Result<Vec<Arc<TabLink>>, ToolError> {
    if is_page(caller) {
        return Err(ToolError("Pages have no files on devices.".to_owned()));
    }
    let tabs = caller.hub.live().pages(caller.root, None);
    if tabs.is_empty() {
        return Err(ToolError(format!(
            "No device shows your page at the moment, and {DEVICE_FILES} and {LOCAL_FILES} are on it. Your person can open your page there."
        )));
    }
    Ok(tabs)
}

async fn device_name(caller: &Caller<'_>, tab: &TabLink) -> Result<String, Error> {
    caller.hub.accounts().device_name_of(tab.device.as_ref()).await
}

fn unanswered(at: &DevicePath, error: TabCallError) -> Refusal {
    let words = match error {
        TabCallError::NobodyThere => format!("No device answered, so nothing was done at {}.", whole(at)),
        TabCallError::TabGone | TabCallError::TimedOut => {
            format!("The device did not answer. Whether something was done at {} is not known.", whole(at))
        }
    };
    Refusal { why: None, words }
}

fn problem(at: &DevicePath, why: DeviceProblem, message: &str) -> Refusal {
    let path = whole(at);
    let words = match why {
        DeviceProblem::NoFolder => format!(
            "No device that shows your page has the folder of {path}. Your person can open it for you on the page of your files. List {LOCAL_FILES} to see which there are."
        ),
        DeviceProblem::Missing => format!("There is nothing at {path}."),
        DeviceProblem::Exists => format!("There is a file {path} already. Choose another path."),
        DeviceProblem::Changed => {
            format!("{path} has changed since you read it. Read it again before you change it.")
        }
        DeviceProblem::TooLarge => {
            format!("{path} is larger than 5 MB. What is on a device and as large can only be listed here.")
        }
        DeviceProblem::NotAllowed => {
            format!("Your person, or their browser for them, does not allow it at {path}.")
        }
        DeviceProblem::Unsupported => format!("The browser of the device cannot do that at {path}."),
        DeviceProblem::Other => {
            format!("It did not work out at {path}: {}", message.chars().take(MESSAGE).collect::<String>())
        }
    };
    Refusal { why: Some(why), words }
}

fn strange() -> ToolError {
    ToolError("The device answered something else. Try again.".to_owned())
}
