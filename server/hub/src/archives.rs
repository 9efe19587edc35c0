//! Archives, `.flo.zip`: an agent's definition, page, state, files, tools and schedules in one file. They come from this
//! product and from flo.monster, and the templates of the gallery are made of the same parts.

mod content;
mod dom_state;
mod export;
mod gallery;
mod lenient;
mod made_tools;
mod manifest;
mod review;
mod rules;
mod schedules;
mod storage;
mod uploads;

use crate::Hub;
pub use export::Export;
pub(crate) use review::Chosen;
pub(crate) use uploads::Unpacking;

use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::fair_queue::FairQueue;
use crate::files::NewFile;
use crate::imports::ArchivedConversations;
use crate::log::EntryScope;
use crate::skins::{self, Drawing};
use crate::{files, network, policy, state};
use content::Content;
use protocol::UserId;
use protocol::archive::ArchiveReview;
use protocol::files::FileAuthor;
use protocol::log::EntryBody;
use protocol::view::{AgentDraft, AgentView, CarriedRule, InstructionsAuthor, SkinOrigin};

/// Archives that the viewer brings or takes.
#[derive(Clone, Copy, Debug)]
pub struct OwnArchives<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn archives(&self) -> OwnArchives<'a> {
        OwnArchives { scoped: *self }
    }
}

/// What of an archive's proposals the person accepts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Accepted {
    /// What the agent may reach of the web.
    pub network: bool,
    /// Rules about its calls.
    pub rules: bool,
    /// What was said with it.
    pub conversations: bool,
}

/// Archives of agents, as anybody meets them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Archives<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn archives(&self) -> Archives<'_> {
        Archives { hub: self }
    }

    fn unpacking(&self) -> &FairQueue<UserId> {
        &self.0.archives.0
    }
}

impl OwnArchives<'_> {
    /// What is in an archive, and the agent that it would become. Nothing is made yet.
    pub async fn review_stored(self, archive: &str) -> Result<ArchiveReview> {
        let content = self.open(archive).await?;
        self.review(archive, &content).await
    }

    /// The page of an archive as a document in which nothing runs.
    pub async fn still(self, archive: &str) -> Result<Option<String>> {
        let Some(page) = self.open(archive).await?.page else { return Ok(None) };
        self.scoped.hub.skins().still(&self.scoped.viewer.me.id, page).await.map(Some)
    }

    /// Makes an agent of an archive, all of it or nothing.
    pub async fn create(self, archive: &str, draft: AgentDraft) -> Result<AgentView> {
        self.create_with(archive, draft, Accepted::default()).await
    }

    /// The same with what the person accepts of what it proposes.
    pub async fn create_with(
        self,
        archive: &str,
        draft: AgentDraft,
        accepted: Accepted,
    ) -> Result<AgentView> {
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let imports = self.scoped.imports();
        let turn = if accepted.conversations { Some(imports.turn().await?) } else { None };
        let content = self.open(archive).await?;
        let notes = review::notices(&content, &self.servers(&content).await?);
        let network = content.proposed_network().filter(|_| accepted.network).cloned();
        let rules: Vec<CarriedRule> = match accepted.rules {
            true => content.proposed_rules().cloned().collect(),
            false => Vec::new(),
        };
        let Content { manifest, page, kept, files, schedules, tools, conversations, .. } = content;
        let said = match turn {
            Some(turn) => Some(imports.read_archived(conversations, turn).await?),
            None => None,
        };
        let called = draft.name.clone();
        let now = self.scoped.hub.now();
        let mut appending = self.scoped.hub.log().appending().await?;
        let agents = self.scoped.agents();
        let place = agents.insert_agent(&mut appending.tx, draft, InstructionsAuthor::Copy).await?;
        let name = format!("{} {}", manifest.name, manifest.version());
        appending.append(&place, EntryBody::Imported { name: name.clone(), notes }).await?;
        if let Some(network) = network {
            let follows = manifest.vivarium.as_ref().is_some_and(|own| own.follows_robots);
            let (tx, agent) = (&mut appending.tx, &place.agent);
            network::begin_with(&self.scoped, tx, agent, &called, network, follows).await?;
        }
        for rule in &rules {
            policy::carry_with(&self.scoped, &mut appending.tx, &place.agent, rule).await?;
        }
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
        for rule in &kept.rules {
            state::put_rule(&mut appending.tx, &place.agent, rule).await?;
        }
        for tool in &tools {
            self.scoped.hub.made_tools().bring_waiting(&mut appending.tx, &place.agent, tool).await?;
        }
        let written = files::Written::by(FileAuthor::Archive, now);
        let folder = (&place.agent).into();
        let mut changing = files::Changing::begin(&mut appending.tx, &folder, now).await?;
        for part in files::parts(files, |(_, bytes)| bytes.len() as u64) {
            let part = part.into_iter().map(|(path, bytes)| NewFile {
                path,
                bytes,
                untrusted: false,
                by_others: false,
            });
            let outcomes = changing.put(part.collect(), &written).await?;
            outcomes.into_iter().collect::<std::result::Result<Vec<_>, _>>().map_err(Error::Limit)?;
        }
        changing.end(now).await?;
        self.scoped.schedules().put_resting(&mut appending, &place, &schedules).await?;
        self.forget_upload(&mut appending.tx, archive).await?;
        let (hub, agent) = (self.scoped.hub.clone(), place.agent.clone());
        // The archive is forgotten with this: whoever leaves before the end would never have what was said.
        let made = self.scoped.hub.tasks().complete(async move {
            hub.log().commit(appending).await?;
            match said {
                Some(said) => bring_conversations(&hub, &place, name, said).await,
                None => Ok(()),
            }
        });
        made.await??;
        agents.tell_pages();
        self.scoped.agents().get(&agent).await
    }
}

/// The agent is there by now: what cannot come along is told in it.
async fn bring_conversations(
    hub: &Hub,
    place: &EntryScope,
    name: String,
    said: ArchivedConversations,
) -> Result<()> {
    let Err(error) = said.bring(&place.agent).await else { return Ok(()) };
    let notes = vec![error.into_failure().message];
    let mut appending = hub.log().appending().await?;
    appending.append(place, EntryBody::Imported { name, notes }).await?;
    hub.log().commit(appending).await
}
