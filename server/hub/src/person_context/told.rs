//! What a run is told of the context when it begins. A conversation is told a source anew when something else is to
//! be said of it: what stands in it already stays as it is, so that requests go on beginning alike.

use super::agents::switches_of;
use super::calendar_words::{CalendarWords, of_calendar};
use super::sources::Known;
use super::{Contexts, keys, words};
use crate::error::Result;
use crate::log::{Appending, EntryScope, Projection};
use crate::store::{Json, query};
use data_encoding::HEXLOWER;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use protocol::log::{Class, CompactionEvent, EntryBody, Sender};
use protocol::view::Saying;
use protocol::{AgentId, ContextSource, ConversationId, SayingId, UserId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a digest that tell two texts of a source apart.
const DIGEST: usize = 8;
/// What is told of a source that was shared before.
const NO_MORE: &str = "Your person does not share this any more, or there is nothing to say of it: what you were told before may be out of date.";

/// What there is to tell an agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    /// In the order in which they are told.
    sections: Vec<(ContextSource, Section)>,
    /// The newest first.
    said: Vec<Saying>,
}

impl Around {
    /// What there is to tell of this part of a source. Empty: nothing.
    fn part(&self, source: ContextSource, untrusted: bool) -> &str {
        let section = self.sections.iter().find(|(one, _)| *one == source);
        section.map_or(
            "",
            |(_, Section { own, untrusted: fenced })| if untrusted { fenced.as_str() } else { own.as_str() },
        )
    }
}

/// What is told of one source: what its person stands for, and what strangers may have had a part in.
#[derive(Clone, Debug, Default)]
struct Section {
    own: String,
    untrusted: String,
}

impl Section {
    /// Each part, and whether strangers may have had a part in it.
    fn parts(&self) -> [(bool, &str); 2] {
        [(false, self.own.as_str()), (true, self.untrusted.as_str())]
    }
}

fn digest(text: &str) -> String {
    HEXLOWER.encode(Sha256::digest(text).get(..DIGEST).unwrap_or_default())
}

/// What a conversation was told.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Told {
    at: i64,
    /// Digests of what the person stands for. An empty one: it may have left the context.
    sources: BTreeMap<ContextSource, String>,
    /// And of what strangers may have had a part in.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    untrusted: BTreeMap<ContextSource, String>,
    /// After which entry each was told first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    first: BTreeMap<ContextSource, u64>,
    /// The last answer of another agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heard: Option<SayingId>,
}

impl Contexts<'_> {
    /// What a run of the agent's that begins now may be told.
    pub(crate) async fn around(self, owner: &UserId, agent: &AgentId) -> Result<Around> {
        let switches = switches_of(self.hub.store().read(), agent).await?;
        let said = match switches.hears {
            true => self.heard_by(owner, agent).await?,
            false => Vec::new(),
        };
        let sections = match switches.sees {
            true => self.sections(owner).await?,
            false => Vec::new(),
        };
        Ok(Around { sections, said })
    }

    async fn sections(self, owner: &UserId) -> Result<Vec<(ContextSource, Section)>> {
        let sources = self.sources(owner).await?;
        let now = self.hub.now();
        let mut sections = Vec::new();
        for (source, known) in &sources {
            let section = match source {
                ContextSource::Keys => {
                    let keys = keys::all(self.hub.store().read(), owner).await?;
                    let of = |untrusted| words::of_keys(keys.iter().filter(|key| key.untrusted == untrusted));
                    Section { own: of(false), untrusted: of(true) }
                }
                ContextSource::Calendar => {
                    let Known::Calendar(known) = known else { continue };
                    let kept = self.calendar(owner, &sources, known).await?.kept;
                    match kept.and_then(|kept| of_calendar(&kept, now)) {
                        Some(CalendarWords::Nothing(own)) => Section { own, ..Section::default() },
                        // Whoever sends an invitation writes it.
                        Some(CalendarWords::Entries(untrusted)) => {
                            Section { untrusted, ..Section::default() }
                        }
                        None => Section::default(),
                    }
                }
                ContextSource::Time
                | ContextSource::Device
                | ContextSource::Place
                | ContextSource::Activity
                | ContextSource::Agents => {
                    let agent = self.agent_seen(owner, known).await?;
                    let own = words::of_source(known, &sources, agent.as_deref(), now);
                    Section { own, ..Section::default() }
                }
            };
            if !section.own.is_empty() || !section.untrusted.is_empty() {
                sections.push((*source, section));
            }
        }
        Ok(sections)
    }

    /// What would be told of this source now. Empty: nothing.
    pub(super) async fn told_of(self, owner: &UserId) -> Result<BTreeMap<ContextSource, String>> {
        let sections = self.sections(owner).await?.into_iter();
        Ok(sections
            .map(|(source, Section { own, untrusted })| {
                let gap = if own.is_empty() || untrusted.is_empty() { "" } else { "\n" };
                (source, format!("{own}{gap}{untrusted}"))
            })
            .collect())
    }

    /// The name of the agent whose page the person looks at.
    async fn agent_seen(self, owner: &UserId, known: &Known) -> Result<Option<String>> {
        let Known::Seen { path, .. } = known else { return Ok(None) };
        let Some(agent) = words::agent_in(path) else { return Ok(None) };
        query("SELECT name FROM agents WHERE id = $1 AND user_id = $2", (agent, owner))
            .fetch_optional(self.hub.store().read())
            .await
    }
}

/// What each conversation was told, of which a summary takes the place.
pub(crate) struct ToldSources;

impl Projection for ToldSources {
    fn project<'a>(
        &'a self,
        appending: &'a mut Appending,
        place: &'a EntryScope,
        _seq: i64,
        body: &'a EntryBody,
    ) -> BoxFuture<'a, Result<()>> {
        note_told(appending, place, body).boxed()
    }
}

/// Where a summary stands for what was said, what was told before has left the context.
async fn note_told(appending: &mut Appending, place: &EntryScope, body: &EntryBody) -> Result<()> {
    if let Class::Compaction(CompactionEvent::Summary { .. }) = body.class()
        && let Some(conversation) = &place.conversation
    {
        appending.tell_anew(conversation, conversation, u64::MAX).await?;
    }
    Ok(())
}

impl Appending {
    /// Tells the conversation what it was not told yet, before its run begins. A temporary one is told nothing. After
    /// a rest of `forgets_after_ms` a conversation begins anew, and is told all of it.
    pub(crate) async fn append_context(
        &mut self,
        agent: &AgentId,
        conversation: &ConversationId,
        around: &Around,
        forgets_after_ms: Option<u64>,
    ) -> Result<()> {
        let known: Option<(i64, Option<Json<Told>>)> =
            query("SELECT temporary, context_told FROM conversations WHERE id = $1", (conversation,))
                .fetch_optional(&mut *self.tx)
                .await?;
        let Some((0, told)) = known else { return Ok(()) };
        let now = self.now();
        let rest = forgets_after_ms.map_or(i64::MAX, |ms| i64::try_from(ms).unwrap_or(i64::MAX));
        let mut told = told.map(|Json(told)| told).unwrap_or_default();
        if now.saturating_sub(told.at) >= rest {
            told = Told { first: told.first, ..Told::default() };
        }
        let place = EntryScope { agent: agent.clone(), conversation: Some(conversation.clone()), run: None };
        let mut is_told = false;
        for source in told.take_ended(around) {
            self.tell_source(&place, source, false, NO_MORE).await?;
            is_told = true;
        }
        for (source, section) in &around.sections {
            for (untrusted, text) in section.parts() {
                let digest = digest(text);
                if text.is_empty() || told.digests(untrusted).get(source) == Some(&digest) {
                    continue;
                }
                let seq = self.tell_source(&place, *source, untrusted, text).await?;
                told.digests(untrusted).insert(*source, digest);
                told.first.entry(*source).or_insert(seq);
                is_told = true;
            }
        }
        let is_new = |saying: &&Saying| told.heard.as_ref().is_none_or(|heard| saying.id > *heard);
        let new: Vec<&Saying> = around.said.iter().filter(is_new).collect();
        for untrusted in [false, true] {
            let said = words::of_sayings(new.iter().copied().filter(|saying| saying.untrusted == untrusted));
            if !said.is_empty() {
                self.tell_source(&place, ContextSource::Agents, untrusted, &said).await?;
            }
        }
        if let Some(newest) = new.first() {
            told.heard = Some(newest.id.clone());
            is_told = true;
        }
        if is_told {
            told.at = now;
            query("UPDATE conversations SET context_told = $2 WHERE id = $1", (conversation, Json(&told)))
                .execute(&mut *self.tx)
                .await?;
        }
        Ok(())
    }

    async fn tell_source(
        &mut self,
        place: &EntryScope,
        source: ContextSource,
        untrusted: bool,
        text: &str,
    ) -> Result<u64> {
        let from = Sender::Context { source, untrusted };
        self.append(place, EntryBody::said(from, text.to_owned())).await
    }

    /// The conversation was told what `from` was before the entry `end`, and is to be told all of it anew: a summary
    /// may have it or not. So it hears of what is not shared any more.
    pub(crate) async fn tell_anew(
        &mut self,
        conversation: &ConversationId,
        from: &ConversationId,
        end: u64,
    ) -> Result<()> {
        let known: Option<(i64, Option<Json<Told>>)> =
            query("SELECT temporary, context_told FROM conversations WHERE id = $1", (from,))
                .fetch_optional(&mut *self.tx)
                .await?;
        if let Some((_, Some(Json(told)))) = known {
            query(
                "UPDATE conversations SET context_told = $2 WHERE id = $1",
                (conversation, Json(told.until(end))),
            )
            .execute(&mut *self.tx)
            .await?;
        }
        Ok(())
    }
}

impl Told {
    /// Which sources were told before this entry, and no more than that.
    fn until(mut self, end: u64) -> Self {
        self.first.retain(|_, first| *first < end);
        // Of what was told by an earlier version it is not known when.
        let (first, all) = (&self.first, end == u64::MAX);
        self.sources.retain(|source, _| all || first.contains_key(source));
        self.untrusted.retain(|source, _| all || first.contains_key(source));
        self.sources.values_mut().chain(self.untrusted.values_mut()).for_each(String::clear);
        self.heard = None;
        self
    }

    fn digests(&mut self, untrusted: bool) -> &mut BTreeMap<ContextSource, String> {
        if untrusted { &mut self.untrusted } else { &mut self.sources }
    }

    /// The sources of which a part was told and is empty by now. What is left of such a one is to be told anew.
    fn take_ended(&mut self, around: &Around) -> BTreeSet<ContextSource> {
        let mut ended = BTreeSet::new();
        for untrusted in [false, true] {
            self.digests(untrusted).retain(|source, _| {
                let is_there = !around.part(*source, untrusted).is_empty();
                // What is told of a calendar is one thing, whoever wrote it: the other part takes its place.
                let is_replaced =
                    *source == ContextSource::Calendar && !around.part(*source, !untrusted).is_empty();
                if !is_there && !is_replaced {
                    ended.insert(*source);
                }
                is_there
            });
        }
        for untrusted in [false, true] {
            self.digests(untrusted).retain(|source, _| !ended.contains(source));
        }
        ended
    }
}
