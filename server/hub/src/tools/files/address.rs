//! `read`, where the agent's page wants the file itself: where the person's browser finds it.

use super::mounts::{Mounted, missing, require};
use super::{UPLOADS, mounts};
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::SERVER_FILES;

fn by_lines(mount: &str) -> ToolError {
    let own = mounts::AGENT;
    ToolError(format!("What is under {mount} is read by its lines only. The agent can copy it to {own}."))
}

pub(super) async fn give(caller: &Caller<'_>, path: &str) -> Result<String, ToolError> {
    let (mount, file) = match Mounted::parse(path)? {
        Mounted::In(mount, Some(file)) => (mount, file),
        Mounted::Device(_) | Mounted::Local => {
            return Err(ToolError(format!("{path} is on a device, and pages have no files there.")));
        }
        Mounted::In(_, None) | Mounted::Root => return Err(missing(caller, path).await?),
        Mounted::Uploads(_) => return Err(by_lines(UPLOADS)),
        Mounted::Servers | Mounted::Server(..) => return Err(by_lines(SERVER_FILES)),
    };
    let folder = require(caller, mount).await?;
    match caller.hub.files().address_of(&folder, &file).await? {
        Some(address) => Ok(serde_json::to_string(&address)?),
        None => Err(missing(caller, path).await?),
    }
}
