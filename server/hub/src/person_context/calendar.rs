//! A calendar of the person's, at an address or in a workspace: read when a run or the page wants it and it is time,
//! and kept as what is in it for some days.

use super::calendar_look::Missed;
use super::sources::{Known, Sources, put};
use super::{Contexts, OwnContext, lock};
use crate::engine::CalendarEntry;
use crate::error::{Error, Result};
use crate::outbound::{Reach, Target};
use crate::store::{Json, Transaction, query};
use crate::vault::{AssociatedData, Secret, Vault};
use protocol::{ContextSource, FolderId, UserId};
use serde::{Deserialize, Serialize};

/// An address is asked once in so long at most.
pub(super) const EVERY_MS: i64 = 15 * 60 * 1000;
/// And after so long at the latest.
pub(super) const MOST_MS: i64 = 24 * 60 * 60 * 1000;
/// For so long a file that could not be read is left alone.
const BROKEN_MS: i64 = 60 * 1000;
/// So many days of what is kept have to be left.
const LEFT: i64 = 3;
const DAY: i64 = 24 * 60 * 60;
const INCOMPLETE: &str = "Some of it could not be read, so it is left out: events in time zones that nobody knows, or without a time.";
const PURPOSE: &str = "calendar";

/// Where it is, and what was in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Calendar {
    /// Scheme, host and port of an address, whose rest is sealed; or a workspace and a path in it.
    pub(super) place: String,
    /// The workspace that it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) folder: Option<FolderId>,
    /// When it is looked at again.
    #[serde(default)]
    pub(super) again_at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) kept: Option<Kept>,
    /// Why it could not be read the last time.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) failure: String,
}

/// What was in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// By which its server, or what is in the file, says that it is still the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tag: Option<String>,
    /// The zone that was asked for. Empty: none.
    pub(super) wanted: String,
    /// In which it was read.
    pub(super) zone: String,
    /// Until then all is known, in Unix seconds.
    pub(super) until: i64,
    /// Some of it could not be read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) incomplete: bool,
    pub(super) entries: Vec<CalendarEntry>,
}

impl OwnContext<'_> {
    /// Turns it on, once it could be read.
    pub(super) async fn turn_calendar_on(self, entered: &str) -> Result<()> {
        let (hub, owner) = (self.scoped.hub, &self.scoped.viewer.me.id);
        let contexts = hub.person_contexts();
        let (calendar, address) = match entered.trim().strip_prefix('/') {
            Some(path) => (contexts.in_workspace(owner, path).await?, None),
            None => {
                let target = target(entered, hub.outbound().reach())?;
                let calendar = Calendar { place: target.place(), ..Calendar::default() };
                (calendar, Some(Secret::new(target.url().as_str().to_owned())))
            }
        };
        let looked = match &address {
            Some(address) => contexts.asked(address.expose(), None).await,
            None => contexts.opened(&calendar, None).await,
        };
        let wanted = wanted_zone(&contexts.sources(owner).await?);
        let calendar = contexts.taken(owner, wanted, calendar, looked).await;
        if !calendar.failure.is_empty() {
            return Err(Error::Invalid(calendar.failure));
        }
        let mut tx = hub.store().write().await?;
        lock(&mut tx, owner).await?;
        Vault::forget_one(&mut tx, sealed_at(owner, "")).await?;
        if let Some(address) = &address {
            hub.vault().put(&mut tx, sealed_at(owner, &calendar.place), address, hub.now()).await?;
        }
        put(&mut tx, owner, ContextSource::Calendar, &Known::Calendar(calendar)).await?;
        tx.commit().await
    }
}

/// Nothing is left of its address.
pub(super) async fn forget_address(tx: &mut Transaction, owner: &UserId) -> Result<()> {
    Vault::forget_one(tx, sealed_at(owner, "")).await
}

impl Contexts<'_> {
    /// What is known of it by now: it is looked at again if that is due. Whoever asks at the same time goes by what
    /// was known before.
    pub(super) async fn calendar(
        self,
        owner: &UserId,
        sources: &Sources,
        known: &Calendar,
    ) -> Result<Calendar> {
        let (now, wanted) = (self.hub.now(), wanted_zone(sources));
        let tag =
            known.kept.as_ref().filter(|kept| kept.is_enough(&wanted, now)).and_then(|kept| kept.tag.clone());
        if known.folder.is_some() {
            if !known.failure.is_empty() && (now..=now + BROKEN_MS).contains(&known.again_at) {
                return Ok(known.clone());
            }
            let looked = self.opened(known, tag.as_deref()).await;
            let taken = self.taken(owner, wanted, known.clone(), looked).await;
            let again_at = if taken.failure.is_empty() { 0 } else { now + BROKEN_MS };
            let taken = Calendar { again_at, ..taken };
            if taken != *known {
                self.replace_calendar(owner, known, &taken).await?;
            }
            return Ok(taken);
        }
        // A clock that was ahead does not hold it up.
        let is_due = now >= known.again_at || known.again_at > now + MOST_MS;
        let claimed = Calendar { again_at: now + EVERY_MS, ..known.clone() };
        if !is_due || !self.replace_calendar(owner, known, &claimed).await? {
            return Ok(known.clone());
        }
        let sealed = sealed_at(owner, &known.place);
        let looked = match self.hub.vault().read(self.hub.store(), sealed).await {
            Ok(Some(address)) => self.asked(address.expose(), tag.as_deref()).await,
            Ok(None) | Err(_) => Err(Missed::late("Its address cannot be opened. Enter it again.")),
        };
        let taken = self.taken(owner, wanted, claimed.clone(), looked).await;
        self.replace_calendar(owner, &claimed, &taken).await?;
        Ok(taken)
    }

    /// `false`: somebody else did before, or turned it off.
    async fn replace_calendar(self, owner: &UserId, before: &Calendar, after: &Calendar) -> Result<bool> {
        let mut tx = self.hub.store().write().await?;
        lock(&mut tx, owner).await?;
        let known: Option<Json<Known>> = query(
            "SELECT value FROM context_sources WHERE user_id = $1 AND source = $2",
            (owner, ContextSource::Calendar),
        )
        .fetch_optional(&mut *tx)
        .await?;
        let is_as_before =
            known.is_some_and(|Json(known)| matches!(known, Known::Calendar(known) if known == *before));
        if is_as_before {
            put(&mut tx, owner, ContextSource::Calendar, &Known::Calendar(after.clone())).await?;
        }
        tx.commit().await?;
        Ok(is_as_before)
    }
}

impl Kept {
    /// Whether all is known that begins before this, in Unix seconds.
    pub(super) fn knows(&self, until: i64) -> bool {
        until <= self.until
    }

    /// What its person is told of that.
    pub(super) fn lack(&self) -> &'static str {
        if self.incomplete { INCOMPLETE } else { "" }
    }

    fn is_enough(&self, wanted: &str, now: i64) -> bool {
        self.wanted == wanted && self.until >= now / 1000 + LEFT * DAY
    }
}

/// An address as calendars are subscribed to.
fn target(entered: &str, reach: Reach) -> Result<Target> {
    let entered = entered.trim();
    let is_webcal = entered.get(..9).is_some_and(|begin| begin.eq_ignore_ascii_case("webcal://"));
    let spelled = if is_webcal { format!("https://{}", &entered[9..]) } else { entered.to_owned() };
    let target = Target::parse(&spelled).and_then(|target| target.check(reach).map(|()| target));
    target.map_err(|error| Error::invalid(error.to_string()))
}

fn sealed_at<'a>(owner: &'a UserId, place: &'a str) -> AssociatedData<'a> {
    AssociatedData { user: &owner.0, provider: "context", purpose: PURPOSE, server: Some(place) }
}

/// The one that the person tells. Empty: they tell none.
fn wanted_zone(sources: &Sources) -> String {
    match sources.get(&ContextSource::Time) {
        Some(Known::Zone { zone }) => zone.clone(),
        _ => String::new(),
    }
}
