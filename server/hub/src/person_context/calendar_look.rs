//! Looking into a calendar: its bytes, from where it is, and what is in them for some days.

use super::Contexts;
use super::calendar::{Calendar, EVERY_MS, Kept, MOST_MS};
use crate::engine::{CalendarEntries, CalendarFile};
use crate::error::{Error, Result};
use crate::files::{FilePath, open};
use crate::outbound::Target;
use crate::outbound::freshness::{self, Freshness};
use crate::store::query;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use data_encoding::HEXLOWER;
use protocol::{FolderId, UserId};
use reqwest::Method;
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue, IF_NONE_MATCH};
use sha2::{Digest, Sha256};
use std::time::Duration;
use tokio::time::timeout;

/// Bytes of a calendar.
const LARGEST: usize = 2 * 1024 * 1024;
/// For what an answer that says nothing of it holds.
const USUAL_SECONDS: i64 = 15 * 60;
/// For asking an address, and for reading what came.
const ASKING: Duration = Duration::from_secs(8);
const READING: Duration = Duration::from_secs(8);
/// What is kept: so many days, and so many entries.
const DAYS: i64 = 9;
const MOST_ENTRIES: usize = 200;
const DAY: i64 = 24 * 60 * 60;

/// What came of looking.
pub(super) enum Came {
    Same,
    Bytes { bytes: Vec<u8>, tag: Option<String> },
}

/// Why nothing came.
pub(super) enum Missed {
    /// It may come the next time: what is known holds.
    Late(String),
    /// It is not there, or not for its person: nothing is known of it any more.
    Gone(String),
}

/// What came, and for how many seconds that holds; or why nothing did.
pub(super) type Looked = std::result::Result<(Came, i64), Missed>;

impl Contexts<'_> {
    pub(super) async fn in_workspace(self, owner: &UserId, path: &str) -> Result<Calendar> {
        let wrong = || {
            Error::invalid("Write a file as /workspace/path, with the name of the workspace that it is in.")
        };
        let (name, path) = path.split_once('/').ok_or_else(wrong)?;
        let path = FilePath::check(path)?;
        let folder: Option<FolderId> = query(
            "SELECT id FROM folders WHERE user_id = $1 AND agent_id IS NULL AND name = $2",
            (owner, name),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        let folder = folder.ok_or_else(|| Error::Invalid(format!("You have no workspace {name:?}.")))?;
        Ok(Calendar { place: format!("/{name}/{path}"), folder: Some(folder), ..Calendar::default() })
    }

    pub(super) async fn opened(self, calendar: &Calendar, tag: Option<&str>) -> Looked {
        let gone = || Missed::Gone(format!("There is no file {}.", calendar.place));
        let folder = calendar.folder.as_ref().ok_or_else(gone)?;
        let path = calendar
            .place
            .splitn(3, '/')
            .nth(2)
            .and_then(|path| FilePath::check(path).ok())
            .ok_or_else(gone)?;
        let (bytes, _) = open(self.hub.store().read(), folder, &path).await.map_err(|error| match error {
            Error::NotFound(_) => gone(),
            _ => Missed::late(format!("{} could not be opened.", calendar.place)),
        })?;
        if bytes.len() > LARGEST {
            return Err(too_large());
        }
        let digest = HEXLOWER.encode(&Sha256::digest(&bytes));
        Ok(match tag == Some(digest.as_str()) {
            true => (Came::Same, 0),
            false => (Came::Bytes { bytes, tag: Some(digest) }, 0),
        })
    }

    pub(super) async fn asked(self, address: &str, tag: Option<&str>) -> Looked {
        let late = |_| Missed::late(format!("It did not answer within {} seconds.", ASKING.as_secs()));
        timeout(ASKING, self.answered(address, tag)).await.map_err(late)?
    }

    async fn answered(self, address: &str, tag: Option<&str>) -> Looked {
        let target = Target::parse(address).map_err(Missed::late)?;
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("text/calendar"));
        if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(tag).ok()) {
            headers.insert(IF_NONE_MATCH, tag);
        }
        let sent = self.hub.outbound().send(Method::GET, &target, headers, Vec::new()).await;
        let mut answer = sent.map_err(Missed::late)?;
        let (seconds, new) = match freshness::of(|name| answer.header(name), USUAL_SECONDS) {
            Freshness::Never => (0, None),
            Freshness::Kept { seconds, tag } => (seconds, tag),
        };
        match answer.status() {
            304 if tag.is_some() => return Ok((Came::Same, seconds)),
            200..=299 => {}
            300..=399 => {
                return Err(Missed::late("It leads elsewhere. Enter the address where it is now."));
            }
            401 | 403 => {
                let why = "It is not given without a sign-in. Many calendars have a secret address for this.";
                return Err(Missed::Gone(why.to_owned()));
            }
            404 | 410 => return Err(Missed::Gone("There is no calendar at this address.".to_owned())),
            status => {
                return Err(Missed::late(format!("Its server answered with an error (status {status}).")));
            }
        }
        let mut bytes = Vec::new();
        while let Some(more) = answer.next().await.map_err(Missed::late)? {
            if bytes.len() + more.len() > LARGEST {
                return Err(too_large());
            }
            bytes.extend_from_slice(&more);
        }
        Ok((Came::Bytes { bytes, tag: new }, seconds))
    }

    /// With what came. What was known before stays where nothing did that may come yet.
    pub(super) async fn taken(
        self,
        owner: &UserId,
        wanted: String,
        known: Calendar,
        looked: Looked,
    ) -> Calendar {
        let now = self.hub.now();
        let (bytes, tag, seconds) = match looked {
            Err(Missed::Late(failure)) => return Calendar { failure, ..known },
            Err(Missed::Gone(failure)) => return Calendar { failure, kept: None, ..known },
            Ok((Came::Same, seconds)) => {
                return Calendar { failure: String::new(), again_at: again_at(now, seconds), ..known };
            }
            Ok((Came::Bytes { bytes, tag }, seconds)) => (bytes, tag, seconds),
        };
        let from = now / 1000 - DAY;
        let until = from + DAYS * DAY;
        let file = CalendarFile {
            bytes: STANDARD.encode(bytes),
            zone: wanted.clone(),
            from,
            until,
            most: MOST_ENTRIES,
        };
        let failure = match self.hub.engine().perform(owner, file, READING).await {
            Ok(Ok(CalendarEntries { zone, entries, until, incomplete })) => {
                let kept = Some(Kept { tag, wanted, zone, until, incomplete, entries });
                return Calendar { failure: String::new(), again_at: again_at(now, seconds), kept, ..known };
            }
            Ok(Err(why)) => format!("It could not be read: {why}."),
            Err(error) => format!("It could not be read: {error}."),
        };
        Calendar { failure, ..known }
    }
}

fn again_at(now: i64, seconds: i64) -> i64 {
    now + EVERY_MS.max(seconds * 1000).min(MOST_MS)
}

impl Missed {
    pub(super) fn late(why: impl ToString) -> Self {
        Self::Late(why.to_string())
    }
}

fn too_large() -> Missed {
    Missed::late(format!("It is larger than {} MB.", LARGEST / 1024 / 1024))
}
