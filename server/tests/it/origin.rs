//! S7: no change from another site. Every server function and the upgrade, by cookie and by token,
//! with every kind of Origin; and names that are not this hub's.

use crate::routes::changing;
use crate::world::{Caller, Program};
use reqwest::Method;
use reqwest::header::{CONNECTION, HOST, REFERER, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use std::net::TcpListener;

const FOREIGN: [Option<&str>; 5] =
    [Some("https://evil.example"), Some("null"), Some("http://localhost"), Some("http://localhost:1"), None];

async fn status(
    caller: &Caller,
    method: Method,
    path: &str,
    origin: Option<&str>,
    site: Option<&str>,
) -> u16 {
    let mut request = caller.request(method, path);
    if path == "/live" {
        request = request
            .header(CONNECTION, "upgrade")
            .header(UPGRADE, "websocket")
            .header(SEC_WEBSOCKET_VERSION, "13")
            .header(SEC_WEBSOCKET_KEY, "dGhlIHNhbXBsZSBub25jZQ==");
    }
    for (name, value) in [("origin", origin), ("sec-fetch-site", site)] {
        if let Some(value) = value {
            request = request.header(name, value);
        }
    }
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn every_change_from_another_site_is_refused() {
    let unpaced = [("VIVARIUM_PERSON_REQUESTS", "0"), ("VIVARIUM_ADDRESS_REQUESTS", "0")];
    let program = Program::start_with(&unpaced);
    let token = program.caller("ada");
    let mut browser = program.browser("ada", "test").await;
    let mut changing = changing();
    changing.push(("/live".to_owned(), Method::GET));
    // What is delivered, and the link that ends mails, is believed for its secret, and no session counts there.
    // So is what a program brings for a token. What an app shares with the hub, it does not read.
    let by_secret = ["/hooks/{schedule}", "/unsubscribe/{channel}/{key}", "/share-target"];
    changing.retain(|(path, _)| !by_secret.contains(&path.as_str()) && !path.starts_with("/oauth/"));
    assert!(changing.len() > 15);
    for (path, method) in changing {
        for origin in FOREIGN {
            for caller in [&browser, &program.stranger()] {
                // Where no cookie counts, who comes from no site is told to bring a token.
                let is_for_tokens = path == "/mcp" || path == "/a2a" || path.starts_with("/a2a/");
                let refused = if is_for_tokens && origin.is_none() { 401 } else { 403 };
                assert_eq!(
                    status(caller, method.clone(), &path, origin, None).await,
                    refused,
                    "{path} {origin:?}"
                );
            }
            if origin.is_some() {
                assert_eq!(
                    status(&token, method.clone(), &path, origin, None).await,
                    403,
                    "{path} {origin:?}"
                );
            }
        }
        for site in ["cross-site", "same-site"] {
            let own = Some(program.url.as_str());
            assert_eq!(status(&browser, method.clone(), &path, own, Some(site)).await, 403, "{path} {site}");
        }
        let own = status(&browser, method.clone(), &path, Some(&program.url), Some("same-origin")).await;
        assert_ne!(own, 403, "{path} with our own Origin");
        // Some of them end the session.
        if browser.get("/api/agents/list").await.status() != 200 {
            browser = program.browser("ada", "test").await;
        }
    }
}

#[tokio::test]
async fn a_name_that_is_not_this_hubs_is_misdirected() {
    let program = Program::start();
    let port = program.url.rsplit(':').next().unwrap().to_owned();
    for (host, expect) in [
        (format!("localhost:{port}"), 200),
        (format!("127.0.0.1:{port}"), 200),
        (format!("[::1]:{port}"), 200),
        (format!("evil.example:{port}"), 421),
        ("localhost:1".to_owned(), 421),
    ] {
        let response =
            program.stranger().request(Method::GET, "/healthz").header(HOST, &host).send().await.unwrap();
        assert_eq!(response.status(), expect, "{host}");
    }
}

#[tokio::test]
async fn the_hub_asks_at_an_address_only_for_a_page_of_its_own() {
    let program = Program::start();
    program.add_user("ada");
    let browser = program.browser("ada", "test").await;
    for (referer, expect) in [
        (None, false),
        (Some("https://evil.example/".to_owned()), false),
        (Some(format!("{}/providers", program.url)), true),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let path = format!("/providers?at={}", listener.local_addr().unwrap());
        let mut request = browser.request(Method::GET, &path);
        if let Some(referer) = &referer {
            request = request.header(REFERER, referer);
        }
        assert_eq!(request.send().await.unwrap().status(), 200);
        assert_eq!(listener.accept().is_ok(), expect, "{referer:?}");
    }
}
