//! Sources that are on, with what is known of each. What is off leaves nothing behind.

use super::calendar::{Calendar, forget_address};
use super::{Contexts, OwnContext, lock};
use crate::error::{Error, Result};
use crate::store::{Json, Transaction, query};
use jiff::tz::TimeZone;
use protocol::hub::Noun;
use protocol::view::ContextReport;
use protocol::{ContextSource, UserId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Longest place, in characters, and longest path of a page.
const PLACE: usize = 200;
const PATH: usize = 200;
/// Longest name of a language, and of a time zone.
const LANGUAGE: usize = 20;
const ZONE: usize = 64;
/// So long a page that is looked at is not noted again.
const SAME_FOR_MS: i64 = 60_000;

/// What is known of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Known {
    Nothing,
    Zone {
        zone: String,
    },
    Device {
        phone: bool,
        language: String,
    },
    Place {
        words: String,
        /// A device found it then. Absent: the person wrote it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        found_at: Option<i64>,
    },
    Seen {
        path: String,
        at: i64,
        away: bool,
    },
    Calendar(Calendar),
}

pub(super) type Sources = BTreeMap<ContextSource, Known>;

impl Contexts<'_> {
    /// Those that are on.
    pub(super) async fn sources(self, owner: &UserId) -> Result<Sources> {
        let rows: Vec<(ContextSource, Json<Known>)> =
            query("SELECT source, value FROM context_sources WHERE user_id = $1", (owner,))
                .fetch_all(self.hub.store().read())
                .await?;
        Ok(rows.into_iter().map(|(source, Json(known))| (source, known)).collect())
    }

    /// Turns it on with this, or replaces what was known.
    async fn put(self, owner: &UserId, source: ContextSource, known: &Known) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        put(&mut tx, owner, source, known).await?;
        tx.commit().await
    }

    /// Replaces what was known of a source that is on: one that was turned off meanwhile stays off.
    async fn replace(self, owner: &UserId, source: ContextSource, known: &Known) -> Result<()> {
        let mut tx = self.hub.store().write().await?;
        query(
            "UPDATE context_sources SET value = $3 WHERE user_id = $1 AND source = $2",
            (owner, source, Json(known)),
        )
        .execute(&mut *tx)
        .await?;
        tx.changes(owner, Noun::PersonContext);
        tx.commit().await
    }
}

pub(super) async fn put(
    tx: &mut Transaction,
    owner: &UserId,
    source: ContextSource,
    known: &Known,
) -> Result<()> {
    query(
        "INSERT INTO context_sources (user_id, source, value) VALUES ($1, $2, $3)
         ON CONFLICT (user_id, source) DO UPDATE SET value = excluded.value",
        (owner, source, Json(known)),
    )
    .execute(&mut **tx)
    .await?;
    tx.changes(owner, Noun::PersonContext);
    Ok(())
}

impl OwnContext<'_> {
    /// What of it the viewer's browsers report.
    pub async fn reported(self) -> Result<Vec<ContextSource>> {
        let sources = self.scoped.hub.person_contexts().sources(&self.scoped.viewer.me.id).await?;
        Ok(sources.into_keys().filter(|source| is_reported(*source)).collect())
    }

    /// Turns a source on, with the time zone, the place or the calendar that was `entered`; another one replaces what
    /// was.
    pub async fn turn_on(self, source: ContextSource, entered: &str) -> Result<()> {
        let words = entered.split_whitespace().collect::<Vec<_>>().join(" ");
        let known = match source {
            ContextSource::Time => Known::Zone { zone: zone_of(&words)? },
            ContextSource::Place => Known::Place { words: place_of(words)?, found_at: None },
            ContextSource::Device | ContextSource::Activity | ContextSource::Keys => Known::Nothing,
            ContextSource::Calendar => return self.turn_calendar_on(entered).await,
            ContextSource::Agents => {
                return Err(Error::invalid("Say for each agent whether it hears what the others said."));
            }
        };
        self.scoped.hub.person_contexts().put(&self.scoped.viewer.me.id, source, &known).await
    }

    /// Turns it off, and forgets what was known of it.
    pub async fn turn_off(self, source: ContextSource) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        lock(&mut tx, &self.scoped.viewer.me.id).await?;
        query(
            "DELETE FROM context_sources WHERE user_id = $1 AND source = $2",
            (self.scoped.owner(), source),
        )
        .execute(&mut *tx)
        .await?;
        if source == ContextSource::Calendar {
            forget_address(&mut tx, &self.scoped.viewer.me.id).await?;
        }
        tx.changes(&self.scoped.viewer.me.id, Noun::PersonContext);
        tx.commit().await
    }

    /// Turns the place on, as a device found it. Two decimal places are kept, which is about a kilometre.
    pub async fn locate(self, latitude: f64, longitude: f64) -> Result<()> {
        if !(-90.0..=90.0).contains(&latitude) || !(-180.0..=180.0).contains(&longitude) {
            return Err(Error::invalid(
                "A place has a latitude from -90 to 90 and a longitude from -180 to 180.",
            ));
        }
        let words = format!("{latitude:.2}, {longitude:.2}");
        let known = Known::Place { words, found_at: Some(self.scoped.hub.now()) };
        self.scoped.hub.person_contexts().put(&self.scoped.viewer.me.id, ContextSource::Place, &known).await
    }

    /// Takes in what a browser knows, as far as its source is on. What it does not say stays as it was.
    pub async fn report(self, report: &ContextReport) -> Result<()> {
        let (contexts, owner) = (self.scoped.hub.person_contexts(), &self.scoped.viewer.me.id);
        let now = self.scoped.hub.now();
        for (source, known) in contexts.sources(owner).await? {
            if let Some(fresh) = reported(source, &known, report, now) {
                contexts.replace(owner, source, &fresh).await?;
            }
        }
        Ok(())
    }
}

fn is_reported(source: ContextSource) -> bool {
    match source {
        ContextSource::Time | ContextSource::Device | ContextSource::Activity => true,
        ContextSource::Place | ContextSource::Calendar | ContextSource::Keys | ContextSource::Agents => false,
    }
}

/// What there is to know now, if that is something else.
fn reported(source: ContextSource, known: &Known, report: &ContextReport, now: i64) -> Option<Known> {
    let fresh = match source {
        ContextSource::Time => Known::Zone { zone: zone_of(&report.zone).ok()? },
        ContextSource::Device => {
            Known::Device { phone: report.phone, language: language_of(&report.language)? }
        }
        ContextSource::Activity => {
            let path = path_of(&report.path)?;
            // A tab that goes out of sight says nothing of another that is looked at.
            let is_last = matches!(known, Known::Seen { path: last, .. } if *last == path);
            if report.away && !is_last {
                return None;
            }
            Known::Seen { path, at: now, away: report.away }
        }
        ContextSource::Place | ContextSource::Calendar | ContextSource::Keys | ContextSource::Agents => {
            return None;
        }
    };
    let is_known = match (known, &fresh) {
        (Known::Seen { path, at, away }, Known::Seen { path: new, away: is_away, .. }) => {
            path == new && away == is_away && (*away || now.saturating_sub(*at) < SAME_FOR_MS)
        }
        (known, fresh) => known == fresh,
    };
    (!is_known).then_some(fresh)
}

fn zone_of(name: &str) -> Result<String> {
    let is_zone = name.len() <= ZONE && TimeZone::get(name).is_ok();
    is_zone.then(|| name.to_owned()).ok_or_else(|| {
        let shown: String = name.chars().take(ZONE).collect();
        Error::invalid(format!("There is no time zone {shown:?}. Write a name like Europe/Berlin."))
    })
}

fn place_of(words: String) -> Result<String> {
    if words.is_empty() {
        return Err(Error::invalid("Write where you are, as your agents are to be told."));
    }
    if words.chars().count() > PLACE || words.chars().any(char::is_control) {
        return Err(Error::Invalid(format!(
            "A place has at most {PLACE} characters, and no control characters."
        )));
    }
    Ok(words)
}

fn language_of(name: &str) -> Option<String> {
    let is_tag = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
    (!name.is_empty() && name.len() <= LANGUAGE && name.bytes().all(is_tag)).then(|| name.to_owned())
}

/// Without what the person asked there.
fn path_of(path: &str) -> Option<String> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let is_path = path.starts_with('/') && path.len() <= PATH && !path.chars().any(char::is_control);
    is_path.then(|| path.to_owned())
}
