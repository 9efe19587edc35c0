//! The model that a person has say what memories mean, and how far that has come.

use super::rows;
use crate::error::{Error, Result};
use crate::memories::OwnMemories;
use protocol::ProviderId;
use protocol::view::{MemoryMeaning, ProviderReach};

const LONGEST_MODEL: usize = 200;

impl OwnMemories<'_> {
    pub async fn meaning(self) -> Result<MemoryMeaning> {
        let meaning = rows::meaning(self.scoped.hub.store().read(), &self.scoped.viewer.me.id).await?;
        Ok(meaning.unwrap_or_default())
    }

    /// Uses this provider's model from now on, and makes the vectors of what is kept anew; of the same one those that
    /// are missing are made now. `None`: memories are found by their words alone, and no vector stays.
    pub async fn choose_meaning(self, provider: Option<&ProviderId>, model: &str) -> Result<()> {
        let (hub, owner) = (self.scoped.hub, &self.scoped.viewer.me.id);
        let model = model.trim();
        if let Some(provider) = provider {
            self.check_model(provider, model).await?;
        }
        let mut tx = hub.store().write().await?;
        let before = rows::chosen(&mut *tx, owner).await?;
        let is_same =
            before.as_ref().is_some_and(|before| Some(&before.provider) == provider && before.model == model);
        match is_same {
            true => rows::due(&mut tx, owner, hub.now()).await?,
            false => rows::choose(&mut tx, owner, provider.map(|of| (of, model)), hub.now()).await?,
        }
        tx.commit().await?;
        hub.memories().answers_again(owner);
        hub.memories().changed();
        Ok(())
    }

    async fn check_model(self, provider: &ProviderId, model: &str) -> Result<()> {
        let usable = self.scoped.hub.providers().usable(&self.scoped.viewer.me.id, provider).await?;
        let usable = usable.ok_or(Error::NotFound("provider"))?;
        match usable.provider.reach {
            ProviderReach::Hub => {}
            ProviderReach::Device | ProviderReach::DeviceKey => {
                return Err(Error::invalid(
                    "Only the hub asks what memories mean, and it cannot call this provider. Choose one that the hub calls.",
                ));
            }
        }
        if !usable.provider.kind.has_embeddings() {
            return Err(Error::invalid(
                "This provider does not speak OpenAI's format. Choose one that does, or add your server as OpenAI with its address.",
            ));
        }
        if model.is_empty() {
            return Err(Error::invalid("Enter the name of a model, as its server calls it."));
        }
        if model.chars().count() > LONGEST_MODEL || model.contains(char::is_control) {
            return Err(Error::Invalid(format!(
                "The name of a model is one line of at most {LONGEST_MODEL} characters."
            )));
        }
        if let Some(lent) = &usable.lent
            && !lent.allows(model)
        {
            return Err(Error::invalid(
                "This provider is shared with you, but not that model. Choose one that is.",
            ));
        }
        Ok(())
    }
}
