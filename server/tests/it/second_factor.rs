//! The second factor over HTTP: what the cookie between the steps is good for, who is counted, and the
//! way out at the machine.

#[path = "../../hub/tests/it/world/app.rs"]
mod app;

use crate::world::{Caller, PASSWORD, Program, Who, session_cookie};
use app::App;
use reqwest::header::{LOCATION, ORIGIN, RETRY_AFTER, SET_COOKIE};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

#[tokio::test]
async fn the_cookie_between_the_steps_opens_nothing_but_the_second() {
    let program = Program::start();
    with_factor(&program, "ada").await;
    let (answer, bearer) = first_step(&program, PASSWORD).await;
    assert_eq!(answer.headers()[LOCATION], "/sign-in/code");
    let cookie = answer.headers()[SET_COOKIE].to_str().unwrap().to_owned();
    assert!(cookie.starts_with("__Host-vivarium-code="), "{cookie}");
    for flag in ["; Path=/", "; HttpOnly", "; SameSite=Lax", "; Secure", "; Max-Age=300"] {
        assert!(cookie.contains(flag), "{cookie}");
    }
    assert_eq!(answer.json::<Value>().await.unwrap(), json!("code_needed"));
    let Who::Cookie(pending) = &bearer.who else { panic!("a cookie was set") };
    let as_session = pending.replace("__Host-vivarium-code=", "__Host-vivarium=");
    for who in [pending.clone(), as_session] {
        let caller = bearer.with(Who::Cookie(who));
        for path in ["/api/account/me", "/api/second_factor/get", "/api/agents/list"] {
            assert_eq!(caller.get(path).await.status(), 401, "{path}");
        }
    }
    assert_eq!(bearer.get("/api/account/pending_sign_in").await.json::<Value>().await.unwrap(), json!("ada"));
    let page = bearer.get("/sign-in/code").await.text().await.unwrap();
    assert!(page.contains("one-time-code"), "{page}");
}

#[tokio::test]
async fn guesses_of_codes_are_counted_whatever_a_header_says() {
    let program = Program::start();
    let signed_in = with_factor(&program, "ada").await;
    let (_, bearer) = first_step(&program, PASSWORD).await;
    let guess = async |number: u32| {
        bearer
            .request(Method::POST, "/api/account/sign_in_code")
            .header(ORIGIN, &bearer.url)
            .header("x-forwarded-for", format!("203.0.113.{number}"))
            .header("forwarded", format!("for=203.0.113.{number}"))
            .json(&json!({ "code": "no code" }))
            .send()
            .await
            .unwrap()
    };
    for number in 0..5 {
        assert_eq!(guess(number).await.status(), 422, "{number}");
    }
    let refused = guess(6).await;
    assert_eq!(refused.status(), 429);
    assert!(refused.headers().contains_key(RETRY_AFTER));
    assert_eq!(first_step(&program, PASSWORD).await.0.status(), 429);
    assert_eq!(signed_in.get("/api/account/me").await.status(), 200);
    let audit: Value = signed_in.get("/api/audit/own?action=signed_in").await.json().await.unwrap();
    let addresses: Vec<_> = audit["lines"].as_array().unwrap().iter().map(|line| &line["address"]).collect();
    assert!(addresses.len() > 5 && addresses.iter().all(|address| **address == "127.0.0.1"), "{addresses:?}");
}

#[tokio::test]
async fn who_owns_the_machine_lets_a_lone_administrator_in_again() {
    let program = Program::start();
    with_factor(&program, "ada").await;
    let nobody = program.command(&["account", "reset-password", "eve"], "");
    assert!(!nobody.status.success());
    assert!(String::from_utf8(nobody.stderr).unwrap().contains("Nobody here is called eve."));

    let output = program.command(&["account", "reset-password", " Ada"], "");
    let link = String::from_utf8(output.stdout).unwrap();
    let code = link.trim().split("/reset/").nth(1).expect("a link").to_owned();
    let new = json!({ "code": code, "password": "another password" });
    program.stranger().call("/api/account/choose_password", &new).await;
    // The link brought a password and no way past the code.
    let (answer, _) = first_step(&program, "another password").await;
    assert_eq!(answer.json::<Value>().await.unwrap(), json!("code_needed"));

    assert!(program.command(&["account", "drop-second-factor", "ada"], "").status.success());
    let (answer, session) = first_step(&program, "another password").await;
    assert_eq!(answer.json::<Value>().await.unwrap(), json!("done"));
    assert_eq!(session.get("/api/account/me").await.status(), 200);
    let audit: Value = session.get("/api/audit/own").await.json().await.unwrap();
    for action in ["reset_link_made", "second_factor_off"] {
        let lines = audit["lines"].as_array().unwrap();
        let line = lines.iter().find(|line| line["action"] == action).expect(action);
        assert_eq!((&line["via"], &line["person"]), (&json!("terminal"), &json!("ada")), "{action}");
    }
    assert!(!program.command(&["account", "drop-second-factor", "ada"], "").status.success());
}

/// A person with a second factor, in the browser that turned it on.
async fn with_factor(program: &Program, name: &str) -> Caller {
    program.add_user(name);
    let browser = program.browser(name, "test").await;
    let new = browser.call("/api/second_factor/start", &json!({ "password": PASSWORD })).await;
    let app = App::with(new["secret"].as_str().unwrap());
    let codes = browser.call("/api/second_factor/confirm", &json!({ "code": app.code(now()) })).await;
    assert_eq!(codes["codes"].as_array().unwrap().len(), 10);
    browser
}

/// Ada's name and password, from a browser that nobody knows; and that browser then.
async fn first_step(program: &Program, password: &str) -> (Response, Caller) {
    let nobody = program.stranger();
    let answer = nobody.post("/api/account/sign_in", &json!({ "name": "ada", "password": password })).await;
    let who = session_cookie(answer.headers()).map_or(Who::Nobody, Who::Cookie);
    (answer, nobody.with(who))
}

#[expect(clippy::disallowed_methods, reason = "an authenticator app looks at the clock")]
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}
