//! A tool's result as a model reads it: whole, cut, or as a digest when it is old; behind a fence if
//! strangers wrote it.

use super::telling::Telling;
use super::{cut, fence};
use crate::taint;
use protocol::model::{ToolCall, ToolResult};

/// Characters of the result in a digest.
const DIGEST: usize = 120;

pub(super) fn told(call: &ToolCall, result: &ToolResult, telling: &Telling) -> ToolResult {
    let name = call.name.clone();
    let is_foreign = taint::is_foreign(call, result);
    if telling.digest_until.is_some() {
        let digest = digest(&name, result);
        if digest.len() < result.content.len() || !result.media.is_empty() {
            let content = if is_foreign { fence::around(&digest) } else { digest };
            return ToolResult { name, content, media: Vec::new(), ..result.clone() };
        }
    }
    let content = cut::at_a_sentence(&result.content, telling.result_chars);
    let content = if is_foreign { fence::around(&content) } else { content.into_owned() };
    ToolResult {
        call: result.call.clone(),
        name,
        content,
        media: result.media.clone(),
        is_error: result.is_error,
    }
}

fn digest(name: &str, result: &ToolResult) -> String {
    let media = match result.media.len() {
        0 => String::new(),
        1 => ", with a file".to_owned(),
        files => format!(", with {files} files"),
    };
    let line = cut::to_a_line(&result.content, DIGEST);
    format!("[{name} → {line}] ({} bytes{media}, shortened)", result.content.len())
}
