//! Whether a provider answers, in words, and which models it has.

use super::{Asker, Connection, Server, check, rows};
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::models::ask_models;
use crate::outbound::Target;
use crate::providers::OwnProviders;
use agent::providers::{Wire, in_browser};
use protocol::ProviderId;
use protocol::agent::ProviderKind;
use protocol::model::{ModelFailure, ModelFailureKind};
use protocol::view::{ModelList, Probe, Right};
use protocol::{told, words};
use std::time::Duration;

const PROBE: Duration = Duration::from_secs(10);
const LIST: Duration = Duration::from_secs(5);

impl OwnProviders<'_> {
    /// Tests a connection before or after it is saved. Without a key, the stored one of `id` is
    /// used if it belongs to the same server. A `model` is looked for among those that it has.
    pub async fn test(
        self,
        kind: ProviderKind,
        base_url: Option<&str>,
        key: Option<&str>,
        id: Option<&ProviderId>,
        model: Option<&str>,
    ) -> Result<Probe> {
        self.scoped.require(Right::SaveProviders)?;
        let Some(wire) = Wire::of(kind) else {
            let message = words!("The guide is a script in the hub. It needs no connection.").to_owned();
            return Ok(Probe { ok: true, message, millis: 0 });
        };
        let base_url = check::base_url(base_url, self.scoped.hub.outbound().reach())?;
        let mut key = check::key(key)?;
        if key.is_none()
            && let Some(id) = id
        {
            let saved = self.get(id).await?;
            if saved.has_key && !check::is_same_server(&saved, wire, base_url.as_deref()) {
                return Err(Error::invalid(check::ENTER_AGAIN));
            }
            let server = rows::server_of(wire, base_url.as_deref());
            let place = rows::key_place(self.scoped.owner(), id, &server);
            key = self.scoped.hub.vault().read(self.scoped.hub.store(), place).await?;
        }
        let url = check::address(wire, base_url.as_deref())?;
        let place = Target::parse(url).map_or_else(|_| url.to_owned(), |target| target.place());
        let server = Server { name: place.clone(), wire, base_url, key, lent: None };
        let before = self.scoped.hub.moment();
        let (ok, message) = match ask(&self.scoped, &server, PROBE).await {
            Ok(models) => describe_models(&models, model.map(str::trim).filter(|model| !model.is_empty())),
            Err(failure) => (false, describe_failure(failure, &server, &place)),
        };
        let millis = u64::try_from(self.scoped.hub.moment().ms_since(before)).unwrap_or_default();
        Ok(Probe { ok, message, millis })
    }

    /// The provider's models, or well-known ones while it does not answer.
    pub async fn models(self, id: &ProviderId) -> Result<ModelList> {
        let asker = Asker { person: self.scoped.viewer.me.id.clone(), agent: None };
        let connection = self.scoped.hub.providers().connection(&asker, id).await?;
        match connection.ok_or(Error::NotFound("provider"))? {
            Connection::Script => self.described(id, vec!["guide".to_owned()], true).await,
            Connection::Device | Connection::DeviceKey { .. } => {
                let wire = Wire::of(self.get(id).await?.kind);
                // What has no wire is the browser's own.
                let known = wire.map_or(&[in_browser::MODEL][..], |wire| wire.static_models());
                self.described(id, known.iter().map(|&name| name.to_owned()).collect(), false).await
            }
            Connection::Server(_, server) => {
                let (mut models, live) = match ask(&self.scoped, &server, LIST).await {
                    Ok(models) => (models, true),
                    Err(failure) => {
                        tracing::debug!("the models of provider {id} are not known: {}", failure.message);
                        let known = server.wire.static_models().iter().map(|&name| name.to_owned());
                        (known.collect(), false)
                    }
                };
                if let Some(lent) = &server.lent {
                    models.retain(|model| lent.allows(model));
                }
                self.described(id, models, live).await
            }
        }
    }

    /// With what is known of each, and of all.
    pub(super) async fn described(
        self,
        id: &ProviderId,
        models: Vec<String>,
        live: bool,
    ) -> Result<ModelList> {
        let usable = self.scoped.hub.providers().usable(&self.scoped.viewer.me.id, id).await?;
        let usable = usable.ok_or(Error::NotFound("provider"))?;
        let known = self.scoped.model_facts().of_each(&models).await?;
        Ok(ModelList { models, live, known, free: usable.is_free(), near: usable.near() })
    }
}

async fn ask(
    viewer: &Scoped<'_>,
    server: &Server,
    limit: Duration,
) -> std::result::Result<Vec<String>, ModelFailure> {
    let asked =
        tokio::time::timeout(limit, ask_models(viewer.hub.outbound(), server, viewer.hub.now())).await;
    asked.unwrap_or_else(|_| {
        Err(ModelFailure {
            kind: ModelFailureKind::Timeout,
            message: told!(
                "{name} did not answer within {seconds} seconds.",
                name = server.name,
                seconds = limit.as_secs()
            ),
            retry_after_ms: None,
        })
    })
}

fn describe_models(models: &[String], wanted: Option<&str>) -> (bool, String) {
    if let Some(wanted) = wanted
        && !models.iter().any(|model| model == wanted)
    {
        return (false, told!("Connected, but there is no model named {wanted} here."));
    }
    match models.len() {
        0 => (true, words!("Connected, but there is no model here yet.").to_owned()),
        1 => (true, words!("Connected, 1 model.").to_owned()),
        count => (true, told!("Connected, {count} models.")),
    }
}

pub(super) fn describe_failure(failure: ModelFailure, server: &Server, place: &str) -> String {
    let format = match server.wire {
        Wire::Anthropic => words!("the format of Anthropic"),
        Wire::OpenAiChat(_) => words!("the chat completions of OpenAI"),
        Wire::OpenAiResponses => words!("OpenAI's Responses"),
        Wire::Gemini => words!("the format of Gemini"),
        Wire::Ollama => words!("Ollama's own format"),
        Wire::Bedrock => words!("Bedrock's Converse"),
    };
    match failure.kind {
        ModelFailureKind::BadKey if server.key.is_none() => told!("{place} wants a key. Enter one."),
        ModelFailureKind::BadKey => {
            told!("The key was refused by {place}. Check it there, or make a new one.")
        }
        ModelFailureKind::NotThisKind | ModelFailureKind::UnknownModel | ModelFailureKind::Malformed => {
            told!("Something answers at {place}, but it does not speak {format}. Check kind and address.")
        }
        ModelFailureKind::NotConfigured if server.key.is_none() => words!("Enter a key first.").to_owned(),
        ModelFailureKind::NotConfigured
        | ModelFailureKind::OverBudget
        | ModelFailureKind::RateLimited
        | ModelFailureKind::Overloaded
        | ModelFailureKind::ContextTooLong
        | ModelFailureKind::Refused
        | ModelFailureKind::BadRequest
        | ModelFailureKind::Unreachable
        | ModelFailureKind::Timeout
        | ModelFailureKind::Cut
        | ModelFailureKind::Server
        | ModelFailureKind::Aborted => failure.message,
    }
}
