//! Files and whole folders of this device that a person brings into a folder of the hub's, and files that they drag
//! within the page or out of it.

use super::drops;
use js_sys::{Array, Promise, Reflect};
use language::{key, plural, say, t};
use leptos::ev::{DragEvent, Event};
use leptos::prelude::window;
use protocol::Failure;
use std::future::Future;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, DataTransfer, File, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry, FormData,
    HtmlInputElement, RequestInit, Response,
};

/// Files that are brought at once, and how deep they are in folders.
const MOST_FILES: usize = 2_000;
const DEPTH: usize = 32;
/// Files of one request, and their bytes.
const TOGETHER: usize = 20;
const TOGETHER_BYTES: f64 = 20.0 * 1024.0 * 1024.0;
/// The largest file that a folder takes, in bytes.
const LARGEST: f64 = 5.0 * 1024.0 * 1024.0;

/// What is said of files beyond those that are brought at once.
const TOO_MANY: &str = key!("2,000 files come at once at most: the others were left out.");
/// Files of which it is said why they are not there.
const MOST_REFUSED: usize = 20;

/// What was brought from this device.
pub enum Brought {
    /// By its path from the folder on that was brought.
    File { path: String, file: File },
    /// Why something is not among the files.
    LeftOut(String),
}

impl Brought {
    fn words(&self) -> &str {
        match self {
            Self::File { path, .. } => path,
            Self::LeftOut(why) => why,
        }
    }
}

/// What became of files that were brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uploaded {
    pub files: usize,
    /// Why others are not there.
    pub refused: Vec<String>,
}

/// Lets files of this page be dragged. A browser that takes addresses lets one be dropped on the machine: `out` has
/// its name and its address.
pub fn begin_drag(event: &DragEvent, out: Option<(String, String)>) {
    let Some(data) = event.data_transfer() else { return };
    data.set_effect_allowed("copyMove");
    put(&data, drops::OWN_FILES, "");
    if let Some((name, address)) = out {
        let origin = window().location().origin().unwrap_or_default();
        put(&data, "DownloadURL", &format!("application/octet-stream:{name}:{origin}{address}"));
    }
}

fn put(data: &DataTransfer, kind: &str, text: &str) {
    if data.set_data(kind, text).is_err() {
        leptos::logging::warn!("The browser does not take {kind} along.");
    }
}

/// Takes what is dragged over, if it is files of this page (`is_own`) or of the device.
pub fn drag_over(event: &DragEvent, is_own: bool) -> bool {
    let takes = if is_own { drops::brings_own(event) } else { drops::brings_files(event) };
    if takes {
        event.prevent_default();
        if let Some(data) = event.data_transfer() {
            data.set_drop_effect(if is_own { "move" } else { "copy" });
        }
    }
    takes
}

/// What was chosen in a field for files or for a folder, which is empty afterwards.
pub fn chosen(event: &Event) -> Vec<Brought> {
    let Some(field) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) else {
        return Vec::new();
    };
    let files = field.files().into_iter();
    let files: Vec<File> =
        files.flat_map(|files| (0..files.length()).filter_map(move |at| files.get(at))).collect();
    field.set_value("");
    let is_cut = files.len() > MOST_FILES;
    let mut found: Vec<Brought> = files.into_iter().take(MOST_FILES).map(brought).collect();
    if is_cut {
        found.push(Brought::LeftOut(t(TOO_MANY).to_owned()));
    }
    found
}

fn brought(file: File) -> Brought {
    let path = Reflect::get(&file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
    let path = path.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name());
    Brought::File { path, file }
}

/// All files of what was dropped, with those in folders, and why others are left out. The event is read at once: it is empty later.
pub fn dropped(event: &DragEvent) -> impl Future<Output = Vec<Brought>> + use<> {
    let (mut left, mut found) = (Vec::new(), Vec::new());
    if let Some(items) = event.data_transfer().map(|data| data.items()) {
        for item in (0..items.length()).filter_map(|at| items.get(at)) {
            match item.webkit_get_as_entry() {
                Ok(Some(entry)) => left.push((entry, 1)),
                // It comes from no file system.
                Ok(None) | Err(_) => found.extend(item.get_as_file().ok().flatten().map(brought)),
            }
        }
    }
    async move {
        while let Some((entry, depth)) = left.pop() {
            if found.len() >= MOST_FILES {
                found.push(Brought::LeftOut(t(TOO_MANY).to_owned()));
                break;
            }
            if entry.is_file() {
                found.push(file_of(entry).await);
            } else if depth < DEPTH {
                left.extend(inside(entry, &mut found).await.into_iter().map(|entry| (entry, depth + 1)));
            } else {
                found.push(Brought::LeftOut(say!(
                    "{path} is deeper than 32 folders.",
                    path = path_of(&entry)
                )));
            }
        }
        found.sort_by(|one: &Brought, other| one.words().cmp(other.words()));
        found
    }
}

fn path_of(entry: &FileSystemEntry) -> String {
    entry.full_path().trim_start_matches('/').to_owned()
}

fn unreadable(path: &str) -> Brought {
    Brought::LeftOut(say!("{path} could not be read."))
}

async fn file_of(entry: FileSystemEntry) -> Brought {
    let path = path_of(&entry);
    let entry: FileSystemFileEntry = entry.unchecked_into();
    let promise = Promise::new(&mut |resolve, reject| {
        entry.file_with_callback_and_callback(&resolve, &reject);
    });
    let file: Result<JsValue, _> = JsFuture::from(promise).await;
    match file {
        Ok(file) => Brought::File { path, file: file.unchecked_into() },
        Err(_) => unreadable(&path),
    }
}

/// A reader gives a hundred at a time, and none at the end.
async fn inside(entry: FileSystemEntry, left_out: &mut Vec<Brought>) -> Vec<FileSystemEntry> {
    let path = path_of(&entry);
    let reader = entry.unchecked_into::<FileSystemDirectoryEntry>().create_reader();
    let mut found = Vec::new();
    // One more than are taken says that there are more.
    while found.len() <= MOST_FILES {
        let promise = Promise::new(&mut |resolve, reject| {
            let asked = reader.read_entries_with_callback_and_callback(&resolve, &reject);
            if let Err(error) = asked {
                // An answer that cannot be given has nobody to hear of it.
                let _ = reject.call1(&JsValue::NULL, &error);
            }
        });
        let part: Result<JsValue, _> = JsFuture::from(promise).await;
        let Ok(part) = part else {
            left_out.push(unreadable(&path));
            break;
        };
        let part: Array = part.unchecked_into();
        if part.length() == 0 {
            break;
        }
        found.extend(part.iter().map(|entry| entry.unchecked_into::<FileSystemEntry>()));
    }
    found
}

/// Sends the files into a folder of what `field` and `id` name (`agent` or `workspace`), some at a time, and says in
/// between how many are there.
pub async fn upload(
    field: &'static str,
    id: String,
    into: String,
    files: Vec<Brought>,
    so_far: impl Fn(usize),
) -> Uploaded {
    let mut uploaded = Uploaded::default();
    let (mut part, mut bytes) = (Vec::new(), 0.0);
    let mut parts = Vec::new();
    for brought in files {
        let (path, file) = match brought {
            Brought::File { path, file } => (path, file),
            Brought::LeftOut(why) => {
                uploaded.refused.push(why);
                continue;
            }
        };
        let size = file.size();
        if size > LARGEST {
            uploaded.refused.push(say!("{path} is larger than 5 MB."));
            continue;
        }
        if part.len() == TOGETHER || (bytes + size > TOGETHER_BYTES && !part.is_empty()) {
            parts.push(std::mem::take(&mut part));
            bytes = 0.0;
        }
        bytes += size;
        part.push((path, file));
    }
    if !part.is_empty() {
        parts.push(part);
    }
    let others = uploaded.refused.len().saturating_sub(MOST_REFUSED);
    if others > 0 {
        uploaded.refused.truncate(MOST_REFUSED);
        uploaded.refused.push(plural!(
            others,
            "So it is with {others} more.",
            "So it is with {others} more."
        ));
    }
    for part in parts {
        match send(field, &id, &into, &part).await {
            Ok(()) => uploaded.files += part.len(),
            Err(why) => {
                uploaded.refused.push(why);
                break;
            }
        }
        so_far(uploaded.files);
    }
    uploaded
}

const UNREACHED: &str = key!("The hub could not be reached. Bring the rest again.");

async fn send(field: &str, id: &str, into: &str, part: &[(String, File)]) -> Result<(), String> {
    let unreached = |_: JsValue| t(UNREACHED);
    let form = FormData::new().map_err(unreached)?;
    form.append_with_str(field, id).map_err(unreached)?;
    form.append_with_str("folder", into).map_err(unreached)?;
    for (path, file) in part {
        let blob: &Blob = file;
        form.append_with_blob_and_filename("file", blob, path).map_err(unreached)?;
    }
    let options = RequestInit::new();
    options.set_method("POST");
    options.set_body(&form);
    let answered = JsFuture::from(window().fetch_with_str_and_init("/files", &options)).await;
    let response: Response = answered.map_err(unreached)?.unchecked_into();
    if response.ok() {
        return Ok(());
    }
    let text = JsFuture::from(response.text().map_err(unreached)?).await.map_err(unreached)?;
    Err(serde_json::from_str::<Failure>(&text.as_string().unwrap_or_default())
        .map_or_else(|_| t(UNREACHED).to_owned(), |failure| failure.message))
}
