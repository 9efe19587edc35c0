//! `/mcp`: what MCP servers have to read, of those that the person mounted for the agent. Each of them is asked when it is
//! looked into, with the person's own access to it, and nothing of it is ever written. All of it, its names included, is
//! a stranger's words; errors are ours.

use super::mounts::Found;
use crate::files::FilePath;
use crate::gateway::Caller;
use crate::mcp_servers::{McpFailure, MountedServer};
use crate::tools::ToolError;
use agent::tools::SERVER_FILES;

/// Why a list of a server is not all.
pub(super) const NOT_ALL: &str =
    "The server has more than is listed here. A tool of it may find the rest, if you have one.";

/// The mounted ones, by the paths that they have for the agent.
pub(super) async fn mounts(caller: &Caller<'_>) -> Result<Vec<String>, ToolError> {
    let mounted = caller.hub.mcp_servers().mounts_of(caller.root).await?;
    Ok(mounted.into_iter().map(|server| format!("{SERVER_FILES}/{}", server.name)).collect())
}

/// The files at and below a path, and whether there are more.
pub(super) async fn list(
    caller: &Caller<'_>,
    name: &str,
    at: Option<&FilePath>,
) -> Result<(Vec<Found>, bool), ToolError> {
    let server = server(caller, name).await?;
    let listing = caller.hub.mcp_servers().listing(caller.owner, &server).await;
    let listing = listing.map_err(|failure| told(name, failure))?;
    let is_below = |path: &FilePath| {
        at.is_none_or(|at| {
            let rest = path.as_str().strip_prefix(at.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    let files = listing.files.iter().filter(|file| is_below(&file.path)).map(|file| Found {
        path: format!("{SERVER_FILES}/{name}/{}", file.path),
        size: file.size.unwrap_or_default(),
        at: 0,
        version: None,
        untrusted: true,
    });
    Ok((files.collect(), listing.more))
}

/// What is in a file. `None`: there is none.
pub(super) async fn read(
    caller: &Caller<'_>,
    name: &str,
    path: &FilePath,
) -> Result<Option<Vec<u8>>, ToolError> {
    let server = server(caller, name).await?;
    let content = caller.hub.mcp_servers().content(caller.owner, &server, path).await;
    content.map_err(|failure| told(name, failure))
}

async fn server(caller: &Caller<'_>, name: &str) -> Result<MountedServer, ToolError> {
    let mounted = caller.hub.mcp_servers().mounts_of(caller.root).await?;
    mounted.into_iter().find(|server| server.name == name).ok_or_else(|| {
        ToolError(format!(
            "There is no {SERVER_FILES}/{name}: your person can mount what a server has to read on the page of your files. List {SERVER_FILES} to see what is mounted."
        ))
    })
}

/// An error stands outside of every fence, so what a server says of it is left out.
fn told(name: &str, failure: McpFailure) -> ToolError {
    let why = match failure {
        McpFailure::Said(_) => {
            "The server answers that it cannot. It may be gone there: list the folder again.".to_owned()
        }
        McpFailure::Exited(..) | McpFailure::Killed(..) | McpFailure::Exceeded(..) => {
            "Its program ended before it had answered. Try again.".to_owned()
        }
        ours => ours.to_string(),
    };
    ToolError(format!("{SERVER_FILES}/{name}: {why}"))
}
