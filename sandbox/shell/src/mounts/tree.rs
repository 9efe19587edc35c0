//! Files below a folder that the browser opened, by path. Each part of a path is gone by itself.

use super::Problem;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use js_sys::{ArrayBuffer, Reflect, Uint8Array};
use leptos::prelude::window;
use protocol::device::{DEEPEST, DeviceFile, DeviceProblem, FileDigest, LONGEST_FILE, MOST_FILES};
use std::fmt::Write;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    File, FileSystemDirectoryHandle, FileSystemFileHandle, FileSystemGetDirectoryOptions,
    FileSystemGetFileOptions, FileSystemHandle, FileSystemHandleKind, FileSystemRemoveOptions,
    FileSystemWritableFileStream, WritableStream,
};

pub(super) async fn folder(
    above: &FileSystemDirectoryHandle,
    name: &str,
    create: bool,
) -> Result<FileSystemDirectoryHandle, Problem> {
    let options = FileSystemGetDirectoryOptions::new();
    options.set_create(create);
    Ok(JsFuture::from(above.get_directory_handle_with_options(name, &options)).await?.unchecked_into())
}

/// Takes away what is there of this name, with all below.
pub(super) async fn remove(above: &FileSystemDirectoryHandle, name: &str) -> Result<(), Problem> {
    let options = FileSystemRemoveOptions::new();
    options.set_recursive(true);
    JsFuture::from(above.remove_entry_with_options(name, &options)).await?;
    Ok(())
}

/// The files at and below the path, by path, and whether there are more.
pub(super) async fn list(
    root: FileSystemDirectoryHandle,
    path: &str,
) -> Result<(Vec<DeviceFile>, bool), Problem> {
    let mut folders = vec![(path.to_owned(), root)];
    if !path.is_empty() {
        let (above, name) = above(&folders[0].1, path, false).await?;
        match folder(&above, &name, false).await {
            Ok(found) => folders[0].1 = found,
            Err(_) => {
                let file = file(&above, &name).await?.ok_or(Problem::of(DeviceProblem::Missing))?;
                return Ok((vec![described(path.to_owned(), &opened(&file).await?)], false));
            }
        }
    }
    let (mut files, mut more, mut seen) = (Vec::new(), false, 0);
    while let Some((path, folder)) = folders.pop() {
        seen += 1;
        if seen > MOST_FILES {
            return Ok((files, true));
        }
        let entries = folder.values();
        loop {
            let next = JsFuture::from(entries.next().map_err(Problem::from)?).await?;
            if Reflect::get(&next, &"done".into())?.is_truthy() {
                break;
            }
            let entry: FileSystemHandle = Reflect::get(&next, &"value".into())?.unchecked_into();
            let name = entry.name();
            let below = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            if !is_part(&name) || below.split('/').count() > DEEPEST {
                more = true;
                continue;
            }
            match entry.kind() {
                FileSystemHandleKind::Directory => folders.push((below, entry.unchecked_into())),
                _ if files.len() == MOST_FILES => return Ok((files, true)),
                // It may go away while it is looked at.
                _ => {
                    files.extend(opened(entry.unchecked_ref()).await.ok().map(|file| described(below, &file)))
                }
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok((files, more))
}

pub(super) async fn read(root: FileSystemDirectoryHandle, path: &str) -> Result<Vec<u8>, Problem> {
    let (above, name) = above(&root, path, false).await?;
    let file = file(&above, &name).await?.ok_or(Problem::of(DeviceProblem::Missing))?;
    content(&file).await
}

/// `content` is in base64. `was`: what it is written over, and nothing else.
pub(super) async fn write(
    root: FileSystemDirectoryHandle,
    path: &str,
    content: &str,
    was: Option<FileDigest>,
) -> Result<(), Problem> {
    let content = STANDARD.decode(content).map_err(|_| Problem::of(DeviceProblem::Other))?;
    let (above, name) = above(&root, path, true).await?;
    let is_new = was.is_none();
    match (file(&above, &name).await?, was) {
        (None, None) => {}
        (Some(file), Some(was)) => require_same(&file, &was).await?,
        (Some(_), None) => return Err(Problem::of(DeviceProblem::Exists)),
        (None, Some(_)) => return Err(Problem::of(DeviceProblem::Changed)),
    }
    let written = fill(&above, &name, &content).await;
    if written.is_err() && is_new {
        // The browser made it empty before it was written. Whether that can be taken back changes nothing of the error.
        let _ = JsFuture::from(above.remove_entry(&name)).await;
    }
    written
}

async fn fill(above: &FileSystemDirectoryHandle, name: &str, content: &[u8]) -> Result<(), Problem> {
    let options = FileSystemGetFileOptions::new();
    options.set_create(true);
    let file: FileSystemFileHandle =
        JsFuture::from(above.get_file_handle_with_options(name, &options)).await?.unchecked_into();
    if !Reflect::has(&file, &"createWritable".into())? {
        return Err(Problem::of(DeviceProblem::Unsupported));
    }
    let stream: FileSystemWritableFileStream = JsFuture::from(file.create_writable()).await?.unchecked_into();
    if let Err(error) = JsFuture::from(stream.write_with_u8_array(content)?).await {
        // What was there stays, and what was begun goes with the stream.
        let _ = JsFuture::from(stream.unchecked_ref::<WritableStream>().abort()).await;
        return Err(error.into());
    }
    // Before this, others see what was there.
    JsFuture::from(stream.unchecked_ref::<WritableStream>().close()).await?;
    Ok(())
}

pub(super) async fn delete(
    root: FileSystemDirectoryHandle,
    path: &str,
    was: &FileDigest,
) -> Result<(), Problem> {
    let (above, name) = above(&root, path, false).await?;
    let file = file(&above, &name).await?.ok_or(Problem::of(DeviceProblem::Missing))?;
    require_same(&file, was).await?;
    JsFuture::from(above.remove_entry(&name)).await?;
    Ok(())
}

/// The same whatever is in it.
pub(super) async fn delete_any(root: FileSystemDirectoryHandle, path: &str) -> Result<(), Problem> {
    let (above, name) = above(&root, path, false).await?;
    if file(&above, &name).await?.is_none() {
        return Err(Problem::of(DeviceProblem::Missing));
    }
    JsFuture::from(above.remove_entry(&name)).await?;
    Ok(())
}

pub(super) fn in_base64(content: &[u8]) -> String {
    STANDARD.encode(content)
}

async fn require_same(file: &FileSystemFileHandle, was: &FileDigest) -> Result<(), Problem> {
    match digest_of(&content(file).await?).await? == *was {
        true => Ok(()),
        false => Err(Problem::of(DeviceProblem::Changed)),
    }
}

/// The folder in which the file of this path is, and the file's own name.
async fn above(
    root: &FileSystemDirectoryHandle,
    path: &str,
    create: bool,
) -> Result<(FileSystemDirectoryHandle, String), Problem> {
    let mut parts: Vec<&str> = path.split('/').collect();
    if parts.len() > DEEPEST || !parts.iter().all(|part| is_part(part)) {
        return Err(Problem::of(DeviceProblem::Missing));
    }
    let name = parts.pop().unwrap_or_default();
    let mut above = root.clone();
    for part in parts {
        let found = folder(&above, part, false).await;
        above = match found {
            Ok(found) if is_named(&above, part).await? => found,
            Err(Problem { why: DeviceProblem::Missing, .. }) if create => folder(&above, part, true).await?,
            Ok(_) => return Err(Problem::of(DeviceProblem::Missing)),
            Err(problem) => return Err(problem),
        };
    }
    Ok((above, name.to_owned()))
}

/// Whether what is there has exactly this name: where the file system takes others for the same, rules about paths would
/// not fit.
async fn is_named(above: &FileSystemDirectoryHandle, name: &str) -> Result<bool, Problem> {
    let names = above.keys();
    loop {
        let next = JsFuture::from(names.next()?).await?;
        if Reflect::get(&next, &"done".into())?.is_truthy() {
            return Ok(false);
        }
        if Reflect::get(&next, &"value".into())?.as_string().as_deref() == Some(name) {
            return Ok(true);
        }
    }
}

fn is_part(name: &str) -> bool {
    let is_up = matches!(name.trim(), "" | "." | "..");
    !is_up && !name.chars().any(|each| each.is_control() || ['/', '\\', ':'].contains(&each))
}

/// None: there is no such file.
async fn file(
    above: &FileSystemDirectoryHandle,
    name: &str,
) -> Result<Option<FileSystemFileHandle>, Problem> {
    match JsFuture::from(above.get_file_handle(name)).await {
        Ok(file) if is_named(above, name).await? => Ok(Some(file.unchecked_into())),
        Ok(_) => Err(Problem::of(DeviceProblem::Exists)),
        Err(error) => match Problem::from(error) {
            Problem { why: DeviceProblem::Missing, .. } => Ok(None),
            problem => Err(problem),
        },
    }
}

async fn opened(file: &FileSystemFileHandle) -> Result<File, Problem> {
    Ok(JsFuture::from(file.get_file()).await?.unchecked_into())
}

fn described(path: String, file: &File) -> DeviceFile {
    DeviceFile { path, size: file.size() as u64, at: file.last_modified() as i64 }
}

async fn content(file: &FileSystemFileHandle) -> Result<Vec<u8>, Problem> {
    let file = opened(file).await?;
    if file.size() as u64 > LONGEST_FILE {
        return Err(Problem::of(DeviceProblem::TooLarge));
    }
    let buffer: ArrayBuffer = JsFuture::from(file.array_buffer()).await?.unchecked_into();
    Ok(Uint8Array::new(&buffer).to_vec())
}

async fn digest_of(content: &[u8]) -> Result<FileDigest, JsValue> {
    let subtle = window().crypto()?.subtle();
    let digest = JsFuture::from(subtle.digest_with_str_and_u8_array("SHA-256", content)?).await?;
    let bytes = Uint8Array::new(&digest).to_vec();
    Ok(FileDigest(bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_path_leads_elsewhere() {
        for (part, expected) in [
            ("a b.md", true),
            (".hidden", true),
            ("", false),
            (".", false),
            ("..", false),
            (" ", false),
            ("a/b", false),
            ("a\\b", false),
            ("c:", false),
            ("a\nb", false),
        ] {
            assert_eq!(is_part(part), expected, "{part:?}");
        }
    }
}
