//! What a device is sent, and how.

use super::answered_by;
use super::encrypt::encrypt;
use crate::Hub;
use crate::clock::new_secret;
use crate::error::{Error, Result};
use crate::notifications::delivery::{Sent, sent};
use crate::notifications::news::{Answerable, options_of};
use crate::notifications::parcel::Parcel;
use crate::outbound::Target;
use crate::store::{FromRow, Json, Row, query};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use protocol::Language;
use protocol::approval::Approval;
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Characters of a topic.
const TOPIC: usize = 32;

struct PushDevice {
    endpoint: String,
    public_key: Vec<u8>,
    auth: Vec<u8>,
    has_buttons: bool,
    origin: String,
    language: Option<Language>,
}

impl FromRow for PushDevice {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            endpoint: row.get("endpoint")?,
            public_key: row.get("public_key")?,
            auth: row.get("auth")?,
            has_buttons: row.get::<i64>("buttons")? != 0,
            origin: row.get("origin")?,
            language: row.get("language")?,
        })
    }
}

/// Sends it to the device that it is for. The address of one that its service does not know any more is forgotten.
pub(in crate::notifications) async fn send(hub: &Hub, parcel: &Parcel) -> Result<Sent> {
    let device: Option<PushDevice> = query(
        "SELECT p.endpoint, p.public_key, p.auth, p.buttons, p.origin, COALESCE(u.language, p.language) AS language
         FROM push_devices p JOIN devices d ON d.id = p.device_id JOIN users u ON u.id = p.user_id
         WHERE p.device_id = $1 AND p.user_id = $2 AND p.endpoint <> '' AND d.expires_at > $3",
        (&parcel.target, &parcel.owner, hub.now()),
    )
    .fetch_optional(hub.store().read())
    .await?;
    let Some(device) = device else { return Ok(Sent::Gone) };
    let target = match Target::parse(&device.endpoint) {
        Ok(target) => target,
        Err(error) => return Ok(Sent::Refused(error.to_string())),
    };
    let buttons = match device.has_buttons {
        true => buttons(hub, parcel).await?,
        false => None,
    };
    let parcel = &parcel.in_language(hub, device.language);
    let message = message(parcel, &device, buttons);
    let Ok(body) = encrypt(message.to_string().as_bytes(), &device.public_key, &device.auth) else {
        return Ok(Sent::Refused("The keys of the browser are none.".to_owned()));
    };
    let key = hub.notifications().vapid().await?;
    let authorization = key.authorization(&target.place(), &device.origin, hub.now())?;
    let headers = headers(parcel, &authorization, hub.now())?;
    let sent = sent(hub, Method::POST, &target, headers, body).await;
    if let Sent::Gone = sent {
        let mut tx = hub.store().write().await?;
        // That it wants to be notified is kept: its browser may come with another address.
        query(
            "UPDATE push_devices SET endpoint = '' WHERE device_id = $1 AND endpoint = $2",
            (&parcel.target, &device.endpoint),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
    }
    Ok(sent)
}

/// As browsers that know declarative messages read it, and our worker in all others.
fn message(parcel: &Parcel, device: &PushDevice, buttons: Option<Value>) -> Value {
    let origin = &device.origin;
    let mut notification = json!({
        "lang": device.language.unwrap_or_default().tag(),
        "title": parcel.title,
        "body": parcel.body,
        "navigate": format!("{origin}{}", parcel.link),
        "tag": parcel.topic(),
    });
    if let Some(buttons) = buttons {
        notification["data"] = buttons;
    }
    json!({ "web_push": 8030, "notification": notification })
}

/// What our worker makes its buttons of: a secret for a yes or no, or for words.
async fn buttons(hub: &Hub, parcel: &Parcel) -> Result<Option<Value>> {
    Ok(match parcel.answerable {
        Answerable::Nothing => None,
        Answerable::Call => Some(json!({ "answer": answer_secret(hub, parcel).await? })),
        Answerable::Denial => Some(json!({ "deny": answer_secret(hub, parcel).await? })),
        Answerable::Message => Some(json!({ "reply": answer_secret(hub, parcel).await? })),
        Answerable::Question => {
            let asked: Option<Json<Approval>> = query(
                "SELECT a.shown FROM approvals a JOIN notifications n ON n.approval_id = a.id WHERE n.id = $1",
                (&parcel.notification,),
            )
            .fetch_optional(hub.store().read())
            .await?;
            let Some(question) = asked.and_then(|Json(approval)| approval.question) else { return Ok(None) };
            let secret = answer_secret(hub, parcel).await?;
            Some(json!({ "reply": secret, "waits": true, "options": options_of(&question) }))
        }
    })
}

fn headers(parcel: &Parcel, authorization: &str, now: i64) -> Result<HeaderMap> {
    let topic = URL_SAFE_NO_PAD.encode(Sha256::digest(parcel.topic()));
    let value = |text: &str| HeaderValue::from_str(text).map_err(Error::internal);
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, value(authorization)?);
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static("aes128gcm"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(HeaderName::from_static("ttl"), HeaderValue::from(parcel.seconds_left(now)));
    headers.insert(
        HeaderName::from_static("urgency"),
        HeaderValue::from_static(if parcel.kind.waits() { "high" } else { "normal" }),
    );
    headers.insert(HeaderName::from_static("topic"), value(&topic[..TOPIC])?);
    Ok(headers)
}

/// By what the device can answer once. The one that it was sent before is good for nothing then.
async fn answer_secret(hub: &Hub, parcel: &Parcel) -> Result<String> {
    let secret = new_secret();
    let mut tx = hub.store().write_uncached().await?;
    query(
        "INSERT INTO push_answers (secret_hash, notification_id, device_id) VALUES ($1, $2, $3)
         ON CONFLICT (notification_id, device_id) DO UPDATE SET secret_hash = excluded.secret_hash",
        (answered_by(&secret), &parcel.notification, &parcel.target),
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(secret)
}
