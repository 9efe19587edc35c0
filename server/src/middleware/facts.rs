//! Finds out how the hub was reached and who asks. An unknown host name is refused here (421), which
//! is what keeps DNS rebinding out.

use super::accepted_language;
use crate::limits::{Connection, client_address};
use crate::model_endpoints::Caller;
use crate::state::AppState;
use app::context::RequestFacts;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::HeaderName;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use hub::{Hub, Program, Viewer};
use std::net::{IpAddr, Ipv4Addr};

/// Whether a bearer token came with the request; cookies do not count then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByToken(pub bool);

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
/// Half a year, for this name alone.
const ONLY_ENCRYPTED: HeaderValue = HeaderValue::from_static("max-age=15552000");

pub async fn find(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let host = host(&request);
    let Some(reached) = host.and_then(|host| state.site.reached(&host)) else {
        let text = "421 This hub has another name. Set VIVARIUM_PUBLIC_URL if this one is right.\n";
        return (StatusCode::MISDIRECTED_REQUEST, text).into_response();
    };
    let token = token(&request).map(str::to_owned);
    let address = address(&state, &request);
    let path = request.uri().path().to_owned();
    let presented = Presented { token: token.as_deref(), path: &path, headers: request.headers() };
    let asker = asker(&state.hub, presented, &reached.cookie_name, address).await;
    let (viewer, program) = match asker {
        Ok(asker) => asker,
        Err(error) => {
            let failure = error.into_failure();
            return (app::status_of(failure.kind), axum::Json(failure)).into_response();
        }
    };
    let asker = viewer.as_ref().or(program.as_ref().map(Program::counted_as));
    if let Some((asker, connection)) = asker.zip(request.extensions().get::<Connection>()) {
        connection.welcome(&asker.me.id);
    }
    let chosen = viewer.as_ref().and_then(|viewer| viewer.me.language);
    let facts = RequestFacts {
        language: chosen.unwrap_or_else(|| accepted_language::of(request.headers())),
        viewer,
        address,
        known: cookie(request.headers(), &reached.known_cookie_name).map(str::to_owned),
        pending: cookie(request.headers(), &reached.pending_cookie_name).map(str::to_owned),
        path,
        user_agent: text(request.headers(), header::USER_AGENT).unwrap_or_default().to_owned(),
        from_here: text(request.headers(), header::REFERER).is_some_and(|from| is_on(from, &reached.origin)),
        origin: reached.origin,
        front_door: state.site.front_door(),
        insecure: reached.insecure,
        cookie_name: reached.cookie_name,
        known_cookie_name: reached.known_cookie_name,
        pending_cookie_name: reached.pending_cookie_name,
    };
    request.extensions_mut().insert(ByToken(token.is_some()));
    request.extensions_mut().insert(Caller(program));
    let encrypted = facts.origin.starts_with("https://");
    request.extensions_mut().insert(facts);
    let mut response = next.run(request).await;
    if encrypted {
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, ONLY_ENCRYPTED);
    }
    response
}

/// What a request says of who makes it.
struct Presented<'a> {
    token: Option<&'a str>,
    path: &'a str,
    headers: &'a HeaderMap,
}

/// Who asks, and the program that came with a token of theirs.
async fn asker(
    hub: &Hub,
    presented: Presented<'_>,
    cookie_name: &str,
    address: IpAddr,
) -> hub::Result<(Option<Viewer>, Option<Program>)> {
    if let Some(token) = presented.token {
        let Some(mut bearer) = hub.accounts().bearer(token, presented.path).await? else {
            return Ok((None, None));
        };
        bearer.came_from(address);
        return Ok((bearer.viewer, Some(bearer.program)));
    }
    let Some(secret) = cookie(presented.headers, cookie_name) else { return Ok((None, None)) };
    let viewer = hub.accounts().viewer_by_session(secret).await?;
    Ok((viewer.map(|viewer| Viewer { address: Some(address), ..viewer }), None))
}

/// Programs that speak Anthropic's API send it in a header of its own.
fn token(request: &Request) -> Option<&str> {
    let own = request.uri().path().starts_with("/v1/").then(|| text(request.headers(), API_KEY)).flatten();
    bearer(request.headers()).or(own)
}

fn address(state: &AppState, request: &Request) -> IpAddr {
    let peer = request.extensions().get::<Connection>().map(|connection| connection.peer);
    let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    client_address(peer, request.headers(), state.limits.trusted_proxies())
}

fn host(request: &Request) -> Option<String> {
    request
        .uri()
        .authority()
        .map(|authority| authority.as_str().to_owned())
        .or_else(|| text(request.headers(), header::HOST).map(str::to_owned))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = text(headers, header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

fn is_on(address: &str, origin: &str) -> bool {
    address.strip_prefix(origin).is_some_and(|path| path.starts_with('/'))
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::is_on;

    #[test]
    fn only_addresses_of_this_origin_are_on_it() {
        for (address, expect) in [
            ("https://hub.example/providers", true),
            ("https://hub.example/", true),
            ("https://hub.example", false),
            ("https://hub.example.evil.example/providers", false),
            ("https://hub.example:8443/", false),
            ("http://hub.example/", false),
            ("https://evil.example/https://hub.example/", false),
        ] {
            assert_eq!(is_on(address, "https://hub.example"), expect, "{address}");
        }
    }
}
