//! Resources of a server as files: which there are, and what is in one. What was listed is kept for a little while,
//! and asked for anew once the server says that it has others.

mod listings;
mod paths;

pub(super) use listings::Listings;

use super::McpServers;
use super::failure::McpFailure;
use super::resources::{self, Wanted};
use crate::files::FilePath;
use protocol::{McpServerId, UserId};
use serde_json::{Value, json};
use std::sync::Arc;

/// A server that is mounted for an agent.
#[derive(Clone, Debug)]
pub(crate) struct MountedServer {
    pub(super) id: McpServerId,
    pub(crate) name: String,
    pub(super) url: String,
}

/// A resource as a file.
#[derive(Clone, Debug)]
pub(crate) struct MountedFile {
    pub(crate) path: FilePath,
    uri: String,
    /// As its server says.
    pub(crate) size: Option<u64>,
}

/// What there is at a server, by path.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) files: Vec<MountedFile>,
    /// Whether there is more than is listed.
    pub(crate) more: bool,
}

impl Listing {
    /// The memory that it takes.
    fn bytes(&self) -> usize {
        let of_file =
            |file: &MountedFile| size_of::<MountedFile>() + file.path.as_str().len() + file.uri.len();
        size_of::<Self>() + self.files.iter().map(of_file).sum::<usize>()
    }
}

impl McpServers<'_> {
    /// What there is at the server, which this person's own access to it is used for.
    pub(crate) async fn listing(
        self,
        owner: &UserId,
        server: &MountedServer,
    ) -> Result<Arc<Listing>, McpFailure> {
        let listings = &self.hub.0.mcp_servers.listings;
        let now = self.hub.moment();
        if let Some(listing) = listings.fresh(&server.id, now) {
            // It may have been lent, and be so no more.
            Box::pin(self.sealed_for(owner, &server.id)).await?;
            return Ok(listing);
        }
        let MountedServer { id, name, url } = server;
        let asking = listings.asking(id);
        // On the heap, as below: a call is made of so many futures in each other already that the compiler gives up.
        let listed = Box::pin(self.read(owner, (id, name, url), Wanted::Files)).await?;
        let files = listed.get("files").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let more = listed.get("more") == Some(&Value::Bool(true));
        let listing = Arc::new(Listing { files: paths::laid_out(files), more });
        listings.keep(owner, &asking, now, &listing);
        Ok(listing)
    }

    /// What is in a file of it. `None`: it lists none with this path.
    pub(crate) async fn content(
        self,
        owner: &UserId,
        server: &MountedServer,
        path: &FilePath,
    ) -> Result<Option<Vec<u8>>, McpFailure> {
        let listing = self.listing(owner, server).await?;
        let Some(file) = listing.files.iter().find(|file| file.path == *path) else { return Ok(None) };
        let (MountedServer { id, name, url }, input) = (server, json!({ "uri": file.uri }));
        let read = Box::pin(self.read(owner, (id, name, url), Wanted::Call(&input))).await;
        let content = read.and_then(|read| resources::first(&read));
        if content.is_err() {
            // It may be gone there.
            self.hub.0.mcp_servers.listings.forget(id);
        }
        content.map(Some)
    }
}
