//! Where a person is reached: their devices, and their channels.

use super::OwnNotifications;
use crate::error::{Error, Result};
use crate::outbound::{Reach, Target};
use crate::store::{FromRow, Row, query};
use protocol::DeviceId;
use protocol::view::{ChannelView, PushDeviceView, ReachView};

/// Devices and channels that a person may have.
pub(super) const MOST_TARGETS: i64 = 10;

impl OwnNotifications<'_> {
    pub async fn reach(self) -> Result<ReachView> {
        let store = self.scoped.hub.store();
        let mut devices: Vec<PushDeviceView> = query(
            "SELECT d.id, d.name, p.buttons, p.made_at FROM push_devices p JOIN devices d ON d.id = p.device_id
             WHERE p.user_id = $1 AND p.endpoint <> '' ORDER BY p.made_at, d.id",
            (self.scoped.owner(),),
        )
        .fetch_all(store.read())
        .await?;
        for device in &mut devices {
            device.current = self.scoped.viewer.device() == Some(&device.id);
        }
        let channels: Vec<ChannelView> = query(
            "SELECT id, kind, place, made_at, code_hash FROM notification_channels WHERE user_id = $1
             ORDER BY made_at, id",
            (self.scoped.owner(),),
        )
        .fetch_all(store.read())
        .await?;
        let mail = self.scoped.hub.in_notifications().mail.is_some();
        Ok(ReachView { devices, channels, push_key: self.push_key().await?, mail })
    }
}

/// An address to which the hub may send: sealed on the way there, or near by, where the operator allows that.
pub(crate) fn checked(address: &str, reach: Reach) -> Result<Target> {
    let refused = |error: crate::outbound::OutboundError| Error::invalid(error.to_string());
    let target = Target::parse(address).map_err(refused)?;
    target.check(reach).map_err(refused)?;
    if target.url().scheme() != "https" && !target.is_local() {
        return Err(Error::invalid("The address has to start with https://."));
    }
    if target.is_local() && reach == Reach::default() {
        return Err(Error::invalid(
            "The hub may not connect to addresses near by. Whoever runs it decides about them, with VIVARIUM_PRIVATE_ADDRESSES.",
        ));
    }
    Ok(target)
}

impl FromRow for PushDeviceView {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get::<DeviceId>("id")?,
            name: row.get("name")?,
            buttons: row.get::<i64>("buttons")? != 0,
            current: false,
        })
    }
}

impl FromRow for ChannelView {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            kind: row.get("kind")?,
            place: row.get("place")?,
            unconfirmed: row.get::<Option<String>>("code_hash")?.is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_sent_near_by_unless_the_operator_allows_it_and_nothing_unsealed_far_away() {
        let (nowhere, near) = (Reach::default(), Reach { private: true, loopback: true });
        for (address, reach, expected) in [
            ("https://push.example/a", nowhere, true),
            ("http://push.example/a", nowhere, false),
            ("http://push.example/a", near, false),
            ("http://127.0.0.1:9/a", nowhere, false),
            ("https://127.0.0.1:9/a", nowhere, false),
            ("https://[::1]/a", nowhere, false),
            ("https://localhost/a", nowhere, false),
            ("https://169.254.169.254/a", near, false),
            ("http://127.0.0.1:9/a", near, true),
            ("https://person:word@push.example/a", near, false),
            ("", near, false),
        ] {
            assert_eq!(checked(address, reach).is_ok(), expected, "{address} {reach:?}");
        }
    }
}
