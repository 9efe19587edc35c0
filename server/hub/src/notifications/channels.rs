//! Where people hear besides their devices. An address on the web is as good as a password, and is kept like one.

mod mail;
mod request;

use super::delivery::{Sent, sent};
use super::parcel::Parcel;
use super::reach::{MOST_TARGETS, checked};
use super::{OwnNotifications, Reached};
use crate::Hub;
use crate::audit::AuditEvent;
use crate::clock::{new_id, new_secret};
use crate::error::{Error, Result};
use crate::outbound::Target;
use crate::store::{FromRow, Row, Transaction, query};
use crate::vault::{AssociatedData, Secret, Vault};
use protocol::view::{AuditAction, ChannelDraft, ChannelKind, ChannelView, NewChannel, Right};
use protocol::{ChannelId, Language};
use reqwest::Method;
use serde::{Deserialize, Serialize};

/// What its secret is kept for.
const PURPOSE: &str = "notifications";
/// Characters of what a person enters.
const LONGEST: usize = 1024;

/// What is sealed of a channel.
#[derive(Serialize, Deserialize)]
struct Sealed {
    address: String,
    /// Of a webhook what signs, of ntfy the access token, if there is one, of Matrix the access token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
    /// Of Matrix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    room: Option<String>,
}

struct ChannelRow {
    kind: ChannelKind,
    place: String,
    origin: String,
    language: Option<Language>,
}

impl FromRow for ChannelRow {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            kind: row.get("kind")?,
            place: row.get("place")?,
            origin: row.get("origin")?,
            language: row.get("language")?,
        })
    }
}

fn sealed_at<'a>(owner: &'a str, id: &'a str, place: &'a str) -> AssociatedData<'a> {
    AssociatedData { user: owner, provider: id, purpose: PURPOSE, server: Some(place) }
}

impl OwnNotifications<'_> {
    /// Adds a webhook, whose secret is in the answer and nowhere else, a topic of ntfy with its token, if it wants
    /// one, a room of Matrix, or an address for mail, to which a code goes first.
    pub async fn add_channel(self, draft: &ChannelDraft, reached: Reached<'_>) -> Result<NewChannel> {
        self.scoped.require(Right::SaveProviders)?;
        let ChannelDraft { kind, address, token, room } = draft;
        let kind = *kind;
        if kind == ChannelKind::Mail {
            return self.add_mail(address, reached).await;
        }
        let hub = self.scoped.hub;
        let target = checked(address, hub.outbound().reach())?;
        let (token, room) = (token.trim(), room.trim());
        if token.len() > LONGEST || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::invalid("A token is one word without spaces."));
        }
        let secret = match kind {
            ChannelKind::Push | ChannelKind::Mail => {
                return Err(Error::invalid("A device is notified from the device itself."));
            }
            ChannelKind::Webhook => Some(new_secret()),
            ChannelKind::Ntfy => {
                request::topic_of(&target)?;
                (!token.is_empty()).then(|| token.to_owned())
            }
            ChannelKind::Matrix if token.is_empty() => {
                return Err(Error::invalid("Matrix wants an access token of the account that writes there."));
            }
            ChannelKind::Matrix => {
                request::message_of(&target, room, "x")?;
                Some(token.to_owned())
            }
        };
        let (id, owner, now) = (new_id(), self.scoped.owner(), hub.now());
        let place = target.place();
        let room = (kind == ChannelKind::Matrix).then(|| room.to_owned());
        let sealed = Sealed { address: target.url().to_string(), secret: secret.clone(), room };
        let mut tx = hub.store().write().await?;
        self.require_room(&mut tx).await?;
        query(
            "INSERT INTO notification_channels (id, user_id, kind, place, origin, made_at, language)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            (&id, owner, kind, &place, reached.origin, now, reached.language),
        )
        .execute(&mut *tx)
        .await?;
        let sealed = Secret::new(serde_json::to_string(&sealed)?);
        hub.vault().put(&mut tx, sealed_at(owner, &id, &place), &sealed, now).await?;
        let line = AuditEvent::done(AuditAction::ChannelAdded, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&place)).await?;
        tx.commit().await?;
        let view = ChannelView { id: ChannelId(id), kind, place, unconfirmed: false };
        Ok(NewChannel { view, secret: secret.filter(|_| kind == ChannelKind::Webhook) })
    }

    /// For one channel more.
    async fn require_room(self, tx: &mut Transaction) -> Result<()> {
        let owner = self.scoped.owner();
        let existing: i64 = query("SELECT COUNT(*) FROM notification_channels WHERE user_id = $1", (owner,))
            .fetch_one(&mut **tx)
            .await?;
        if existing >= MOST_TARGETS {
            return Err(Error::Limit(format!("You have {MOST_TARGETS} channels. Remove one first.")));
        }
        Ok(())
    }

    pub async fn remove_channel(self, id: &ChannelId) -> Result<()> {
        let owner = self.scoped.owner();
        let mut tx = self.scoped.hub.store().write().await?;
        let place: Option<String> = query(
            "DELETE FROM notification_channels WHERE id = $1 AND user_id = $2 RETURNING place",
            (id, owner),
        )
        .fetch_optional(&mut *tx)
        .await?;
        let place = place.ok_or(Error::NotFound("channel"))?;
        Vault::forget(&mut tx, owner, &id.0).await?;
        let line = AuditEvent::done(AuditAction::ChannelRemoved, self.scoped.viewer);
        self.scoped.hub.audit().note(&mut tx, line.object(&place)).await?;
        tx.commit().await
    }
}

pub(super) async fn send(hub: &Hub, parcel: &Parcel) -> Result<Sent> {
    let owner = parcel.owner.0.as_str();
    let channel: Option<ChannelRow> = query(
        "SELECT c.kind, c.place, c.origin, COALESCE(u.language, c.language) AS language
         FROM notification_channels c JOIN users u ON u.id = c.user_id WHERE c.id = $1 AND c.user_id = $2",
        (&parcel.target, owner),
    )
    .fetch_optional(hub.store().read())
    .await?;
    let Some(channel) = channel else { return Ok(Sent::Gone) };
    let parcel = &parcel.in_language(hub, channel.language);
    if channel.kind == ChannelKind::Mail {
        return hub.notifications().send_mail(parcel, &channel).await;
    }
    let place = sealed_at(owner, &parcel.target, &channel.place);
    let Some(sealed) = hub.vault().read(hub.store(), place).await? else { return Ok(Sent::Gone) };
    let sealed: Sealed = serde_json::from_str(sealed.expose())?;
    let target = match Target::parse(&sealed.address) {
        Ok(target) => target,
        Err(error) => return Ok(Sent::Refused(error.to_string())),
    };
    let link = format!("{}{}", channel.origin, parcel.link);
    let secret = sealed.secret.as_deref();
    let (method, target, headers, body) = match channel.kind {
        ChannelKind::Ntfy => {
            let (target, headers, body) = request::ntfy(parcel, &target, &link, secret)?;
            (Method::POST, target, headers, body)
        }
        ChannelKind::Matrix => {
            let room = sealed.room.as_deref().unwrap_or_default();
            let (target, headers, body) = request::matrix(parcel, &target, room, &link, secret)?;
            (Method::PUT, target, headers, body)
        }
        ChannelKind::Webhook | ChannelKind::Push | ChannelKind::Mail => {
            let (headers, body) =
                request::webhook(parcel, &link, secret.unwrap_or_default(), hub.now() / 1000)?;
            (Method::POST, target, headers, body)
        }
    };
    Ok(match sent(hub, method, &target, headers, body).await {
        Sent::Gone => Sent::Refused(format!("There is nothing at this address of {}.", channel.place)),
        sent => sent,
    })
}
