//! The hub as an authorization server: a program is let in by its person, and by nobody else.

use crate::live::agent;
use crate::served::upload;
use crate::world::{Caller, Endpoint, Program, Who};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::header::{CONTENT_TYPE, LOCATION, ORIGIN, SET_COOKIE, WWW_AUTHENTICATE};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use url::{Url, form_urlencoded};

const VERIFIER: &str = "a-word-that-only-the-program-knows-and-nobody-else";
const BACK: &str = "http://127.0.0.1:3118/callback";

/// A program that registered itself, and what it asks for.
struct Asks {
    url: String,
    client: String,
    query: String,
}

impl Asks {
    async fn register(stranger: &Caller, scope: &str) -> Self {
        let said = json!({ "client_name": "Fern Desk", "redirect_uris": [BACK] });
        let registered = stranger.request(Method::POST, "/oauth/register").json(&said).send().await.unwrap();
        assert_eq!(registered.status(), 201);
        let registered: Value = registered.json().await.unwrap();
        let client = registered["client_id"].as_str().unwrap().to_owned();
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
        let query = form(&[
            ("response_type", "code"),
            ("client_id", &client),
            ("redirect_uri", BACK),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
            ("scope", scope),
            ("state", "a state"),
            ("resource", &format!("{}/mcp", stranger.url)),
        ]);
        Self { url: stranger.url.clone(), client, query }
    }

    async fn answered(&self, person: &Caller, answer: &str) -> Response {
        self.answered_with(person, &[("answer", answer), ("files", "true")]).await
    }

    async fn answered_with(&self, person: &Caller, fields: &[(&str, &str)]) -> Response {
        let body = form(&[&[("query", self.query.as_str())], fields].concat());
        let request = person.request(Method::POST, "/api/oauth/answer").header(ORIGIN, &self.url);
        let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        request.header("accept", "text/html").body(body).send().await.unwrap()
    }

    async fn code(&self, person: &Caller) -> String {
        let led = led(&self.answered(person, "allow").await);
        assert_eq!(said(&led, "state"), "a state");
        assert_eq!(said(&led, "iss"), self.url);
        said(&led, "code")
    }

    async fn redeem(&self, stranger: &Caller, code: &str, verifier: &str) -> (u16, Value) {
        let fields = [
            ("grant_type", "authorization_code"),
            ("client_id", &self.client),
            ("code", code),
            ("redirect_uri", BACK),
            ("code_verifier", verifier),
        ];
        posted(stranger, "/oauth/token", &fields).await
    }

    async fn refresh(&self, stranger: &Caller, token: &Value) -> (u16, Value) {
        let fields = [
            ("grant_type", "refresh_token"),
            ("client_id", &self.client),
            ("refresh_token", token.as_str().unwrap()),
        ];
        posted(stranger, "/oauth/token", &fields).await
    }
}

fn form(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

async fn posted(caller: &Caller, path: &str, fields: &[(&str, &str)]) -> (u16, Value) {
    let request =
        caller.request(Method::POST, path).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let response = request.body(form(fields)).send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap_or_default())
}

fn led(response: &Response) -> Url {
    assert!(response.status().is_redirection(), "{}", response.status());
    Url::parse(response.headers()[LOCATION].to_str().unwrap()).unwrap()
}

fn said(url: &Url, name: &str) -> String {
    url.query_pairs()
        .find(|(found, _)| found == name)
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

fn bearing(caller: &Caller, tokens: &Value) -> Caller {
    caller.with(Who::Token(tokens["access_token"].as_str().unwrap().to_owned()))
}

/// The status of a list of tools.
async fn tools(caller: &Caller) -> u16 {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    caller.request(Method::POST, "/mcp").json(&body).send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn the_official_client_finds_out_how_to_be_let_in_and_its_person_lets_it() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    agent(&ada, &endpoint).await;
    let browser = program.browser("ada", "Firefox").await;
    let Who::Cookie(cookie) = &browser.who else { panic!("she signed in from a browser") };
    let seen = seen(&program.url, cookie, &["agents", "Hello"]);
    assert_eq!(seen["texts"][0], "You said: Hello", "{seen}");
    assert_eq!(seen["resources"], false, "files were not asked for: {seen}");
    assert!(seen["page"].as_str().unwrap().contains("Let Fern Desk in?"), "{seen}");
    assert!(
        !seen["policy"].as_str().unwrap().contains("form-action"),
        "its form leads to the program: {seen}"
    );
    let tokens = ada.get("/api/account/tokens").await.json::<Value>().await.unwrap();
    assert!(
        tokens.as_array().unwrap().iter().any(|token| token["name"] == "Fern Desk (unverified)"),
        "{tokens}"
    );
}

fn seen(url: &str, cookie: &str, arguments: &[&str]) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/served");
    let mut command = Command::new(folder.join(".venv/bin/python"));
    command.arg(folder.join("mcp_oauth_client.py")).arg(url).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut client = command.spawn().expect("`.ci/tools.sh test` installs the clients");
    writeln!(client.stdin.take().unwrap(), "{cookie}").unwrap();
    let output = client.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test]
async fn whoever_has_no_token_is_told_where_one_is_to_be_had() {
    let program = Program::start();
    let stranger = program.stranger();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    let refused = stranger.request(Method::POST, "/mcp").json(&body).send().await.unwrap();
    let challenge = refused.headers()[WWW_AUTHENTICATE].to_str().unwrap().to_owned();
    let metadata = format!("{}/.well-known/oauth-protected-resource/mcp", program.url);
    assert_eq!(challenge, format!("Bearer resource_metadata=\"{metadata}\", scope=\"agents files\""));
    let resource: Value =
        stranger.get("/.well-known/oauth-protected-resource/mcp").await.json().await.unwrap();
    assert_eq!(resource["resource"], format!("{}/mcp", program.url));
    assert_eq!(resource["authorization_servers"], json!([program.url]));
    let server: Value = stranger.get("/.well-known/oauth-authorization-server").await.json().await.unwrap();
    assert_eq!(server["issuer"], program.url);
    assert_eq!(server["code_challenge_methods_supported"], json!(["S256"]));
}

#[tokio::test]
async fn a_token_is_good_at_mcp_alone_and_until_it_is_revoked() {
    let program = Program::start();
    let ada = program.caller("ada");
    let (browser, stranger) = (program.browser("ada", "Firefox").await, program.stranger());
    let asks = Asks::register(&stranger, "agents files").await;
    let (status, tokens) = asks.redeem(&stranger, &asks.code(&browser).await, VERIFIER).await;
    assert_eq!(
        (status, &tokens["token_type"], &tokens["scope"]),
        (200, &json!("Bearer"), &json!("agents files"))
    );
    let client = bearing(&stranger, &tokens);
    assert_eq!(tools(&client).await, 200);
    for path in ["/api/account/tokens", "/api/agents/list", "/v1/models", "/a2a", "/usage.csv", "/"] {
        let (theirs, nobody) = (client.get(path).await, stranger.get(path).await);
        assert_eq!(theirs.status(), nobody.status(), "{path}");
    }
    let listed: Value = ada.get("/api/account/tokens").await.json().await.unwrap();
    let lines: Value = browser.get("/api/audit/own?action=token_made").await.json().await.unwrap();
    let line = &lines["lines"][0];
    assert_eq!(
        (&line["object"], &line["via"]),
        (&json!("Fern Desk (unverified)"), &json!("browser")),
        "{lines}"
    );
    let id = listed
        .as_array()
        .unwrap()
        .iter()
        .find(|token| token["name"] == "Fern Desk (unverified)")
        .unwrap()["id"]
        .clone();
    ada.call("/api/account/revoke_token", &json!({ "id": id })).await;
    assert_eq!(tools(&client).await, 401);
    assert_eq!(asks.refresh(&stranger, &tokens["refresh_token"]).await.1["error"], "invalid_grant");

    let (_, tokens) = asks.redeem(&stranger, &asks.code(&browser).await, VERIFIER).await;
    let client = bearing(&stranger, &tokens);
    let token = tokens["access_token"].as_str().unwrap();
    for (token, works) in [("viv_nonsense", 200), (token, 401)] {
        assert_eq!(posted(&stranger, "/oauth/revoke", &[("token", token)]).await.0, 200);
        assert_eq!(tools(&client).await, works);
    }
}

#[tokio::test]
async fn what_was_used_is_good_no_more_and_ends_the_grant_where_somebody_else_has_it_too() {
    let program =
        Program::start_with(&[("VIVARIUM_PERSON_REQUESTS", "0"), ("VIVARIUM_ADDRESS_REQUESTS", "0")]);
    program.add_user("ada");
    let (browser, stranger) = (program.browser("ada", "Firefox").await, program.stranger());
    let asks = Asks::register(&stranger, "agents").await;
    let (_, first) = asks.redeem(&stranger, &asks.code(&browser).await, VERIFIER).await;
    let twice = tokio::join!(
        asks.refresh(&stranger, &first["refresh_token"]),
        asks.refresh(&stranger, &first["refresh_token"])
    );
    let ((status, second), (_, again)) = twice;
    assert_eq!(status, 200, "{second}");
    assert_eq!(second["access_token"], again["access_token"], "who asks twice at once is given the same");
    assert_eq!(second["refresh_token"], again["refresh_token"]);
    assert_eq!(tools(&bearing(&stranger, &first)).await, 401, "the one before ends");
    let renewed = bearing(&stranger, &second);
    assert_eq!(tools(&renewed).await, 200);

    let (_, third) = asks.refresh(&stranger, &second["refresh_token"]).await;
    assert_eq!(tools(&bearing(&stranger, &third)).await, 200);
    let forged = first["refresh_token"].as_str().unwrap().replace(".1.", ".2.");
    assert_eq!(asks.refresh(&stranger, &json!(forged)).await.1["error"], "invalid_grant");
    assert_eq!(tools(&bearing(&stranger, &third)).await, 200, "nobody ends it who makes one up");
    assert_eq!(asks.refresh(&stranger, &first["refresh_token"]).await.1["error"], "invalid_grant");
    assert_eq!(tools(&bearing(&stranger, &third)).await, 401, "two have it, however long ago");

    let code = asks.code(&browser).await;
    let (_, tokens) = asks.redeem(&stranger, &code, VERIFIER).await;
    let other = "another-word-that-is-long-enough-to-be-such-a-word";
    assert_eq!(asks.redeem(&stranger, &code, other).await.1["error"], "invalid_grant");
    assert_eq!(tools(&bearing(&stranger, &tokens)).await, 200, "who only read the code ends nothing");
    assert_eq!(asks.redeem(&stranger, &code, VERIFIER).await.1["error"], "invalid_grant");
    assert_eq!(tools(&bearing(&stranger, &tokens)).await, 401, "somebody else had the code too");
}

#[tokio::test]
async fn a_person_gives_less_than_is_asked_for_and_who_is_out_gives_nothing() {
    let program = Program::start();
    let ada = program.caller("ada");
    program.add_user("ben");
    let (browser, stranger) = (program.browser("ben", "Firefox").await, program.stranger());
    let asks = Asks::register(&stranger, "agents files").await;
    let less = led(&asks.answered_with(&browser, &[("answer", "allow")]).await);
    let (_, tokens) = asks.redeem(&stranger, &said(&less, "code"), VERIFIER).await;
    assert_eq!(tokens["scope"], "agents");

    let code = asks.code(&browser).await;
    let people: Value = ada.get("/api/people/list").await.json().await.unwrap();
    let ben = people.as_array().unwrap().iter().find(|person| person["name"] == "ben").unwrap()["id"].clone();
    ada.call("/api/people/set_role", &json!({ "id": ben, "role": "guest" })).await;
    let page = browser.get(&format!("/oauth/authorize?{}", asks.query)).await.text().await.unwrap();
    assert!(page.contains("Members and administrators can let programs in."), "a guest reads who can");
    assert!(!page.contains("Let it in") && page.contains("Do not"), "and can only refuse");
    ada.call("/api/people/disable", &json!({ "id": ben })).await;
    assert_eq!(asks.redeem(&stranger, &code, VERIFIER).await.1["error"], "invalid_grant");
    assert_eq!(asks.refresh(&stranger, &tokens["refresh_token"]).await.1["error"], "invalid_grant");
    assert_eq!(tools(&bearing(&stranger, &tokens)).await, 401);
}

/// What the program is answered by MCP.
async fn called(caller: &Caller, method: &str, params: Value) -> Value {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    caller.request(Method::POST, "/mcp").json(&body).send().await.unwrap().json().await.unwrap()
}

#[tokio::test]
async fn a_person_opens_chosen_agents_and_nobody_reads_the_files_of_others() {
    let (program, endpoint) = (Program::start(), Endpoint::start());
    let ada = program.caller("ada");
    let open = agent(&ada, &endpoint).await;
    let hidden = json!({ "id": "notes", "name": "Hidden", "colour": "#c57b2c" });
    let closed = ada.call("/api/archives/create", &hidden).await["id"].as_str().unwrap().to_owned();
    for agent in [&open, &closed] {
        upload(&ada, agent, "plan.md", "Two metres.").await;
    }
    let (browser, stranger) = (program.browser("ada", "Firefox").await, program.stranger());
    let asks = Asks::register(&stranger, "agents files").await;
    let page = browser.get(&format!("/oauth/authorize?{}", asks.query)).await.text().await.unwrap();
    assert!(page.contains("Hidden") && page.contains("agents[]"), "she chooses there");
    let choice = [("answer", "allow"), ("files", "true"), ("chosen", "true"), ("agents[]", open.as_str())];
    let led = led(&asks.answered_with(&browser, &choice).await);
    let (_, mut tokens) = asks.redeem(&stranger, &said(&led, "code"), VERIFIER).await;
    for _ in ["at first", "renewed"] {
        let client = bearing(&stranger, &tokens);
        let listed = called(&client, "tools/list", json!({})).await;
        assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 1, "{listed}");
        let listed = called(&client, "resources/list", json!({})).await.to_string();
        assert!(listed.contains(&open) && !listed.contains(&closed), "{listed}");
        for (agent, text) in [(&open, json!("Two metres.")), (&closed, Value::Null)] {
            let uri = format!("vivarium://{agent}/notes/plan.md");
            let read = called(&client, "resources/read", json!({ "uri": uri })).await;
            assert_eq!(read["result"]["contents"][0]["text"], text, "{read}");
        }
        tokens = asks.refresh(&stranger, &tokens["refresh_token"]).await.1;
    }
}

#[tokio::test]
async fn an_address_elsewhere_is_not_sealed_as_words_of_the_hub() {
    let program = Program::start();
    program.add_user("ada");
    let (browser, stranger) = (program.browser("ada", "Firefox").await, program.stranger());
    let back = "https://evil.example/account?__path=%2Fapi%2Faccount%2Frevoke_token&__err=lie";
    let said = json!({ "client_name": "Fern Desk", "redirect_uris": [back] });
    let registered = stranger.request(Method::POST, "/oauth/register").json(&said).send().await.unwrap();
    let registered: Value = registered.json().await.unwrap();
    let client = registered["client_id"].as_str().unwrap().to_owned();
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
    let query = form(&[
        ("response_type", "code"),
        ("client_id", &client),
        ("redirect_uri", back),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ]);
    let asks = Asks { url: program.url.clone(), client, query };
    for answer in ["allow", "deny"] {
        let led = led(&asks.answered(&browser, answer).await);
        assert_eq!(led.host_str(), Some("evil.example"));
        assert!(!led.as_str().contains("seal"), "{led}");
    }
}

#[tokio::test]
async fn only_the_program_that_asked_gets_a_token_for_its_code() {
    let program = Program::start();
    program.add_user("ada");
    let (browser, stranger) = (program.browser("ada", "Firefox").await, program.stranger());
    let asks = Asks::register(&stranger, "agents").await;
    let code = asks.code(&browser).await;
    let good = [
        ("grant_type", "authorization_code"),
        ("client_id", asks.client.as_str()),
        ("code", code.as_str()),
        ("redirect_uri", BACK),
        ("code_verifier", VERIFIER),
    ];
    for (name, value, error) in [
        ("grant_type", "password", "unsupported_grant_type"),
        ("client_id", "https://other.example/client.json", "invalid_grant"),
        ("code", "nothing", "invalid_grant"),
        ("code", "", "invalid_request"),
        ("redirect_uri", "http://127.0.0.1:3118/other", "invalid_grant"),
        ("code_verifier", "another-word-that-is-long-enough-to-be-such-a-word", "invalid_grant"),
        ("code_verifier", "", "invalid_request"),
        ("resource", "https://other.example/mcp", "invalid_target"),
    ] {
        let others = good.iter().filter(|(known, _)| *known != name).copied();
        let fields: Vec<_> = others.chain([(name, value)]).collect();
        let (status, refused) = posted(&stranger, "/oauth/token", &fields).await;
        assert_eq!((status, refused["error"].as_str()), (400, Some(error)), "{name} {value}");
    }
    assert_eq!(posted(&stranger, "/oauth/token", &good).await.0, 200, "nothing was lost by that");
}

#[tokio::test]
async fn what_does_not_fit_is_said_to_the_person_and_to_nobody_else() {
    let program = Program::start();
    program.add_user("ada");
    let (browser, stranger) = (program.browser("ada", "Firefox").await, program.stranger());
    let asks = Asks::register(&stranger, "agents").await;
    let page = browser.get(&format!("/oauth/authorize?{}", asks.query)).await;
    assert_eq!(page.status(), 200);
    for (name, value) in [
        ("redirect_uri", "https://evil.example/"),
        ("redirect_uri", "javascript:alert(1)"),
        ("client_id", "registered.e30.AAAA"),
        ("client_id", "nobody"),
        ("client_id", "https://127.0.0.1/client.json"),
        ("client_id", "https://10.0.0.1/client.json"),
        ("response_type", "token"),
        ("code_challenge_method", "plain"),
        ("code_challenge", "short"),
        ("resource", "https://other.example/mcp"),
    ] {
        let others = form_urlencoded::parse(asks.query.as_bytes()).filter(|(known, _)| known != name);
        let others: Vec<(String, String)> = others.map(|(name, value)| (name.into(), value.into())).collect();
        let mut fields: Vec<(&str, &str)> =
            others.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        fields.push((name, value));
        let wrong = Asks { query: form(&fields), url: asks.url.clone(), client: asks.client.clone() };
        let page = browser.get(&format!("/oauth/authorize?{}", wrong.query)).await;
        let text = page.text().await.unwrap();
        assert!(!text.contains("Let it in"), "{name} {value}");
        let answer = wrong.answered(&browser, "allow").await;
        let location =
            answer.headers().get(LOCATION).map(|it| it.to_str().unwrap().to_owned()).unwrap_or_default();
        assert!(!location.contains("code=") && !location.contains("evil"), "{name} {value}: {location}");
    }
    let denied = led(&asks.answered(&browser, "deny").await);
    assert_eq!((said(&denied, "error"), said(&denied, "code")), ("access_denied".to_owned(), String::new()));
}

#[tokio::test]
async fn no_program_lets_another_one_in() {
    let program = Program::start();
    let (ada, stranger) = (program.caller("ada"), program.stranger());
    let asks = Asks::register(&stranger, "agents").await;
    for (who, caller) in [("a program", &ada), ("nobody", &stranger)] {
        let answer = asks.answered(caller, "allow").await;
        let location = answer.headers().get(LOCATION).map(|it| it.to_str().unwrap().to_owned());
        assert!(location.is_none_or(|it| !it.contains("code=")), "{who}");
    }
}

#[tokio::test]
async fn whoever_has_to_sign_in_first_is_led_on_to_what_the_program_asks() {
    let program = Program::start();
    program.add_user("ada");
    let stranger = program.stranger();
    let asks = Asks::register(&stranger, "agents").await;
    let page = format!("/oauth/authorize?{}", asks.query);
    let first = stranger.get(&page).await;
    assert_eq!(first.headers()[LOCATION], "/sign-in");
    let kept = first.headers()[SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();
    let browser = program.browser("ada", "Firefox").await;
    let Who::Cookie(session) = &browser.who else { panic!("she signed in from a browser") };
    let both = browser.with(Who::Cookie(format!("{session}; {kept}")));
    let on = both.get("/").await;
    assert_eq!(on.headers()[LOCATION], page.as_str());
    assert!(on.headers()[SET_COOKIE].to_str().unwrap().contains("Max-Age=0"), "once");
    assert_eq!(browser.get("/").await.status(), 200);
}
