//! What the person does on the page of files with those of this device. Nobody else has to be asked.

use super::folders::{self, Opening};
use super::{Problem, kept, tree};
use crate::save::save;
use language::t;
use protocol::AgentId;
use protocol::device::{DeviceFile, DeviceMount, DevicePath, DeviceProblem};
use web_sys::FileSystemDirectoryHandle;

/// All files of the mount by path, and whether there are more. Of a folder of the person's their press is wanted,
/// because the browser may ask them.
pub async fn list(agent: AgentId, mount: DeviceMount) -> Result<(Vec<DeviceFile>, bool), String> {
    let listed = async { tree::list(root(&agent, &mount).await?, "").await };
    match listed.await {
        Err(Problem { why: DeviceProblem::Missing, .. }) if mount == DeviceMount::Opfs => {
            Ok((Vec::new(), false))
        }
        listed => listed.map_err(in_words),
    }
}

pub async fn read(agent: AgentId, at: DevicePath) -> Result<Vec<u8>, String> {
    let read = async { tree::read(root(&agent, &at.mount).await?, &at.path).await };
    read.await.map_err(in_words)
}

/// Has the browser save a copy where the person keeps what they download.
pub async fn download(agent: AgentId, at: DevicePath) -> Result<(), String> {
    let name = at.path.rsplit('/').next().unwrap_or_default().to_owned();
    let bytes = read(agent, at).await?;
    save(&bytes, &name).map_err(|_| t("The browser did not save the file.").to_owned())
}

/// Deletes the file, whatever is in it by now.
pub async fn delete(agent: AgentId, at: DevicePath) -> Result<(), String> {
    let deleted = async { tree::delete_any(root(&agent, &at.mount).await?, &at.path).await };
    deleted.await.map_err(in_words)
}

async fn root(agent: &AgentId, mount: &DeviceMount) -> Result<FileSystemDirectoryHandle, Problem> {
    match mount {
        DeviceMount::Opfs => kept(agent, false).await,
        DeviceMount::Local(name) => match folders::open_by_hand(agent, name).await? {
            Opening::Open(folder) => Ok(folder),
            Opening::Unknown => Err(Problem::of(DeviceProblem::NoFolder)),
            Opening::Refused => Err(Problem::of(DeviceProblem::NotAllowed)),
        },
    }
}

fn in_words(problem: Problem) -> String {
    let words = t(match problem.why {
        DeviceProblem::NoFolder => "The folder is not open for it any more.",
        DeviceProblem::Missing => "It is not there any more.",
        DeviceProblem::Exists => "Something of that name is there which is no file.",
        DeviceProblem::Changed => "It has been changed meanwhile.",
        DeviceProblem::TooLarge => "It is larger than 5 MB. Open it with a program of this device.",
        DeviceProblem::NotAllowed => {
            "The browser was not allowed to open the folder. Press again, and allow it."
        }
        DeviceProblem::Unsupported => "This browser keeps no files for pages.",
        DeviceProblem::Other => "It did not work out.",
    });
    match problem.message.as_str() {
        "" => words.to_owned(),
        message => format!("{words} ({message})"),
    }
}
