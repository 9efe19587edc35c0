//! What a command said, as a file, where a result tells only its beginning and its end.

use crate::files::{Mount, keep_output, output_path};
use crate::gateway::Caller;
use crate::terminal::Filed;
use crate::tools::ToolError;
use crate::tools::files::{OWN_FILES, written};
use agent::tools::ResolvedCall;
use protocol::FolderId;
use serde_json::{Value, json};

pub(super) enum LongOutput {
    Kept {
        path: String,
        is_all: bool,
    },
    /// And why.
    NotKept(String),
}

/// What the command did stands, whether this can be kept or not.
pub(super) async fn keep(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    Filed { text, is_all }: Filed,
    untrusted: bool,
) -> Result<LongOutput, ToolError> {
    let written = written(caller, call, Mount::Agent).await?.made_of(untrusted);
    let at = output_path(&text, written.at)?;
    let path = format!("{OWN_FILES}/{at}");
    if caller.beginner().writable(vec![&path], |path| (*path).clone()).await?.is_empty() {
        return Ok(LongOutput::NotKept("a rule of your person's says so".to_owned()));
    }
    let mut tx = caller.hub.store().write().await?;
    let kept = keep_output(&mut tx, &FolderId::from(caller.root), (at, text), &written).await?;
    Ok(match kept {
        Ok(()) => {
            tx.commit().await?;
            LongOutput::Kept { path, is_all }
        }
        Err(why) => LongOutput::NotKept(why),
    })
}

impl LongOutput {
    pub(super) fn tell(self, answer: &mut Value) {
        match self {
            Self::Kept { path, is_all } => {
                let has = if is_all { "all of it" } else { "its first 2 MB" };
                answer["output_file"] =
                    json!({ "path": path, "is_all": is_all, "has": format!("{has}, for a day") });
            }
            Self::NotKept(why) => answer["output_file"] = json!({ "not_kept": why }),
        }
    }
}
