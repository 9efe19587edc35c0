//! Pages put aside under a name, as files `skins/NAME.srcdoc`, and brought back as the next version.

use super::{Drawing, PAGE, document, newest, store_next};
use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::files::{self, FilePath};
use crate::log::Place;
use protocol::AgentId;
use protocol::archive::SavedSkin;
use protocol::frame::SkinPage;
use protocol::view::SkinOrigin;

const FOLDER: &str = "skins/";
const ENDING: &str = ".srcdoc";
/// Characters of a name.
const NAME: usize = 60;

impl Scoped<'_> {
    pub async fn saved_skins(&self, agent: &AgentId) -> Result<Vec<SavedSkin>> {
        self.require_agent(agent).await?;
        self.hub.saved_skins(agent).await
    }

    /// Puts the page as it is now aside, in place of what had this name.
    pub async fn save_skin(&self, agent: &AgentId, name: &str) -> Result<()> {
        self.require_agent(agent).await?;
        self.hub.save_skin(agent, name).await
    }

    /// Makes the page of this name the next version, for everybody who looks.
    pub async fn load_skin(&self, agent: &AgentId, name: &str) -> Result<u64> {
        self.require_agent(agent).await?;
        self.hub.load_skin(&Place { agent: agent.clone(), conversation: None, run: None }, name).await
    }

    pub async fn delete_skin(&self, agent: &AgentId, name: &str) -> Result<()> {
        self.require_agent(agent).await?;
        self.hub.delete_skin(agent, name).await
    }
}

impl Hub {
    pub(crate) async fn saved_skins(&self, agent: &AgentId) -> Result<Vec<SavedSkin>> {
        let files = files::below(self.store.read(), agent, FOLDER).await?;
        let name = |path: &str| Some(path.strip_prefix(FOLDER)?.strip_suffix(ENDING)?.to_owned());
        Ok(files.into_iter().filter_map(|(path, at)| Some(SavedSkin { name: name(&path)?, at })).collect())
    }

    pub(crate) async fn save_skin(&self, agent: &AgentId, name: &str) -> Result<()> {
        let path = path_of(name)?;
        let mut tx = self.store.write().await?;
        let skin = newest(&mut tx, agent).await?;
        let skin =
            skin.ok_or_else(|| Error::Conflict("There is no page yet that could be saved.".to_owned()))?;
        let html = document::write(&skin.page);
        files::put(&mut tx, agent, &path, html.as_bytes(), self.now()).await?;
        tx.commit().await?;
        Ok(())
    }

    pub(crate) async fn load_skin(&self, place: &Place, name: &str) -> Result<u64> {
        let bytes = match files::read(self.store.read(), &place.agent, &path_of(name)?).await {
            Err(Error::NotFound(_)) => return Err(Error::NotFound("saved page")),
            other => other?,
        };
        let page = document::read(&String::from_utf8_lossy(&bytes))?;
        check_size(&page)?;
        let mut appending = self.appending().await?;
        let shown = newest(&mut appending.tx, &place.agent).await?;
        let newest = shown.map_or(0, |skin| skin.version);
        let origin = if place.run.is_some() { SkinOrigin::Run } else { SkinOrigin::Person };
        let version = store_next(&mut appending, place, newest, Drawing::new(&page, origin)).await?;
        self.commit(appending).await?;
        Ok(version)
    }

    pub(crate) async fn delete_skin(&self, agent: &AgentId, name: &str) -> Result<()> {
        let mut tx = self.store.write().await?;
        match files::delete(&mut tx, agent, &path_of(name)?).await {
            Err(Error::NotFound(_)) => return Err(Error::NotFound("saved page")),
            other => other?,
        }
        tx.commit().await?;
        Ok(())
    }
}

pub(crate) fn check_size(page: &SkinPage) -> Result<()> {
    if serde_json::to_string(page)?.len() > PAGE {
        return Err(Error::Limit("The page is larger than 2 MB.".to_owned()));
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
