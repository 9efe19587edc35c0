//! What models are called by programs: `provider/model`, or the model alone where only one provider has
//! it.

use super::{ApiError, ApiErrorKind, Calling};
use crate::error::Result;
use futures_util::future::join_all;
use protocol::ProviderId;
use protocol::agent::ProviderKind;
use protocol::view::{ProviderReach, ProviderView};
use std::sync::Arc;

/// What agents are called begins so.
const AGENT: &str = "agent";
/// Names that an error lists.
const MOST_NAMED: usize = 5;

/// A model, as programs name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedModel {
    pub id: String,
    /// The provider.
    pub owner: String,
}

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResolvedName {
    pub(super) provider: ProviderId,
    pub(super) model: String,
}

/// A provider under the name that programs use.
#[derive(Debug)]
pub(crate) struct NamedProvider {
    name: String,
    provider: ProviderView,
}

impl Calling<'_> {
    /// All models that the hub calls for this person, and their agents.
    pub async fn models(&self) -> Result<Vec<NamedModel>> {
        let named = self.named().await?;
        let lists = join_all(named.iter().filter(|named| named.is_called_here()).map(async |named| {
            let models = self.models_of(&named.provider.id).await?;
            Ok(models.into_iter().map(|model| named.model(&model)).collect::<Vec<_>>())
        }));
        let mut models: Vec<NamedModel> =
            lists.await.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        models.extend(self.agents().await?);
        Ok(models)
    }

    /// The provider and its own name of the model.
    pub(super) async fn find_model(
        &self,
        asked: &str,
    ) -> Result<std::result::Result<ResolvedName, ApiError>> {
        let named = self.named().await?;
        let with_provider = named.iter().filter_map(|named| Some((named, named.strip(asked)?)));
        if let Some((found, model)) = with_provider.max_by_key(|(named, _)| named.name.len()) {
            return Ok(found.mean(model));
        }
        let here: Vec<&NamedProvider> = named.iter().filter(|named| named.is_called_here()).collect();
        match here.as_slice() {
            [] => Ok(Err(ApiError::new(
                ApiErrorKind::NoSuchModel,
                "You have no provider whose models the hub calls. Add one under Providers.",
            ))),
            // Whether it has the model it says itself.
            [only] => Ok(only.mean(asked)),
            _ => self.find_among(&here, asked).await,
        }
    }

    async fn named(&self) -> Result<Arc<[NamedProvider]>> {
        let person = self.program.viewer.me.id.clone();
        let read = async { Ok(named(self.person().providers().list().await?).into()) };
        self.hub.named().get(self.hub.store(), person, read).await
    }

    async fn find_among(
        &self,
        here: &[&NamedProvider],
        asked: &str,
    ) -> Result<std::result::Result<ResolvedName, ApiError>> {
        let has_it = join_all(here.iter().map(async |named| {
            let models = self.models_of(&named.provider.id).await?;
            Ok(models.iter().any(|model| model == asked).then_some(*named))
        }));
        let having: Vec<&NamedProvider> =
            has_it.await.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        Ok(match having.as_slice() {
            [] => Err(ApiError::new(
                ApiErrorKind::NoSuchModel,
                format!(
                    "None of your providers has a model named {asked}. GET /v1/models lists what there is."
                ),
            )),
            [one] => one.mean(asked),
            several => {
                let names = several.iter().take(MOST_NAMED).map(|named| named.model(asked).id);
                let names = names.collect::<Vec<_>>().join(", ");
                Err(ApiError::new(
                    ApiErrorKind::NoSuchModel,
                    format!("Several of your providers have {asked}. Say which one: {names}."),
                ))
            }
        })
    }

    async fn models_of(&self, provider: &ProviderId) -> Result<Vec<String>> {
        let (person, now) = (&self.program.viewer.me.id, self.hub.moment());
        if let Some(models) = self.hub.model_lists().get(person, provider, now) {
            return Ok(models);
        }
        let models = self.person().providers().models(provider).await?.models;
        self.hub.model_lists().put(person, provider, models.clone(), now);
        Ok(models)
    }
}

impl NamedProvider {
    /// Whether the hub calls its models, and not a browser or nobody.
    fn is_called_here(&self) -> bool {
        self.provider.reach == ProviderReach::Hub && self.provider.kind != ProviderKind::Scripted
    }

    fn model(&self, model: &str) -> NamedModel {
        NamedModel { id: format!("{}/{model}", self.name), owner: self.name.clone() }
    }

    /// The model's own name, if the whole one begins with this provider's.
    fn strip<'a>(&self, asked: &'a str) -> Option<&'a str> {
        let after = |name: &str| asked.strip_prefix(name)?.strip_prefix('/').filter(|rest| !rest.is_empty());
        after(&self.name).or_else(|| after(&self.provider.id.0))
    }

    fn mean(&self, model: &str) -> std::result::Result<ResolvedName, ApiError> {
        let name = &self.name;
        if self.is_called_here() {
            return Ok(ResolvedName { provider: self.provider.id.clone(), model: model.to_owned() });
        }
        let why = match self.provider.reach {
            ProviderReach::Device => format!(
                "The models of {name} are on a device of yours, where only a browser calls them: programs cannot. Call them there, or save the provider as one that the hub calls."
            ),
            ProviderReach::DeviceKey => format!(
                "The key of {name} is kept on devices of yours and the hub has none, so only a browser calls its models: programs cannot. Call it directly, or give the hub a key of it under Providers."
            ),
            ProviderReach::Hub => format!("{name} is the tour of the hub and has no model for programs."),
        };
        Err(ApiError::new(ApiErrorKind::NoSuchModel, why))
    }
}

/// Two of one name are told apart by the id of the later one.
fn named(providers: Vec<ProviderView>) -> Vec<NamedProvider> {
    let mut named: Vec<NamedProvider> = Vec::new();
    for provider in providers {
        let is_taken = provider.name == AGENT || named.iter().any(|other| other.name == provider.name);
        let name = if is_taken { provider.id.0.clone() } else { provider.name.clone() };
        named.push(NamedProvider { name, provider });
    }
    named
}
