//! What a command said, as a file, where a result tells only its beginning and its end.

use crate::files::{Mount, keep_output, output_path};
use crate::gateway::Caller;
use crate::terminal::Filed;
use crate::tools::ToolError;
use crate::tools::files::{OWN_FILES, written};
use agent::tools::ResolvedCall;
use protocol::FolderId;
use serde_json::{Value, json};

const MEGABYTE: usize = 1024 * 1024;

pub(super) enum LongOutput {
    Kept {
        path: String,
        is_all: bool,
        bytes: usize,
    },
    /// And why.
    NotKept(String),
}

/// What the command did stands, whether this can be kept or not, and nobody should do it again for this.
pub(super) async fn keep(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    filed: Filed,
    untrusted: bool,
) -> LongOutput {
    let kept = kept(caller, call, filed, untrusted).await;
    kept.unwrap_or_else(|ToolError(why)| LongOutput::NotKept(why))
}

async fn kept(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    Filed { text, is_all }: Filed,
    untrusted: bool,
) -> Result<LongOutput, ToolError> {
    let said = text.len();
    let written = written(caller, call, Mount::Agent).await?.made_of(untrusted);
    let at = output_path(&text, written.at)?;
    let path = format!("{OWN_FILES}/{at}");
    if caller.beginner().writable(vec![&path], |path| (*path).clone()).await?.is_empty() {
        return Ok(LongOutput::NotKept("a rule of your person's says so".to_owned()));
    }
    let mut tx = caller.hub.store().write().await?;
    let kept = keep_output(&mut tx, &FolderId::from(caller.root), (at, text), &written).await?;
    Ok(match kept {
        Ok(bytes) => {
            tx.commit().await?;
            LongOutput::Kept { path, is_all: is_all && bytes == said, bytes }
        }
        Err(why) => LongOutput::NotKept(why),
    })
}

impl LongOutput {
    pub(super) fn tell(self, answer: &mut Value) {
        match self {
            Self::Kept { path, is_all, bytes } => {
                let has = match is_all {
                    true => "all of it".to_owned(),
                    false => format!("its first {} MB", bytes.div_ceil(MEGABYTE)),
                };
                answer["output_file"] =
                    json!({ "path": path, "is_all": is_all, "has": format!("{has}, for a day") });
            }
            Self::NotKept(why) => answer["output_file"] = json!({ "not_kept": why }),
        }
    }
}
