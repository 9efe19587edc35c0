//! Archives, `.flo.zip`: an agent's definition, page, state, files and schedules in one file. They come from this
//! product and from flo.monster, and the templates of the gallery are made of the same parts.

mod content;
mod dom_state;
mod export;
mod gallery;
mod manifest;
mod review;
mod schedules;
mod storage;
mod uploads;
mod zip;

pub use export::Export;
pub use zip::LARGEST_ARCHIVE;

use crate::access::Scoped;
use crate::error::Result;
use crate::skins::{self, Drawing};
use crate::{files, state};
use content::Content;
use protocol::archive::ArchiveReview;
use protocol::log::EntryBody;
use protocol::view::{AgentDraft, AgentView, SkinOrigin};

impl Scoped<'_> {
    /// What is in an archive, and the agent that it would become. Nothing is made yet.
    pub async fn review_archive(&self, archive: &str) -> Result<ArchiveReview> {
        let content = self.open_archive(archive).await?;
        self.review(archive, &content).await
    }

    /// The page of an archive as a document in which nothing runs.
    pub async fn archive_still(&self, archive: &str) -> Result<Option<String>> {
        let page = self.open_archive(archive).await?.page;
        page.as_ref().map(skins::still_of).transpose()
    }

    /// Makes an agent of an archive, all of it or nothing.
    pub async fn create_from_archive(&self, archive: &str, draft: AgentDraft) -> Result<AgentView> {
        let content = self.open_archive(archive).await?;
        let notes = review::notices(&content);
        let Content { manifest, page, kept, files, schedules, .. } = content;
        let now = self.hub.now();
        let mut appending = self.hub.appending().await?;
        let place = self.insert_agent(&mut appending.tx, draft).await?;
        let name = format!("{} {}", manifest.name, manifest.version());
        appending.append(&place, EntryBody::Imported { name, notes }).await?;
        if let Some(page) = page {
            let drawing = Drawing::new(&page, SkinOrigin::Copy);
            skins::store_next(&mut appending, &place, 0, drawing).await?;
        }
        for (key, value) in kept.state {
            state::put_state(&mut appending.tx, &place.agent, &key, &value).await?;
            appending.append(&place, EntryBody::State { key, value, superseded: false }).await?;
        }
        for (key, value) in kept.storage {
            state::put_storage(&mut appending.tx, &place.agent, &key, &value).await?;
        }
        for (path, bytes) in files {
            files::put(&mut appending.tx, &place.agent, &path, &bytes, now).await?;
        }
        self.put_resting(&mut appending, &place, &schedules).await?;
        self.forget_upload(&mut appending.tx, archive).await?;
        self.hub.commit(appending).await?;
        self.agent(&place.agent).await
    }
}
