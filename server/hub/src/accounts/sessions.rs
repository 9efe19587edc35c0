//! Signed-in devices: opening a session, finding who it belongs to, ending it.

use super::device_name::device_name;
use super::secrets::stored;
use super::{known, people};
use crate::access::{Scoped, Via, Viewer, Visitor};
use crate::audit::Line;
use crate::clock::{new_id, new_secret};
use crate::error::{Error, Result};
use crate::store::Transaction;
use crate::{Hub, store};
use protocol::view::{AuditAction, DeviceView, Me};
use protocol::{DeviceId, UserId};
use sqlx::Row;
use std::fmt;

/// How long a device stays signed in: 30 days.
pub const SESSION_SECONDS: i64 = 30 * 24 * 60 * 60;

/// How old "last seen" may get, so that reading a page does not write each time.
const SEEN_EVERY_MS: i64 = 60_000;

/// A device that just signed in. The secrets go into its cookies and are kept nowhere else.
pub struct NewSession {
    pub secret: String,
    /// By which the browser is known the next time.
    pub known: String,
    pub viewer: Viewer,
}

impl fmt::Debug for NewSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewSession").field("viewer", &self.viewer).finish_non_exhaustive()
    }
}

impl Hub {
    /// Who carries this session, unless it expired or the person is disabled.
    pub async fn viewer_by_session(&self, secret: &str) -> Result<Option<Viewer>> {
        let now = self.now();
        let row = sqlx::query(
            "SELECT users.id, users.name, users.role, devices.id AS device_id, devices.last_seen_at
             FROM devices JOIN users ON users.id = devices.user_id
             WHERE devices.session_hash = $1 AND devices.expires_at > $2 AND users.disabled = 0",
        )
        .bind(stored(secret))
        .bind(now)
        .fetch_optional(self.store.read())
        .await?;
        let Some(row) = row else { return Ok(None) };
        let device = DeviceId(row.try_get("device_id")?);
        if now - row.try_get::<i64, _>("last_seen_at")? >= SEEN_EVERY_MS {
            self.mark_seen(&device, now).await?;
        }
        Ok(Some(Viewer { me: people::me(&row)?, via: Via::Device(device), address: None }))
    }

    /// What people know a device by; without one it is a program that came with a token.
    pub(crate) async fn device_name_of(&self, device: Option<&DeviceId>) -> Result<String> {
        let Some(device) = device else { return Ok("A program".to_owned()) };
        let row = sqlx::query("SELECT name FROM devices WHERE id = $1")
            .bind(&device.0)
            .fetch_optional(self.store.read())
            .await?;
        Ok(row
            .map(|row| row.try_get("name"))
            .transpose()?
            .unwrap_or_else(|| "A signed-out device".to_owned()))
    }

    /// The devices that this person is signed in on, and what they are called.
    pub(crate) async fn devices_of(&self, person: &UserId) -> Result<Vec<(DeviceId, String)>> {
        let rows = sqlx::query("SELECT id, name FROM devices WHERE user_id = $1 AND expires_at > $2")
            .bind(&person.0)
            .bind(self.now())
            .fetch_all(self.store.read())
            .await?;
        rows.iter().map(|row| Ok((DeviceId(row.try_get("id")?), row.try_get("name")?))).collect()
    }

    async fn mark_seen(&self, device: &DeviceId, now: i64) -> Result<()> {
        let mut tx = self.store.write().await?;
        sqlx::query("UPDATE devices SET last_seen_at = $1 WHERE id = $2")
            .bind(now)
            .bind(&device.0)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }
}

impl Scoped<'_> {
    /// Ends the session of the device that asks.
    pub async fn sign_out(&self) -> Result<()> {
        let Some(device) = self.viewer.device() else {
            return Err(Error::invalid("Only a signed-in browser can sign out. To end a token, revoke it."));
        };
        self.end_session(device, AuditAction::SignedOut).await?;
        Ok(())
    }

    /// The devices that are signed in, the asking one first, then by when they were last here.
    pub async fn devices(&self) -> Result<Vec<DeviceView>> {
        let rows = sqlx::query(
            "SELECT id, name, created_at, last_seen_at FROM devices
             WHERE user_id = $1 AND expires_at > $2 ORDER BY last_seen_at DESC, id DESC",
        )
        .bind(self.owner())
        .bind(self.hub.now())
        .fetch_all(self.hub.store.read())
        .await?;
        let mut devices = rows.iter().map(|row| self.device_view(row)).collect::<Result<Vec<_>>>()?;
        devices.sort_by_key(|device| !device.current);
        Ok(devices)
    }

    pub async fn revoke_device(&self, id: &DeviceId) -> Result<()> {
        match self.end_session(id, AuditAction::DeviceRevoked).await? {
            true => Ok(()),
            false => Err(Error::NotFound("device")),
        }
    }

    async fn end_session(&self, device: &DeviceId, action: AuditAction) -> Result<bool> {
        let mut tx = self.hub.store.write().await?;
        let ended = sqlx::query("DELETE FROM devices WHERE id = $1 AND user_id = $2 RETURNING name")
            .bind(&device.0)
            .bind(self.owner())
            .fetch_optional(&mut *tx)
            .await?;
        let Some(ended) = ended else { return Ok(false) };
        let name: String = ended.try_get("name")?;
        self.hub.note(&mut tx, Line::done(action, self.viewer).object(&name)).await?;
        tx.commit().await?;
        self.hub.live.end_device(device);
        Ok(true)
    }

    fn device_view(&self, row: &store::Row) -> Result<DeviceView> {
        let id = DeviceId(row.try_get("id")?);
        Ok(DeviceView {
            current: self.viewer.device() == Some(&id),
            name: row.try_get("name")?,
            created_at: row.try_get("created_at")?,
            last_seen_at: row.try_get("last_seen_at")?,
            id,
        })
    }
}

/// Signs a device in, and forgets sessions that expired.
pub(super) async fn open(
    tx: &mut Transaction,
    me: Me,
    visitor: &Visitor<'_>,
    now: i64,
) -> Result<NewSession> {
    sqlx::query("DELETE FROM devices WHERE expires_at <= $1").bind(now).execute(&mut **tx).await?;
    let (id, secret) = (new_id(), new_secret());
    sqlx::query(
        "INSERT INTO devices (id, user_id, session_hash, name, created_at, last_seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $5, $6)",
    )
    .bind(&id)
    .bind(&me.id.0)
    .bind(stored(&secret))
    .bind(device_name_of(visitor))
    .bind(now)
    .bind(now + SESSION_SECONDS * 1000)
    .execute(&mut **tx)
    .await?;
    let known = known::remember(tx, &me.id.0, visitor.known, now).await?;
    let viewer = Viewer { me, via: Via::Device(id.into()), address: visitor.address };
    Ok(NewSession { secret, known, viewer })
}

pub(super) fn device_name_of(visitor: &Visitor<'_>) -> String {
    device_name(visitor.user_agent)
}
