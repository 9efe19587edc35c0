//! One request to a store, signed, and made again where that may help.

use super::{Bucket, Result, answer};
use crate::outbound::{Answer, Target};
use aws_sigv4::http_request::{
    PayloadChecksumKind, PercentEncodingMode, SignableBody, SignableRequest, SigningSettings,
    UriPathNormalizationMode, sign,
};
use aws_sigv4::sign::v4;
use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use std::time::{Duration, UNIX_EPOCH};
use tokio::time::{sleep, timeout};

/// How long one request may take, with its body.
const WHOLE: Duration = Duration::from_secs(5 * 60);
/// Before it is made again.
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(1)];
/// Bytes of an answer that says why not.
const WHY: usize = 4096;

impl Bucket {
    /// Asks for what has this name behind the prefix, or with none for the bucket.
    pub(super) async fn asked(
        &self,
        method: Method,
        name: &str,
        query: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Answer> {
        let mut pauses = PAUSES.iter();
        loop {
            let (why, may_help) = match self.once(&method, name, query, body).await {
                Ok(answer) if answer.is_success() => return Ok(answer),
                Ok(answer) => {
                    let status = answer.status();
                    let said = answer.start_of_body(WHY).await;
                    let code = answer::first(&String::from_utf8_lossy(&said), "Code").unwrap_or_default();
                    (format!("it answered {status} {code}"), matches!(status, 408 | 429 | 500..))
                }
                Err(why) => (why, true),
            };
            match pauses.next().filter(|_| may_help) {
                Some(pause) => sleep(*pause).await,
                None => return Err(self.failed(why.trim_end())),
            }
        }
    }

    async fn once(
        &self,
        method: &Method,
        name: &str,
        query: &[(&str, &str)],
        body: &[u8],
    ) -> std::result::Result<Answer, String> {
        let target = self.target(name, query)?;
        let headers = self.signed(method, &target, body)?;
        let sending = self.outbound().send(method.clone(), &target, headers, body.to_vec());
        match timeout(WHOLE, sending).await {
            Err(_) => Err("it took too long to answer".to_owned()),
            Ok(answer) => answer.map_err(|error| error.to_string()),
        }
    }

    fn target(&self, name: &str, query: &[(&str, &str)]) -> std::result::Result<Target, String> {
        let mut url = self.access.endpoint.url().clone();
        let key = if name.is_empty() { String::new() } else { self.key(name) };
        url.path_segments_mut()
            .map_err(|()| "its address has no path".to_owned())?
            .pop_if_empty()
            .push(&self.name)
            .extend(key.split('/').filter(|part| !part.is_empty()));
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        Target::parse(url.as_str()).map_err(|error| error.to_string())
    }

    fn signed(
        &self,
        method: &Method,
        target: &Target,
        body: &[u8],
    ) -> std::result::Result<HeaderMap, String> {
        let unsigned = |_| "the request cannot be signed".to_owned();
        let identity = self.access.credentials.clone().into();
        let mut settings = SigningSettings::default();
        settings.percent_encoding_mode = PercentEncodingMode::Single;
        settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
        settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
        let now = u64::try_from(self.clock.now()).unwrap_or_default();
        let params = v4::SigningParams::builder()
            .identity(&identity)
            .region(&self.access.region)
            .name("s3")
            .time(UNIX_EPOCH + Duration::from_millis(now))
            .settings(settings)
            .build()
            .map_err(|_| "the request cannot be signed".to_owned())?
            .into();
        let url = target.url().as_str();
        let signable =
            SignableRequest::new(method.as_str(), url, std::iter::empty(), SignableBody::Bytes(body));
        let signed = sign(signable.map_err(unsigned)?, &params).map_err(unsigned)?;
        let mut headers = HeaderMap::new();
        for (name, value) in signed.into_parts().0.headers() {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| error.to_string())?;
            let mut value = HeaderValue::from_str(value).map_err(|error| error.to_string())?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(headers)
    }
}
