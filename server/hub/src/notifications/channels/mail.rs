//! Mail: to an address whose person showed that they read it, and only until somebody presses the link in one.

use super::ChannelRow;
use crate::access::Visitor;
use crate::audit::AuditEvent;
use crate::clock::{new_id, random};
use crate::error::{Error, Result};
use crate::notifications::delivery::Sent;
use crate::notifications::mail_server::{Mail, MailError, MailServer};
use crate::notifications::parcel::Parcel;
use crate::notifications::push::answered_by;
use crate::notifications::{Notifications, OwnNotifications, Reached};
use crate::store::{FromRow, Row, Transaction, query};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use lettre::Address;
use protocol::view::{AuditAction, ChannelKind, ChannelView, NewChannel};
use protocol::{ChannelId, UserId, told, words};
use sha2::Sha256;

/// What a link that ends mails is signed for.
const PURPOSE: &str = "notifications-unsubscribe";
/// Mails of a day that a person may have: codes, for they go to anybody's address, and what they are told.
const MOST_CODES: i64 = 5;
const MOST_TOLD: i64 = 200;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// How long a code is good for, and how often another one may be tried.
const CODE_MS: i64 = 60 * 60 * 1000;
const MOST_TRIES: i64 = 5;
/// Of a code, without those that look like others.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

struct Waiting {
    place: String,
    code_hash: String,
    tries: i64,
    made_at: i64,
}

impl FromRow for Waiting {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            place: row.get("place")?,
            code_hash: row.get("code_hash")?,
            tries: row.get("code_tries")?,
            made_at: row.get("made_at")?,
        })
    }
}

impl OwnNotifications<'_> {
    /// Sends a code to the address, and nothing else until it was entered.
    pub(super) async fn add_mail(self, address: &str, reached: Reached<'_>) -> Result<NewChannel> {
        let hub = self.scoped.hub;
        let server = hub.notifications().mail()?;
        let to = address_of(address)?;
        let (id, owner, now) = (new_id(), self.scoped.owner(), hub.now());
        let code = new_code();
        let mut tx = hub.store().write().await?;
        self.require_room(&mut tx).await?;
        if !may_send(&mut tx, &self.scoped.viewer.me.id, "code", MOST_CODES, now).await? {
            return Err(Error::Limit(format!(
                "{MOST_CODES} codes were sent for you today. Add this address tomorrow."
            )));
        }
        tx.commit().await?;
        let Reached { origin, language } = reached;
        let text = told!(
            "Somebody at the Vivarium {origin} wants to be told here what happens with their agents. If that is you, \
             enter this code there, under \"What you hear of\", within an hour:\n\n{code}\n\nIf it is not, do nothing: \
             nothing more is sent here.\n"
        );
        let text = hub.notifications().sentence(Some(language), &text).into_owned();
        let subject =
            hub.notifications().sentence(Some(language), words!("Your code for mail from Vivarium"));
        let mail = Mail { id: &id, to: &to, subject: &subject, text, end: None, at: now };
        match server.send(mail).await {
            Ok(()) => {}
            Err(MailError::Refused(why)) => return Err(Error::Upstream(why)),
            Err(MailError::NotYet(why)) => {
                let mut tx = hub.store().write_uncached().await?;
                was_not_sent(&mut tx, &self.scoped.viewer.me.id, "code").await?;
                tx.commit().await?;
                return Err(Error::Upstream(why));
            }
        }
        let place = to.to_string();
        let mut tx = hub.store().write().await?;
        self.require_room(&mut tx).await?;
        query(
            "INSERT INTO notification_channels (id, user_id, kind, place, origin, made_at, code_hash, language)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            (&id, owner, ChannelKind::Mail, &place, origin, now, answered_by(&code), language),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        let view = ChannelView { id: ChannelId(id), kind: ChannelKind::Mail, place, unconfirmed: true };
        Ok(NewChannel { view, secret: None })
    }

    /// The address is theirs: they have read there what was sent.
    pub async fn confirm_channel(self, id: &ChannelId, code: &str) -> Result<()> {
        let hub = self.scoped.hub;
        let owner = self.scoped.owner();
        let mut tx = hub.store().write().await?;
        let waiting: Option<Waiting> = query(
            "UPDATE notification_channels SET code_tries = code_tries + 1
             WHERE id = $1 AND user_id = $2 AND code_hash IS NOT NULL
             RETURNING place, code_hash, code_tries, made_at",
            (id, owner),
        )
        .fetch_optional(&mut *tx)
        .await?;
        let Some(waiting) = waiting else {
            let is_theirs =
                query("SELECT 1 FROM notification_channels WHERE id = $1 AND user_id = $2", (id, owner));
            return Err(match is_theirs.exists(&mut *tx).await? {
                true => Error::Conflict("It waits for no code.".to_owned()),
                false => Error::NotFound("channel"),
            });
        };
        let Waiting { place, code_hash, tries, made_at } = waiting;
        if tries > MOST_TRIES || !(0..CODE_MS).contains(&(hub.now() - made_at)) {
            return Err(Error::Conflict(
                "This code is over. Remove the address and add it again for another one.".to_owned(),
            ));
        }
        if answered_by(&spelled(code)) != code_hash {
            tx.commit().await?;
            return Err(Error::invalid("This is not the code that was sent there. Look at the newest mail."));
        }
        query("UPDATE notification_channels SET code_hash = NULL WHERE id = $1", (id,))
            .execute(&mut *tx)
            .await?;
        let line = AuditEvent::done(AuditAction::ChannelAdded, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&place)).await?;
        tx.commit().await
    }
}

impl<'a> Notifications<'a> {
    fn mail(self) -> Result<&'a MailServer> {
        let server = self.hub.in_notifications().mail.as_ref();
        server.ok_or_else(|| {
            Error::invalid(
                "This hub sends no mail. Whoever runs it can name a server, with VIVARIUM_SMTP_URL.",
            )
        })
    }

    /// Ends the mails of a channel by the link in one of them. Again is fine: there are none any more.
    pub async fn unsubscribe(self, visitor: Visitor<'_>, channel: &ChannelId, key: &str) -> Result<()> {
        let given = URL_SAFE_NO_PAD.decode(key).map_err(|_| Error::NotFound("link"))?;
        self.end_of(channel).verify_slice(&given).map_err(|_| Error::NotFound("link"))?;
        let mut tx = self.hub.store().write().await?;
        let ended = query(
            "DELETE FROM notification_channels WHERE id = $1 AND kind = $2 RETURNING user_id, place,
                 (SELECT u.name FROM users u WHERE u.id = notification_channels.user_id) AS name",
            (channel, ChannelKind::Mail),
        )
        .fetch_optional::<Row>(&mut *tx)
        .await?;
        let Some(row) = ended else { return Ok(()) };
        let (owner, name): (String, String) = (row.get("user_id")?, row.get("name")?);
        let line = AuditEvent::done(AuditAction::ChannelRemoved, &visitor).about(&owner, &name);
        self.hub.audit().note(&mut tx, line.object(&row.get::<String>("place")?)).await?;
        tx.commit().await
    }

    /// Whether a link that ends mails is of one of this hub's.
    pub(crate) fn has_sent(self, link: &str) -> bool {
        let Some((rest, key)) = link.rsplit_once('/') else { return false };
        let channel = ChannelId(rest.rsplit('/').next().unwrap_or_default().to_owned());
        URL_SAFE_NO_PAD.decode(key).is_ok_and(|given| self.end_of(&channel).verify_slice(&given).is_ok())
    }

    /// What signs the link that ends the mails of this channel, and nothing else.
    fn end_of(self, channel: &ChannelId) -> Hmac<Sha256> {
        let key = self.hub.vault().signing_key(PURPOSE);
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("any length is a key");
        mac.update(channel.0.as_bytes());
        mac
    }

    pub(super) async fn send_mail(self, parcel: &Parcel, channel: &ChannelRow) -> Result<Sent> {
        let (hub, ChannelRow { origin, place, language, .. }) = (self.hub, channel);
        let server = match self.mail() {
            Ok(server) => server,
            Err(error) => return Ok(Sent::Refused(error.to_string())),
        };
        let to = address_of(place)?;
        // One that is tried again is the same mail.
        if parcel.tries == 0 {
            let mut tx = hub.store().write_uncached().await?;
            let may = may_send(&mut tx, &parcel.owner, "told", MOST_TOLD, hub.now()).await?;
            tx.commit().await?;
            if !may {
                return Ok(Sent::Refused(format!("You were sent {MOST_TOLD} mails today already.")));
            }
        }
        let id = ChannelId(parcel.target.clone());
        let key = URL_SAFE_NO_PAD.encode(self.end_of(&id).finalize().into_bytes());
        let end = format!("{origin}/unsubscribe/{id}/{key}");
        let Parcel { title, body, link, .. } = parcel;
        let body = if body.is_empty() { String::new() } else { format!("{body}\n\n") };
        let foot = told!("From the Vivarium {origin}. No more of these: {end}");
        let foot = self.sentence(*language, &foot);
        let text = format!("{title}\n\n{body}{origin}{link}\n\n-- \n{foot}\n");
        let message_id = format!("{}.{id}", parcel.notification);
        let mail = Mail { id: &message_id, to: &to, subject: title, text, end: Some(&end), at: parcel.at };
        Ok(match server.send(mail).await {
            Ok(()) => Sent::Done,
            Err(MailError::NotYet(why)) => Sent::NotYet(why),
            Err(MailError::Refused(why)) => Sent::Refused(why),
        })
    }
}

/// Counts one more of today's, if it is among those that a person may have.
async fn may_send(tx: &mut Transaction, owner: &UserId, kind: &str, most: i64, now: i64) -> Result<bool> {
    let sent: i64 = query(
        "INSERT INTO mails_sent (user_id, kind, day, sent) VALUES ($1, $2, $3, 1)
         ON CONFLICT (user_id, kind) DO UPDATE SET day = excluded.day,
             sent = CASE WHEN mails_sent.day = excluded.day THEN mails_sent.sent + 1 ELSE 1 END
         RETURNING sent",
        (owner, kind, now.div_euclid(DAY_MS)),
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(sent <= most)
}

async fn was_not_sent(tx: &mut Transaction, owner: &UserId, kind: &str) -> Result<()> {
    query(
        "UPDATE mails_sent SET sent = sent - 1 WHERE user_id = $1 AND kind = $2 AND sent > 0",
        (owner, kind),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

fn address_of(text: &str) -> Result<Address> {
    let wrong = || Error::invalid("This is no address for mail. Write it like ada@example.org.");
    let text = text.trim();
    if !text.is_ascii() || text.len() > 254 || text.contains(|c: char| c.is_control() || c == '"' || c == ' ')
    {
        return Err(wrong());
    }
    text.parse().map_err(|_| wrong())
}

/// Eight letters, which are 40 bits.
fn new_code() -> String {
    let code = random::<8>().map(|byte| char::from(LETTERS[usize::from(byte % 32)]));
    let code: String = code.iter().collect();
    format!("{}-{}", &code[..4], &code[4..])
}

/// The code that somebody meant who typed this.
fn spelled(text: &str) -> String {
    let letters: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let letters = letters.to_ascii_uppercase().replace('O', "0").replace(['I', 'L'], "1");
    match letters.split_at_checked(4) {
        Some((first, second)) => format!("{first}-{second}"),
        None => letters,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = new_code();
        assert_eq!(code.len(), 9);
        assert_eq!(spelled(&format!(" {} ", code.to_lowercase().replace('-', " "))), code);
        assert_eq!(spelled("oil0-abcd"), "0110-ABCD");
        assert_eq!(spelled("ab"), "AB");
    }

    #[test]
    fn an_address_is_one_word_of_one_person() {
        for (address, expected) in [
            (" ada@example.org ", true),
            ("ada+hub@mail.example.org", true),
            ("ada", false),
            ("ada@", false),
            ("Ada <ada@example.org>", false),
            ("ada@example.org, eve@example.org", false),
            ("ada@example.org\r\nBcc: eve@example.org", false),
            ("\"ada eve\"@example.org", false),
        ] {
            assert_eq!(address_of(address).is_ok(), expected, "{address}");
        }
    }
}
