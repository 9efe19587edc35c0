//! Whether something gets to where a person wants to hear: sent once, while they wait for what comes of it.

use super::OwnNotifications;
use super::delivery::{Sent, send};
use super::parcel::Parcel;
use crate::error::{Error, Result};
use crate::store::query;
use protocol::ChannelId;
use protocol::view::ChannelKind;

impl OwnNotifications<'_> {
    /// Sends something to this channel, or to the device of this id, whatever the hour. It is no notification, and is
    /// not sent again: fails with why it was not taken.
    pub async fn try_channel(self, target: &ChannelId) -> Result<()> {
        let hub = self.scoped.hub;
        let channel = self.channel_of(target).await?;
        let owner = self.scoped.viewer.me.id.clone();
        let places = hub.in_notifications().sending.places(channel);
        let _place = places.enter(&owner).await.map_err(|_| {
            Error::Limit("Many of your notifications are on their way. Try again in a minute.".to_owned())
        })?;
        let parcel = Parcel::trial(owner, target.0.clone(), channel, hub.now());
        match send(hub, &parcel).await {
            Sent::Done => Ok(()),
            Sent::Gone => Err(Error::Upstream(
                "This device cannot be notified any more. Switch notifications on there once more."
                    .to_owned(),
            )),
            Sent::NotYet(why) | Sent::Refused(why) => Err(Error::Upstream(why)),
        }
    }

    async fn channel_of(self, target: &ChannelId) -> Result<ChannelKind> {
        let (store, owner) = (self.scoped.hub.store(), self.scoped.owner());
        let channel: Option<(ChannelKind, Option<String>)> = query(
            "SELECT kind, code_hash FROM notification_channels WHERE id = $1 AND user_id = $2",
            (target, owner),
        )
        .fetch_optional(store.read())
        .await?;
        match channel {
            Some((kind, None)) => return Ok(kind),
            Some((_, Some(_))) => {
                return Err(Error::Conflict(
                    "Nothing goes to this address before its code was entered.".to_owned(),
                ));
            }
            None => {}
        }
        let is_device = query(
            "SELECT 1 FROM push_devices WHERE device_id = $1 AND user_id = $2 AND endpoint <> ''",
            (target, owner),
        );
        match is_device.exists(store.read()).await? {
            true => Ok(ChannelKind::Push),
            false => Err(Error::NotFound("channel")),
        }
    }
}
