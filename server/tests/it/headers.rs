//! S18: security headers on every route, and the session cookie's flags.

use crate::routes::{filled, pages, routes};
use crate::world::{PASSWORD, Program};
use leptos::server_fn::axum::server_fn_paths;
use reqwest::Method;
use reqwest::header::{HOST, ORIGIN, SET_COOKIE, STRICT_TRANSPORT_SECURITY};

/// Pages that ship no script but a small one: those before somebody is signed in, and the one that leads to a program.
const WITHOUT_SCRIPT: [&str; 7] =
    ["/sign-in", "/sign-in/code", "/sign-up", "/setup/x", "/reset/x", "/unsubscribe/x/x", "/oauth/authorize"];

#[tokio::test]
async fn every_route_has_its_security_headers() {
    let program = Program::start();
    let caller = program.caller("ada");
    let mut pages: Vec<String> = pages().iter().map(|path| filled(path, "x")).collect();
    pages.push("/nothing/here".to_owned());
    let routes = routes().into_iter().map(|(_, path)| filled(path, "x"));
    let functions = server_fn_paths().map(|(path, _)| path.to_owned());
    let others = routes.chain(functions).chain(["/api/nothing".to_owned()]);
    for path in pages.iter().cloned().chain(others) {
        let path = path.as_str();
        let response = caller.get(path).await;
        let header = |name: &str| {
            response
                .headers()
                .get(name)
                .unwrap_or_else(|| panic!("{path} has no {name}"))
                .to_str()
                .unwrap()
                .to_owned()
        };
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("referrer-policy"), "same-origin", "{path}");
        assert_eq!(header("cross-origin-opener-policy"), "same-origin", "{path}");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin", "{path}");
        let has_script = pages.iter().any(|page| page == path) && !WITHOUT_SCRIPT.contains(&path);
        for feature in ["camera", "microphone", "geolocation", "display-capture"] {
            // A frame without an origin is given it only by a page that may give it to everybody.
            let given = match (has_script, feature) {
                (false, _) => "()",
                (true, "display-capture") => "(self)",
                (true, _) => "*",
            };
            assert!(header("permissions-policy").contains(&format!("{feature}={given}")), "{path} {feature}");
        }
        let frame = path == "/sandbox/skin" || path == "/sandbox/loop";
        let policy = header("content-security-policy");
        assert!(
            policy.starts_with(if frame { "sandbox allow-scripts" } else { "default-src 'none'" }),
            "{path}: {policy}"
        );
        assert!(
            policy.contains(if frame { "frame-ancestors 'self'" } else { "frame-ancestors 'none'" }),
            "{path}"
        );
        assert_eq!(header("x-frame-options"), if frame { "SAMEORIGIN" } else { "DENY" }, "{path}");
        if frame {
            assert_eq!(header("connection-allowlist"), "()", "{path}");
            assert_eq!(header("document-isolation-policy"), "isolate-and-require-corp", "{path}");
            assert!(policy.contains("connect-src 'none'") && !policy.contains("allow-same-origin"), "{path}");
        }
        if policy.contains("script-src") && !frame {
            assert!(
                policy.contains("'nonce-") && !policy.contains("'unsafe-inline' 'unsafe-eval'"),
                "{path}: {policy}"
            );
            assert!(
                policy.ends_with("require-trusted-types-for 'script'; trusted-types default"),
                "{path}: {policy}"
            );
        }
    }
}

#[tokio::test]
async fn a_name_with_https_stays_with_it_and_one_without_does_not_claim_to() {
    let program = Program::start_behind("https://vivarium.example.org");
    for (host, expected) in [("vivarium.example.org", Some("max-age=15552000")), ("", None)] {
        let mut request = program.stranger().request(Method::GET, "/sign-in");
        if !host.is_empty() {
            request = request.header(HOST, host);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200, "{host}");
        let found = response.headers().get(STRICT_TRANSPORT_SECURITY).map(|value| value.to_str().unwrap());
        assert_eq!(found, expected, "{host}");
    }
}

#[tokio::test]
async fn the_session_cookie_is_out_of_reach_of_scripts_and_other_sites() {
    let program = Program::start();
    program.add_user("ada");
    let response = program
        .stranger()
        .request(Method::POST, "/api/account/sign_in")
        .header(ORIGIN, &program.url)
        .json(&serde_json::json!({ "name": "ada", "password": PASSWORD }))
        .send()
        .await
        .unwrap();
    let cookie = response.headers().get(SET_COOKIE).unwrap().to_str().unwrap();
    assert!(cookie.starts_with("__Host-vivarium="), "{cookie}");
    for flag in ["; Path=/", "; HttpOnly", "; SameSite=Lax", "; Secure", "; Max-Age="] {
        assert!(cookie.contains(flag), "{cookie}");
    }
    assert!(!cookie.contains("Domain"), "{cookie}");
}

#[tokio::test]
async fn pages_before_sign_in_ship_no_webassembly_and_one_small_script() {
    let program = Program::start();
    for path in WITHOUT_SCRIPT {
        let page = program.stranger().get(path).await.text().await.unwrap();
        assert!(!page.contains(".wasm") && !page.contains("type=\"module\""), "{path}");
        let scripts: Vec<&str> = page
            .split("<script")
            .filter_map(|rest| rest.split('>').next()?.split("src=\"").nth(1)?.split('"').next())
            .collect();
        let is_expected = match scripts[..] {
            [script] => path == "/sign-in" && script.starts_with("/b/") && script.ends_with("/passkeys.js"),
            _ => path != "/sign-in" && scripts.is_empty(),
        };
        assert!(is_expected, "{path}: {scripts:?}");
    }
}
