//! The server functions of shared conversations. Forms without script come back to the page they are on.

use crate::AppError;
use crate::prelude::*;
use crate::transport::{Posted, Queried};
use protocol::view::{ConversationShares, SharedList, SharedPart};
use protocol::{ConversationId, ShareId};

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// Who may read this conversation of the viewer's.
#[server(prefix = "/api", endpoint = "shares/of", protocol = Queried)]
pub async fn shares_of(id: ConversationId) -> Result<ConversationShares, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).shares().of(&id).await?)
}

/// Lets the person with this account name read the conversation, until that is taken back.
#[server(prefix = "/api", endpoint = "shares/give", protocol = Posted)]
pub async fn share_conversation(id: ConversationId, name: String) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).shares().give(&id, &name).await?)
}

/// Its owner takes it back, or its reader puts it away.
#[server(prefix = "/api", endpoint = "shares/end", protocol = Posted)]
pub async fn end_share(id: ShareId) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).shares().end(&id).await?)
}

/// What others share with the viewer, 50 at a time: those shared last first. `page` counts from 0.
#[server(prefix = "/api", endpoint = "shares/list", protocol = Queried)]
pub async fn shared_with_me(#[server(default)] page: u32) -> Result<SharedList, AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).shares().list(page).await?)
}

/// The end of a shared conversation, for its reader and its owner; what stands before the entry `before`; or the
/// entry `entry` with all that was said in it.
#[server(prefix = "/api", endpoint = "shares/read", protocol = Queried)]
pub async fn read_shared(
    id: ShareId,
    #[server(default)] before: u64,
    #[server(default)] entry: u64,
) -> Result<SharedPart, AppError> {
    let (hub, viewer) = (hub(), viewer()?);
    let shares = hub.for_viewer(&viewer).shares();
    match entry {
        0 => Ok(shares.read(&id, (before > 0).then_some(before)).await?),
        entry => Ok(shares.read_whole(&id, entry).await?),
    }
}
