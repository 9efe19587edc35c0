//! What goes to one target: a notification, or several that were gathered for it.

use super::list::link_of;
use super::news::{Answerable, cut};
use crate::Hub;
use crate::clock::new_id;
use crate::error::Result;
use crate::store::{FromRow, Row, Store, query};
use protocol::view::{ChannelKind, NotificationKind};
use protocol::{AgentId, Language, NotificationId, UserId, told, words};
use std::collections::BTreeSet;

/// How long a push service keeps what has no end of its own: a day.
const USUAL_SECONDS: i64 = 24 * 60 * 60;
/// Characters of what stands below the title of several.
const BODY: usize = 280;
/// Where several are read.
const ALL: &str = "/notifications";
/// Where it is said of what a person hears, and where.
const SETTINGS: &str = "/notifications/settings";

const PARCELS: &str = "SELECT d.notification_id, d.target, d.kind AS channel, d.tries, n.user_id, n.agent_id,
         n.conversation_id, n.pipeline_id, n.kind, n.title, n.body, n.at, n.expires_at, n.answerable, n.read_at
     FROM notification_deliveries d JOIN notifications n ON n.id = d.notification_id WHERE";

#[derive(Clone)]
pub(super) struct Parcel {
    pub(super) notification: NotificationId,
    pub(super) owner: UserId,
    pub(super) target: String,
    pub(super) channel: ChannelKind,
    pub(super) tries: i64,
    pub(super) kind: NotificationKind,
    agent: AgentId,
    pub(super) title: String,
    pub(super) body: String,
    /// Path of a page.
    pub(super) link: String,
    pub(super) at: i64,
    expires_at: Option<i64>,
    pub(super) answerable: Answerable,
    is_read: bool,
    is_of_pipeline: bool,
    /// The titles of all that it stands for, where that are several.
    titles: Vec<String>,
}

impl Parcel {
    pub(super) async fn due(
        store: &Store,
        notification: &NotificationId,
        target: &str,
        now: i64,
    ) -> Result<Option<Self>> {
        query(
            [PARCELS, "d.notification_id = $1 AND d.target = $2 AND d.state = 'waiting' AND d.next_at <= $3"],
            (notification, target, now),
        )
        .fetch_optional(store.read())
        .await
    }

    /// The oldest first.
    pub(super) async fn gathered_for(store: &Store, target: &str, now: i64) -> Result<Vec<Self>> {
        query(
            [
                PARCELS,
                "d.target = $1 AND d.gathered = 1 AND d.state = 'waiting' AND d.next_at <= $2 ORDER BY n.id",
            ],
            (target, now),
        )
        .fetch_all(store.read())
        .await
    }

    /// One that stands for all of them. `first` is one of them, which it is known by.
    pub(super) fn of(parcels: &[Self], first: &Self) -> Self {
        if parcels.len() < 2 {
            return first.clone();
        }
        let agents: BTreeSet<&str> = parcels.iter().map(|parcel| parcel.agent.0.as_str()).collect();
        let count = parcels.len();
        let title = match agents.len() {
            1 => told!("{count} notifications of one agent"),
            agents => told!("{agents} agents have news for you"),
        };
        Self {
            title,
            link: ALL.to_owned(),
            expires_at: None,
            answerable: Answerable::Nothing,
            titles: parcels.iter().map(|parcel| parcel.title.clone()).collect(),
            ..first.clone()
        }
    }

    /// One that tells of nothing but that it gets there.
    pub(super) fn trial(owner: UserId, target: String, channel: ChannelKind, now: i64) -> Self {
        Self {
            notification: NotificationId(new_id()),
            owner,
            target,
            channel,
            tries: 0,
            kind: NotificationKind::Message,
            agent: AgentId(String::new()),
            title: words!("A test: notifications of Vivarium reach you here").to_owned(),
            body: String::new(),
            link: SETTINGS.to_owned(),
            at: now,
            expires_at: None,
            answerable: Answerable::Nothing,
            is_read: false,
            is_of_pipeline: false,
            titles: Vec::new(),
        }
    }

    /// One replaces the former of the same topic where that is still shown.
    pub(super) fn topic(&self) -> String {
        match self.titles.is_empty() {
            true => format!("{} {}", self.agent, self.kind.name()),
            false => "several".to_owned(),
        }
    }

    /// In the words of this language; what an agent says stays as it is.
    pub(super) fn in_language(&self, hub: &Hub, language: Option<Language>) -> Self {
        let sentence = |english: &str| hub.notifications().sentence(language, english).into_owned();
        let body = if !self.titles.is_empty() {
            let titles: Vec<String> = self.titles.iter().map(|title| sentence(title)).collect();
            cut(&titles.join(" · "), BODY)
        } else if self.kind.is_told_by_the_hub(self.is_of_pipeline) {
            sentence(&self.body)
        } else {
            self.body.clone()
        };
        Self { title: sentence(&self.title), body, ..self.clone() }
    }

    pub(super) fn seconds_left(&self, now: i64) -> i64 {
        self.expires_at.map_or(USUAL_SECONDS, |end| (end - now) / 1000).clamp(0, USUAL_SECONDS)
    }

    pub(super) fn is_of_no_use(&self, now: i64) -> bool {
        self.is_read || self.expires_at.is_some_and(|end| end <= now)
    }
}

impl FromRow for Parcel {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            notification: row.get("notification_id")?,
            owner: row.get("user_id")?,
            target: row.get("target")?,
            channel: row.get("channel")?,
            tries: row.get("tries")?,
            kind: row.get("kind")?,
            link: link_of(row)?,
            agent: row.get("agent_id")?,
            title: row.get("title")?,
            body: row.get("body")?,
            at: row.get("at")?,
            expires_at: row.get("expires_at")?,
            answerable: Answerable::numbered(row.get("answerable")?),
            is_read: row.get::<Option<i64>>("read_at")?.is_some(),
            is_of_pipeline: row.get::<Option<String>>("pipeline_id")?.is_some(),
            titles: Vec::new(),
        })
    }
}
