//! How whoever delivers shows that it has the secret: with a signature over the delivery, as Standard Webhooks
//! or as GitHub make it, or with the secret itself in a header.

use crate::clock::new_id;
use crate::error::{Error, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// How far the sender's clock may be from ours.
const WINDOW_MS: i64 = 5 * 60 * 1000;
/// Bytes of the sender's name for a delivery.
const LONGEST_ID: usize = 200;

/// What the headers of a delivery say about it.
#[derive(Debug, Default)]
pub struct DeliveryHeaders {
    id: Option<String>,
    timestamp: Option<String>,
    signature: Option<String>,
    hub_signature: Option<String>,
    secret: Option<String>,
}

impl DeliveryHeaders {
    pub fn read(header: impl Fn(&str) -> Option<String>) -> Self {
        Self {
            id: header("webhook-id"),
            timestamp: header("webhook-timestamp"),
            signature: header("webhook-signature"),
            hub_signature: header("x-hub-signature-256"),
            secret: header("x-webhook-secret"),
        }
    }

    /// Gives the name by which the delivery is taken once.
    pub(super) fn check(&self, key: &[u8; 32], body: &[u8], now: i64) -> Result<String> {
        let id = self.id.as_deref().filter(|id| !id.is_empty() && id.len() <= LONGEST_ID);
        if let Some(signatures) = &self.signature {
            let (Some(id), Some(timestamp)) = (id, &self.timestamp) else {
                return Err(Error::invalid(
                    "A delivery with webhook-signature needs webhook-id and webhook-timestamp.",
                ));
            };
            let message = [format!("{id}.{timestamp}.").as_bytes(), body].concat();
            let is_signed = signatures
                .split(' ')
                .filter_map(|signature| STANDARD.decode(signature.strip_prefix("v1,")?).ok())
                .any(|signature| mac(key, &message).verify_slice(&signature).is_ok());
            require(is_signed)?;
            in_time(timestamp, now)?;
            return Ok(id.to_owned());
        }
        let secret = secret(key);
        if let Some(signature) = &self.hub_signature {
            let digest = signature.strip_prefix("sha256=").and_then(bytes_of_hex);
            require(digest.is_some_and(|digest| mac(secret.as_bytes(), body).verify_slice(&digest).is_ok()))?;
            // What names such a delivery is not signed: the same words are the same delivery.
            return Ok(signature.to_ascii_lowercase());
        }
        // Compared by what does not tell how much of it was right.
        let shown = self.secret.as_deref().unwrap_or_default();
        let expected = mac(key, secret.as_bytes()).finalize().into_bytes();
        require(mac(key, shown.as_bytes()).verify_slice(&expected).is_ok())?;
        if let Some(timestamp) = &self.timestamp {
            in_time(timestamp, now)?;
        }
        Ok(id.map_or_else(new_id, str::to_owned))
    }
}

/// As it is shown to people, and as programs for Standard Webhooks take it.
pub(super) fn secret(key: &[u8; 32]) -> String {
    format!("whsec_{}", STANDARD.encode(key))
}

fn require(is_so: bool) -> Result<()> {
    if is_so { Ok(()) } else { Err(Error::Unauthenticated) }
}

fn in_time(timestamp: &str, now: i64) -> Result<()> {
    let at = timestamp.parse::<i64>().ok().and_then(|seconds| seconds.checked_mul(1000));
    match at {
        Some(at) if now.saturating_sub(at).saturating_abs() <= WINDOW_MS => Ok(()),
        Some(_) | None => Err(Error::invalid(
            "The delivery is more than five minutes old, or from the future. Look at the sender's clock.",
        )),
    }
}

fn mac(key: &[u8], message: &[u8]) -> Hmac<Sha256> {
    Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length").chain_update(message)
}

fn bytes_of_hex(text: &str) -> Option<Vec<u8>> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::FailureKind;

    const KEY: [u8; 32] = [7; 32];
    const NOW: i64 = 1_700_000_000_000;
    const BODY: &[u8] = b"{\"opened\":1}";

    fn standard(id: &str, seconds: i64, signed: &[u8]) -> DeliveryHeaders {
        let message = [format!("{id}.{seconds}.").as_bytes(), signed].concat();
        let signature = STANDARD.encode(mac(&KEY, &message).finalize().into_bytes());
        DeliveryHeaders {
            id: Some(id.to_owned()),
            timestamp: Some(seconds.to_string()),
            signature: Some(format!("v1,bm90IGl0 v1a,none v1,{signature}")),
            ..DeliveryHeaders::default()
        }
    }

    fn github(signed: &[u8]) -> DeliveryHeaders {
        let digest = mac(secret(&KEY).as_bytes(), signed).finalize().into_bytes();
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        DeliveryHeaders { hub_signature: Some(format!("sha256={hex}")), ..DeliveryHeaders::default() }
    }

    fn shown(secret: &str) -> DeliveryHeaders {
        DeliveryHeaders { secret: Some(secret.to_owned()), ..DeliveryHeaders::default() }
    }

    #[test]
    fn each_way_to_show_the_secret_is_believed_and_nothing_near_it() {
        let now = NOW / 1000;
        let right = secret(&KEY);
        let unsigned = DeliveryHeaders { id: None, ..standard("a", now, BODY) };
        let renamed = DeliveryHeaders { id: Some("b".to_owned()), ..standard("a", now, BODY) };
        for (headers, expected) in [
            (standard("a", now, BODY), None),
            (standard("a", now - 299, BODY), None),
            (standard("a", now - 301, BODY), Some(FailureKind::Invalid)),
            (standard("a", now + 301, BODY), Some(FailureKind::Invalid)),
            (standard("a", i64::MAX, BODY), Some(FailureKind::Invalid)),
            (standard("a", now, b"other"), Some(FailureKind::Unauthenticated)),
            (renamed, Some(FailureKind::Unauthenticated)),
            (unsigned, Some(FailureKind::Invalid)),
            (github(BODY), None),
            (github(b"other"), Some(FailureKind::Unauthenticated)),
            (shown(&right), None),
            (shown(&right[..right.len() - 1]), Some(FailureKind::Unauthenticated)),
            (shown(""), Some(FailureKind::Unauthenticated)),
            (DeliveryHeaders::default(), Some(FailureKind::Unauthenticated)),
        ] {
            let refused = headers.check(&KEY, BODY, NOW).err().map(|error| error.into_failure().kind);
            assert_eq!(refused, expected, "{headers:?}");
        }
    }
}
