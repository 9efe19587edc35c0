//! Telling a person who looks elsewhere what happened with their agents: rows that they read on any device, and
//! that are sent to where they want to hear of them.

mod channels;
mod delivery;
mod list;
mod mail_server;
mod news;
mod note;
mod parcel;
mod push;
mod queue;
mod quiet;
mod reach;
mod settings;
mod told;
mod trial;

use crate::access::Scoped;
use crate::error::Result;
use crate::log::Observer;
use crate::store::query;
use crate::{Hub, SentenceIn};
use delivery::Sending;
pub(crate) use delivery::{Sent, sent};
pub use mail_server::MailServer;
pub(crate) use news::News;
pub(crate) use note::{Noted, is_settled, pipeline_is_answered};
use protocol::Language;
use push::VapidKey;
pub(crate) use push::{AnsweredWith, RepliedTo};
pub(crate) use reach::checked;
use std::borrow::Cow;
use std::sync::Arc;
use tokio::sync::OnceCell;
use told::ToldSignal;

/// What the viewer was told of, and how they want to be.
#[derive(Clone, Copy, Debug)]
pub struct OwnNotifications<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn notifications(&self) -> OwnNotifications<'a> {
        OwnNotifications { scoped: *self }
    }
}

/// Where a person reaches the hub, and in which language.
#[derive(Clone, Copy, Debug)]
pub struct Reached<'a> {
    pub origin: &'a str,
    pub language: Language,
}

/// What people are told of.
#[derive(Clone, Copy, Debug)]
pub struct Notifications<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub fn notifications(&self) -> Notifications<'_> {
        Notifications { hub: self }
    }

    fn in_notifications(&self) -> &InMemory {
        &self.0.notifications
    }
}

pub(crate) struct InMemory {
    told: ToldSignal,
    sending: Sending,
    vapid: OnceCell<VapidKey>,
    mail: Option<MailServer>,
    sentence_in: SentenceIn,
}

impl InMemory {
    pub(crate) fn new(mail: Option<MailServer>, sentence_in: SentenceIn) -> Self {
        Self {
            told: ToldSignal::default(),
            sending: Sending::default(),
            vapid: OnceCell::new(),
            mail,
            sentence_in,
        }
    }

    pub(crate) fn observer(&self) -> Arc<dyn Observer> {
        Arc::new(self.told.clone())
    }
}

impl<'a> Notifications<'a> {
    /// A sentence of the hub's for somebody who reads this language; absent: who has chosen none.
    fn sentence(self, language: Option<Language>, english: &str) -> Cow<'_, str> {
        (self.hub.in_notifications().sentence_in)(language.unwrap_or_default(), english)
    }

    /// Something was noted and committed that no entry tells of.
    pub(crate) fn wake(self) {
        self.hub.in_notifications().told.ring();
    }

    /// Whether the server for mail takes some, in words; absent: there is none.
    pub async fn examine_mail(self) -> Option<std::result::Result<String, String>> {
        let server = self.hub.in_notifications().mail.as_ref()?;
        Some(server.try_out().await)
    }

    /// How many are on their way to devices and channels.
    pub(crate) async fn waiting(self) -> Result<u64> {
        query("SELECT COUNT(*) FROM notification_deliveries WHERE state = 'waiting'", ())
            .fetch_one(self.hub.store().read())
            .await
    }

    async fn vapid(self) -> Result<&'a VapidKey> {
        self.hub.in_notifications().vapid.get_or_try_init(|| VapidKey::load(self.hub)).await
    }
}
