//! Pages put aside under a name, as files `skins/NAME.srcdoc`, and brought back as the next version.

use super::document::{too_large, write};
use super::{Drawing, PAGE, newest, store_next};
use crate::error::{Error, Result};
use crate::files::{self, FilePath, Written};
use crate::log::EntryScope;
use crate::skins::{OwnSkins, Skins};
use protocol::archive::SavedSkin;
use protocol::files::FileAuthor;
use protocol::page::SkinPage;
use protocol::view::SkinOrigin;
use protocol::{AgentId, UserId};

const FOLDER: &str = "skins/";
const ENDING: &str = ".srcdoc";
/// Characters of a name.
const NAME: usize = 60;

impl OwnSkins<'_> {
    pub async fn saved(self, agent: &AgentId) -> Result<Vec<SavedSkin>> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.skins().saved(agent).await
    }

    /// Puts the page as it is now aside, in place of what had this name.
    pub async fn save(self, agent: &AgentId, name: &str) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        self.scoped.hub.skins().save(agent, name, &FileAuthor::Person).await
    }

    /// Makes the page of this name the next version, for everybody who looks.
    pub async fn load(self, agent: &AgentId, name: &str) -> Result<u64> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let place = EntryScope { agent: agent.clone(), conversation: None, run: None };
        self.scoped.hub.skins().load(&self.scoped.viewer.me.id, &place, name).await
    }

    pub async fn delete(self, agent: &AgentId, name: &str) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.skins().delete(agent, name, &FileAuthor::Person).await
    }
}

impl Skins<'_> {
    pub(crate) async fn saved(self, agent: &AgentId) -> Result<Vec<SavedSkin>> {
        let folder = FilePath::check(FOLDER.trim_end_matches('/'))?;
        let files = files::stats(self.hub.store().read(), &agent.into(), Some(&folder)).await?;
        let name = |path: &str| Some(path.strip_prefix(FOLDER)?.strip_suffix(ENDING)?.to_owned());
        Ok(files.iter().filter_map(|file| Some(SavedSkin { name: name(&file.path)?, at: file.at })).collect())
    }

    pub(crate) async fn save(self, agent: &AgentId, name: &str, author: &FileAuthor) -> Result<()> {
        let path = path_of(name)?;
        let mut tx = self.hub.store().write().await?;
        let skin = newest(&mut tx, agent).await?;
        let skin = skin.ok_or_else(|| {
            Error::Conflict(
                "There is no page yet that could be saved. Have the agent draw one first.".to_owned(),
            )
        })?;
        let html = write(&skin.page);
        let written = Written::by(author.clone(), self.hub.now());
        files::put(&mut tx, &agent.into(), &path, html.as_bytes(), &written).await?;
        tx.commit().await?;
        Ok(())
    }

    pub(crate) async fn load(self, person: &UserId, place: &EntryScope, name: &str) -> Result<u64> {
        let bytes = match files::read(self.hub.store().read(), &(&place.agent).into(), &path_of(name)?).await
        {
            Err(Error::NotFound(_)) => return Err(Error::NotFound("saved page")),
            other => other?,
        };
        let html = String::from_utf8_lossy(&bytes).into_owned();
        let page = self.read_document(person, html, None).await?.page;
        check_size(&page)?;
        let mut appending = self.hub.log().appending().await?;
        let shown = newest(&mut appending.tx, &place.agent).await?;
        let newest = shown.map_or(0, |skin| skin.version);
        let origin = if place.run.is_some() { SkinOrigin::Run } else { SkinOrigin::Person };
        let version = store_next(&mut appending, place, newest, Drawing::new(&page, origin)).await?;
        self.hub.log().commit(appending).await?;
        Ok(version)
    }

    pub(crate) async fn delete(self, agent: &AgentId, name: &str, author: &FileAuthor) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        let written = Written::by(author.clone(), self.hub.now());
        match files::delete(&mut tx, &agent.into(), &path_of(name)?, &written).await {
            Err(Error::NotFound(_)) => return Err(Error::NotFound("saved page")),
            other => other?,
        }
        tx.commit().await?;
        Ok(())
    }
}

pub(crate) fn check_size(page: &SkinPage) -> Result<()> {
    if serde_json::to_string(page)?.len() > PAGE {
        return Err(too_large());
    }
    Ok(())
}

fn path_of(name: &str) -> Result<FilePath> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME || name.contains('/') {
        return Err(Error::invalid(format!(
            "The name of a saved page has 1 to {NAME} characters, and no slash."
        )));
    }
    FilePath::check(&format!("{FOLDER}{name}{ENDING}"))
}
