//! `write` and `edit`: what stands in a file of the agent's, changed once it has been read.

use super::edit::{Edit, edited};
use super::mounts::{self, Mounted, Writable};
use super::patch::patched;
use super::{device, flag, mark, not_text, text, written};
use crate::difference::for_a_model;
use crate::error::Error;
use crate::files::{self, Decoded, FilePlace, Mount, TextEncoding, Written, decoded, digest_of};
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use protocol::FolderId;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// How often a change is made anew, where others write the file at the same moments.
const ATTEMPTS: usize = 50;

pub(in crate::tools) async fn write(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let content = text(call, "content").to_owned();
    let append = flag(call, "append");
    change(caller, call, move |path, before| match before {
        Some(before) if append => {
            let Decoded { text, encoding } = decoded(before).ok_or_else(|| not_text(path, before))?;
            in_encoding(path, encoding, &format!("{text}{content}"))
        }
        Some(_) | None => Ok(content.as_bytes().to_owned()),
    })
    .await
}

pub(in crate::tools) async fn edit(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let changes = Changes::of(call.input())?;
    change(caller, call, move |path, before| {
        let before = before.ok_or_else(|| ToolError(format!("There is no file {path}. Write it.")))?;
        let Decoded { text, encoding } = decoded(before).ok_or_else(|| not_text(path, before))?;
        let after = match &changes {
            Changes::Edits(edits) => edited(&text, edits),
            Changes::Patch(patch) => patched(&text, patch),
        };
        in_encoding(path, encoding, &after.map_err(ToolError)?)
    })
    .await
}

/// As the file is written.
fn in_encoding(path: &str, encoding: TextEncoding, text: &str) -> Result<Vec<u8>, ToolError> {
    encoding.encode(text).map_err(|sign| {
        ToolError(format!(
            "{path} is written in {encoding}, where {sign:?} has no place. Leave it out, or write the whole file: that makes it UTF-8."
        ))
    })
}

/// Changes a text, and says what changed.
async fn change(caller: &Caller<'_>, call: &ResolvedCall, changed: impl Change) -> Result<String, ToolError> {
    let put = put(caller, call, text(call, "path"), false, changed).await?;
    let mut answer = put.answer(text(call, "path"));
    if let Some(encoding) = decoded(&put.after).map(|after| after.encoding)
        && encoding != TextEncoding::Utf8
    {
        answer["encoding"] = encoding.to_string().into();
    }
    if let Some(before) = put.before {
        let [before, after] = [before, put.after]
            .map(|bytes| decoded(&bytes).map(|decoded| decoded.text.into_owned()).unwrap_or_default());
        answer["diff"] = for_a_model(before, after).await?.into();
        mark(&mut answer, put.was_untrusted);
    }
    Ok(answer.to_string())
}

/// A change that was made.
pub(super) struct Put {
    /// None: it is on a device.
    pub(super) version: Option<u64>,
    /// None: there was no such file.
    pub(super) before: Option<Vec<u8>>,
    /// Whether strangers may have written what was there.
    pub(super) was_untrusted: bool,
    /// The workspace in which it is.
    pub(super) workspace: Option<FolderId>,
    /// The device on which it is.
    pub(super) device: Option<String>,
    pub(super) after: Vec<u8>,
}

/// What is to be in the file of this path, where this was.
pub(super) trait Change:
    Fn(&str, Option<&[u8]>) -> Result<Vec<u8>, ToolError> + Send + Sync + 'static
{
}

impl<F: Fn(&str, Option<&[u8]>) -> Result<Vec<u8>, ToolError> + Send + Sync + 'static> Change for F {}

/// What was there, and what the change makes of it. It takes its time on a thread that serves nobody.
pub(super) async fn made<C: Change>(
    changed: &Arc<C>,
    whole: &str,
    before: Option<Vec<u8>>,
) -> Result<(Option<Vec<u8>>, Vec<u8>), ToolError> {
    let (changed, whole) = (Arc::clone(changed), whole.to_owned());
    let made = tokio::task::spawn_blocking(move || {
        let after = (*changed)(&whole, before.as_deref())?;
        Ok::<_, ToolError>((before, after))
    });
    made.await.map_err(Error::internal)?
}

impl Put {
    /// What a model is told of it.
    pub(super) fn answer(&self, path: &str) -> Value {
        let mut answer = json!({ "ok": true, "path": path, "bytes": self.after.len() });
        if let Some(version) = self.version {
            answer["version"] = version.into();
        }
        if let Some(device) = &self.device {
            answer["device"] = device.clone().into();
        }
        if self.before.is_none() {
            answer["created"] = true.into();
        }
        if let Some(workspace) = &self.workspace {
            answer["workspace"] = workspace.0.clone().into();
        }
        answer
    }
}

/// Makes the change to what is there, whoever writes at the same moment. `untrusted`: strangers may have written what
/// it is made of.
pub(super) async fn put<C: Change>(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    whole: &str,
    untrusted: bool,
    changed: C,
) -> Result<Put, ToolError> {
    let changed = Arc::new(changed);
    let (mount, path) = match Mounted::writable(whole)? {
        Writable::Kept(mount, path) => (mount, path),
        Writable::OnDevice(at) => return device::put(caller, &at, &changed).await,
    };
    let place = FilePlace { folder: mounts::require(caller, mount).await?, path };
    let written = written(caller, call, mount).await?;
    caller.hub.spaces().require_for(caller.root).await?;
    for _ in 0..ATTEMPTS {
        let pool = caller.hub.store().read();
        let (before, was_untrusted) = there(files::open(pool, &place.folder, &place.path).await)?;
        if let Some(before) = &before
            && !flag(call, "append")
        {
            require_read(files::last_read(pool, &place, caller.conversation).await?, before, whole)?;
        }
        let (before, after) = made(&changed, whole, before).await?;
        let written = written.made_of(was_untrusted || untrusted);
        if let Some(version) = put_in_place_of(caller, &place, before.as_deref(), &after, &written).await? {
            let workspace = (mount == Mount::Workspace).then_some(place.folder);
            return Ok(Put { version: Some(version), before, was_untrusted, workspace, device: None, after });
        }
    }
    Err(ToolError(format!("{whole} was changed again and again meanwhile. Nothing was written: try again.")))
}

/// What is in a file, and whether strangers may have written it. None: there is no such file.
fn there(found: Result<(Vec<u8>, bool), Error>) -> Result<(Option<Vec<u8>>, bool), Error> {
    match found {
        Err(Error::NotFound(_)) => Ok((None, false)),
        other => other.map(|(bytes, untrusted)| (Some(bytes), untrusted)),
    }
}

/// Writes it, and gives its version. None: something else was written meanwhile.
async fn put_in_place_of(
    caller: &Caller<'_>,
    place: &FilePlace,
    before: Option<&[u8]>,
    after: &[u8],
    written: &Written,
) -> Result<Option<u64>, Error> {
    let FilePlace { folder, path } = place;
    let mut tx = caller.hub.store().write().await?;
    files::lock(&mut tx, folder, written.at).await?;
    let (now, is_untrusted) = there(files::open(&mut *tx, folder, path).await)?;
    if now.as_deref() != before {
        return Ok(None);
    }
    let version = files::put(&mut tx, folder, path, after, &written.made_of(is_untrusted)).await?;
    files::note_read(&mut *tx, place, caller.conversation, &digest_of(after)).await?;
    tx.commit().await?;
    Ok(Some(version))
}

/// `read`: the digest of what the agent read last.
pub(super) fn require_read(read: Option<String>, before: &[u8], whole: &str) -> Result<(), ToolError> {
    match read {
        None => Err(ToolError(format!(
            "{whole} has not been read in this conversation. Read it before you change it."
        ))),
        Some(digest) if digest != digest_of(before) => Err(ToolError(format!(
            "{whole} has changed since you read it. Read it again before you change it."
        ))),
        Some(_) => Ok(()),
    }
}

#[derive(Deserialize)]
struct OneEdit {
    old_string: String,
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

impl From<OneEdit> for Edit {
    fn from(OneEdit { old_string, new_string, replace_all }: OneEdit) -> Self {
        Self::Replace { old: old_string, new: new_string, all: replace_all }
    }
}

/// What `edit` is to do.
enum Changes {
    Edits(Vec<Edit>),
    Patch(String),
}

/// The arguments that say what is to be changed, each group by one of them.
const WAYS: [&str; 4] = ["old_string", "insert_line", "edits", "patch"];

impl Changes {
    fn of(input: &Value) -> Result<Self, ToolError> {
        let given: Vec<&str> = WAYS.into_iter().filter(|way| input.get(way).is_some()).collect();
        let [way] = given.as_slice() else {
            return Err(ToolError(match given.as_slice() {
                [] => "Say what to change: old_string and new_string, insert_line and new_string, edits or a patch.".to_owned(),
                several => format!("Give one of {}, not several.", several.join(", ")),
            }));
        };
        let new = input.get("new_string").and_then(Value::as_str);
        match (*way, new) {
            ("edits" | "patch", Some(_)) => Err(ToolError(format!("Give either new_string or {way}."))),
            ("edits", None) => {
                let edits: Vec<OneEdit> = serde_json::from_value(input["edits"].clone())?;
                Ok(Self::Edits(edits.into_iter().map(Edit::from).collect()))
            }
            ("patch", None) => Ok(Self::Patch(input["patch"].as_str().unwrap_or_default().to_owned())),
            (_, None) => Err(ToolError("A change has a new_string.".to_owned())),
            ("insert_line", Some(new)) => {
                let line = input["insert_line"].as_u64().and_then(|line| usize::try_from(line).ok());
                let line = line.unwrap_or(usize::MAX);
                Ok(Self::Edits(vec![Edit::Insert { line, new: new.to_owned() }]))
            }
            (_, Some(_)) => {
                let edit: OneEdit = serde_json::from_value(input.clone())?;
                Ok(Self::Edits(vec![edit.into()]))
            }
        }
    }
}
