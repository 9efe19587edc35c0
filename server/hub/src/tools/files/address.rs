//! `read`, where the agent's page wants the file itself: where the person's browser finds it.

use super::mounts::{Mounted, missing, require};
use super::{UPLOADS, mounts};
use crate::gateway::Caller;
use crate::tools::ToolError;

pub(super) async fn give(caller: &Caller<'_>, path: &str) -> Result<String, ToolError> {
    let (mount, file) = match Mounted::parse(path)? {
        Mounted::In(mount, Some(file)) => (mount, file),
        Mounted::Device(_) | Mounted::Local => {
            return Err(ToolError(format!("{path} is on a device, and pages have no files there.")));
        }
        Mounted::In(_, None) | Mounted::Root => return Err(missing(caller, path).await?),
        Mounted::Uploads(_) => {
            return Err(ToolError(format!(
                "What is under {UPLOADS} is read by its lines only. The agent can copy it to {}.",
                mounts::AGENT
            )));
        }
    };
    let folder = require(caller, mount).await?;
    match caller.hub.files().address_of(&folder, &file).await? {
        Some(address) => Ok(serde_json::to_string(&address)?),
        None => Err(missing(caller, path).await?),
    }
}
