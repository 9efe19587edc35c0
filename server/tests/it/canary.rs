//! S4, in total: secrets go in by every way there is, providers give keys back in every way they can, and
//! then every way out is searched, down to the bytes of the database and the log of everything.

mod doors;
mod echo;
mod hunt;

use crate::archives::{archive_of, upload};
use crate::attachments::{PICTURE, bring};
use crate::imports::export_of;
use crate::second_factor::app::App;
use crate::second_factor::now;
use crate::things::{
    approval_of, conversation_of, external_job_of, json_of, pipeline_of, schedule, share_of, skill_of,
    team_of, workspace_of,
};
use crate::world::{self, Caller, Endpoint, Program, Who, run, session_cookie};
use doors::{Things, ask_models, call_all, call_as_program, listen, mistake_all, read_all};
use echo::{Echo, WAYS};
use futures_util::future::join_all;
use hunt::Hunt;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, ORIGIN};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use tempfile::TempDir;
use url::Url;

/// Every kind of provider that keeps a key, with a way to say it that this kind has alone.
const KINDS: [&str; 13] = [
    "anthropic",
    "open_ai",
    "open_ai_responses",
    "gemini",
    "bedrock",
    "azure",
    "groq",
    "open_router",
    "deep_seek",
    "mistral",
    "x_ai",
    "lm_studio",
    "llama_cpp",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_comes_out_anywhere_on_sqlite() {
    tell(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_comes_out_anywhere_on_postgresql() {
    tell(Some(world::database())).await;
}

async fn tell(database: Option<String>) {
    // The functions register themselves when the crate is linked.
    let _ = app::status_of;
    let mut hunt = Hunt::default();
    let logs = TempDir::new().unwrap();
    let log = logs.path().join("log");
    let master = hunt.plant("the master key").bytes().map(|byte| format!("{byte:02x}")).collect::<String>()
        [..64]
        .to_owned();
    hunt.watch("the master key as it is entered", &master);
    let database_url = database.as_deref().map(|url| {
        let mut url = Url::parse(url).unwrap();
        url.set_password(Some(&hunt.plant("the password of the database"))).unwrap();
        url.to_string()
    });
    let mut environment = vec![
        ("RUST_LOG", "trace"),
        ("VIVARIUM_MASTER_KEY", master.as_str()),
        ("VIVARIUM_PERSON_REQUESTS", "0"),
        ("VIVARIUM_ADDRESS_REQUESTS", "0"),
        ("VIVARIUM_PERSON_SOCKETS", "0"),
        ("VIVARIUM_ADDRESS_CONNECTIONS", "0"),
    ];
    environment.extend(database_url.as_deref().map(|url| ("DATABASE_URL", url)));
    let mut program = Program::start_logged(&environment, log.clone());

    let people = People::make(&program, &mut hunt).await;
    let echo = Echo::start().await;
    let (things, sent) = plant_keys(&mut hunt, &people, &echo).await;
    for key in &sent {
        assert!(echo.heard().contains(key.as_str()), "a key was not sent at all");
    }
    assert!(!echo.heard().contains("/talk/led"), "a redirect was followed");

    let callers = people.callers(database.is_some());
    let few = Things {
        agents: things.agents[..1].to_vec(),
        conversations: things.conversations[..1].to_vec(),
        ..things.clone()
    };
    let mut listening = Vec::new();
    for (who, caller) in [("ada", &people.ada), ("her browser", &people.ada_browser)] {
        listening.push((who, listen(caller, &format!("tab of {who}"), &things.agents).await));
    }
    talk_to_all(&mut hunt, &people.ada, &things.agents).await;
    for way in WAYS {
        call_as_program(&mut hunt, &people.ada, &format!("{}/gpt-5-mini", way.replace('/', "-"))).await;
    }
    call_as_program(&mut hunt, &people.ada, "agent/talk").await;
    let owner = [("their owner", &people.ada_browser)];
    read_all(&mut hunt, &things, &owner).await;
    for (who, caller) in &callers {
        ask_models(&mut hunt, who, caller).await;
    }
    let typed = hunt.plant("what was typed in the wrong place");
    for (who, caller) in &callers {
        mistake_all(&mut hunt, who, caller, &typed).await;
    }
    let (last, others) = callers.split_first().unwrap();
    for (who, caller) in others.iter().chain([last]) {
        call_all(&mut hunt, &few, who, caller, false).await;
    }
    read_all(&mut hunt, &few, &callers).await;
    for (who, caller) in others.iter().chain([last]) {
        call_all(&mut hunt, &few, who, caller, true).await;
    }
    read_all(&mut hunt, &few, &owner).await;

    for command in [&["doctor"][..], &["user", "add", "ada", "--password-stdin"], &["key", "rotate"]] {
        let output = program.command(command, &typed);
        hunt.search(&format!("what {command:?} prints"), &[output.stdout, output.stderr].concat());
    }
    misconfigured(&mut hunt, &logs);
    // The next start takes the link of the first one away.
    program.restart();
    program.kill();
    for (who, listening) in listening {
        let heard = listening.await.unwrap();
        assert!(heard.contains("run_finished"), "{who} heard nothing");
        hunt.search(&format!("what the socket of {who} was told"), heard.as_bytes());
    }
    if let Some(database) = &database {
        let dump = Command::new("pg_dump").args(["--inserts", database]).output().unwrap();
        assert!(
            dump.status.success() && dump.stdout.len() > 10_000,
            "{}",
            String::from_utf8_lossy(&dump.stderr)
        );
        hunt.search("the dump of the database", &dump.stdout);
    }
    for file in files(program.folder.path()).into_iter().chain([log]) {
        let bytes = fs::read(&file).unwrap();
        hunt.search(&format!("the file {}", file.display()), &bytes);
    }
    hunt.end(2000);
}

/// One of each role, from a browser and with a program.
struct People {
    root: Caller,
    root_browser: Caller,
    ada: Caller,
    ada_browser: Caller,
    guest: Caller,
    eve: Caller,
    out: Caller,
    nobody: Caller,
    passkey: String,
    /// Codes that nobody used yet.
    invite: String,
    reset: String,
}

impl People {
    async fn make(program: &Program, hunt: &mut Hunt) -> Self {
        let link = fs::read_to_string(program.folder.path().join("setup-link")).unwrap();
        let code = link.trim().rsplit('/').next().unwrap().to_owned();
        hunt.watch("the set-up code", &code);
        let nobody = program.stranger();
        let password = hunt.plant("the administrator's password");
        let set_up = json!({ "code": code, "name": "root", "password": password });
        let root_browser = enter(hunt, &nobody, "/api/account/set_up", &set_up).await;
        let root = with_token(hunt, &root_browser).await;

        let mut made = Vec::new();
        let mut passkey = String::new();
        for name in ["ada", "guest", "eve", "out"] {
            let invite = invite(hunt, &root).await;
            let password = hunt.plant(&format!("the first password of {name}"));
            let sign_up = json!({ "invite": invite, "name": name, "password": password });
            let browser = enter(hunt, &nobody, "/api/account/sign_up", &sign_up).await;
            let wrong = hunt.plant(&format!("a wrong password of {name}"));
            nobody_enters(&nobody, name, &wrong).await;
            let new = hunt.plant(&format!("the second password of {name}"));
            let change = json!({ "current": password, "new": new });
            let browser = enter(hunt, &browser, "/api/account/change_password", &change).await;
            if name == "ada" {
                passkey = crate::things::passkey_of(&browser, &new).await;
            }
            let sign_in = json!({ "name": name, "password": new });
            let browser = enter(hunt, &nobody, "/api/account/sign_in", &sign_in).await;
            if name == "guest" {
                second_factor(hunt, &browser, &new).await;
            }
            made.push((browser.clone(), with_token(hunt, &browser).await));
        }
        // A password where the name belongs.
        let as_name = hunt.plant("a password typed as a name").replace(['/', '+', '='], "")[..30].to_owned();
        hunt.watch("the same without signs", &as_name);
        nobody_enters(&nobody, &as_name, "correct horse battery").await;

        let people = json_of(&root, "/api/people/list").await;
        let id = |name: &str| {
            let person = people.as_array().unwrap().iter().find(|person| person["name"] == name).unwrap();
            person["id"].clone()
        };
        root.call("/api/people/set_role", &json!({ "id": id("guest"), "role": "guest" })).await;
        root.call("/api/people/disable", &json!({ "id": id("out") })).await;
        let mut resets = Vec::new();
        for name in ["eve", "out"] {
            let made = root.call("/api/people/reset_password", &json!({ "id": id(name) })).await;
            let code = made["path"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            hunt.watch(&format!("a link for a new password of {name}"), &code);
            resets.push(code);
        }
        let choose = json!({ "code": resets[0], "password": hunt.plant("the third password of eve") });
        nobody.post("/api/account/choose_password", &choose).await;
        let invite = invite(hunt, &root).await;
        let mut made = made.into_iter();
        let mut next = || made.next().unwrap();
        let ((ada_browser, ada), (_, guest), (_, eve), (_, out)) = (next(), next(), next(), next());
        let reset = resets.pop().unwrap();
        Self { root, root_browser, ada, ada_browser, guest, eve, out, nobody, passkey, invite, reset }
    }

    /// The programs on SQLite, and the browsers and strangers on PostgreSQL: what one is told depends on no database.
    fn callers(&self, on_postgresql: bool) -> Vec<(&'static str, &Caller)> {
        let all = [
            ("an administrator", &self.root),
            ("an administrator's browser", &self.root_browser),
            ("a member", &self.ada),
            ("a member's browser", &self.ada_browser),
            ("a guest", &self.guest),
            ("another member", &self.eve),
            ("somebody disabled", &self.out),
            ("nobody", &self.nobody),
        ];
        all.into_iter().skip(usize::from(on_postgresql)).step_by(2).collect()
    }
}

/// Saves a provider for every kind and every way of giving a key back, with agents that use them; and gives
/// the keys that must have been sent.
async fn plant_keys(hunt: &mut Hunt, people: &People, echo: &Echo) -> (Things, Vec<String>) {
    let ada = &people.ada;
    let (mut agents, mut sent) = (Vec::new(), Vec::new());
    let mut provider = Value::Null;
    for way in WAYS {
        let key = hunt.plant(&format!("the key of {way}"));
        let url = format!("{}/{way}", echo.url);
        provider = save_as(ada, &way.replace('/', "-"), "open_ai", &url, &key).await;
        agents.push(agent(ada, &provider, way).await);
        sent.push(key);
    }
    for kind in KINDS {
        for way in ["talk", "refuse/401"] {
            let mut key = hunt.plant(&format!("the key of {kind}"));
            if kind == "bedrock" {
                key = format!("ASIA0123456789ABCDEF:{key}:{}", hunt.plant("a session token"));
            }
            let url = format!("{}/{way}", echo.url);
            let provider = save(ada, kind, &url, &key).await;
            let test = json!({ "id": provider, "kind": kind, "base_url": url });
            let said = ada.post("/api/providers/test", &test).await;
            hunt.search(&format!("a test of {kind}"), said.text().await.unwrap().as_bytes());
            agents.push(agent(ada, &provider, kind).await);
        }
    }
    let tried = hunt.plant("a key that was only tried");
    let test = json!({ "kind": "open_ai", "base_url": format!("{}/refuse/401", echo.url), "key": tried });
    let said = ada.post("/api/providers/test", &test).await;
    hunt.search("a test of what is not saved", said.text().await.unwrap().as_bytes());
    sent.push(tried);

    for way in ["talk", "refuse/400"] {
        let shared = hunt.plant("a shared key");
        let provider = save(&people.root, "open_ai", &format!("{}/{way}", echo.url), &shared).await;
        people.root.call("/api/sharing/set", &json!({ "provider": provider, "everyone": true })).await;
        agents.push(agent(ada, &provider, "shared").await);
        sent.push(shared);
    }
    let own = hunt.plant("an agent's own key");
    let provider_of_own =
        save(ada, "open_ai", &format!("{}/talk", echo.url), &hunt.plant("a key beside it")).await;
    let agent_of_own = agent(ada, &provider_of_own, "own").await;
    ada.call("/api/agents/set_key", &json!({ "id": agent_of_own, "key": own })).await;
    agents.push(agent_of_own);
    sent.push(own);

    let mut search_source = Value::Null;
    for (kind, way) in [("mojeek", "refuse/401"), ("brave", "refuse/429"), ("tavily", "talk")] {
        let key = hunt.plant(&format!("the key of {kind}"));
        let source = json!({ "kind": kind, "base_url": format!("{}/{way}", echo.url), "key": key });
        search_source = ada.call("/api/web_search/add", &source).await["id"].clone();
        let said = ada.post("/api/web_search/test", &json!({ "id": search_source })).await;
        hunt.search(&format!("a test of {kind}"), said.text().await.unwrap().as_bytes());
    }

    for way in ["talk", "refuse/401", "refuse/400"] {
        let key = hunt.plant(&format!("the key of speech, {way}"));
        let url = format!("{}/{way}", echo.url);
        let provider =
            save_as(ada, &format!("speech-{}", way.replace('/', "-")), "open_ai", &url, &key).await;
        for part in ["hearing", "speaking"] {
            let choice =
                json!({ "part": part, "provider": provider, "model": "whisper-1", "voice": "alloy" });
            ada.call("/api/speech/choose", &choice).await;
        }
        let hear = ada.request(Method::POST, &format!("/speech/hear?agent={}", agents[0]));
        let hear = hear.header(CONTENT_TYPE, "audio/webm").header(ORIGIN, &ada.url).body("not quite");
        hunt.search(&format!("hearing, {way}"), &hear.send().await.unwrap().bytes().await.unwrap());
        let said = ada.post("/speech/say", &json!({ "agent": agents[0], "text": "Moss." })).await;
        hunt.search(&format!("speaking, {way}"), &said.bytes().await.unwrap());
        sent.push(key);
    }

    let channel = json!({
        "kind": "ntfy", "address": format!("{}/talk/{}", echo.url, hunt.plant("the topic of a channel")),
        "token": hunt.plant("the token of a channel"),
    });
    let channel = ada.call("/api/notifications/add_channel", &channel).await;
    let room = json!({
        "kind": "matrix", "address": format!("{}/talk", echo.url), "room": "!moss:example.org",
        "token": hunt.plant("the token of a room"),
    });
    ada.call("/api/notifications/add_channel", &room).await;

    for way in ["refuse/401", "redirect", "page", "calendar"] {
        let key = hunt.plant("the address of a calendar");
        let calendar = json!({ "source": "calendar", "entered": format!("{}/{way}/{key}.ics", echo.url) });
        let said = ada.post("/api/person_context/turn_on", &calendar).await;
        assert_eq!(said.status().is_success(), way == "calendar");
        hunt.search("what is said of a calendar", said.text().await.unwrap().as_bytes());
        sent.push(key);
    }

    let mut mcp_server = Value::Null;
    for (name, way) in [("refusing", "refuse/401"), ("talking", "talk")] {
        let server = json!({
            "name": name, "url": format!("{}/{way}", echo.url),
            "token": hunt.plant(&format!("the token of the server {name}")),
            "headers": format!("x-api-key: {}", hunt.plant(&format!("a header of the server {name}"))),
        });
        mcp_server = ada.call("/api/mcp_servers/add", &server).await["id"].clone();
        let said = ada.post("/api/mcp_servers/look", &json!({ "id": mcp_server })).await;
        hunt.search(&format!("a look at {name}"), said.text().await.unwrap().as_bytes());
    }

    let mut peer = Value::Null;
    for (name, way) in [("closed", "refuse/401"), ("open", "talk")] {
        let added = json!({
            "name": name, "url": format!("{}/{way}", echo.url),
            "token": hunt.plant(&format!("the token of the peer {name}")),
        });
        peer = ada.call("/api/peers/add", &added).await["id"].clone();
        let said = ada.post("/api/peers/look", &json!({ "id": peer })).await;
        hunt.search(&format!("a look at {name}"), said.text().await.unwrap().as_bytes());
    }

    let mut job_service = String::new();
    for (name, way) in [("refusing-jobs", "refuse/401"), ("talking-jobs", "refuse/400")] {
        let service = json!({
            "name": name, "kind": "http", "url": format!("{}/{way}", echo.url), "jobs": "render",
            "token": hunt.plant(&format!("the token of the job service {name}")),
        });
        job_service = text(&ada.call("/api/job_services/add", &service).await["id"]);
        let said = ada.post("/api/job_services/look", &json!({ "id": job_service })).await;
        hunt.search(&format!("a look at {name}"), said.text().await.unwrap().as_bytes());
    }
    let scripted = Endpoint::start();
    let provider_of_jobs = save_as(ada, "scripted", "open_ai", &scripted.url, "key-good").await;
    let starter = json!({
        "name": "Jo", "colour": "#3a7d44", "provider": provider_of_jobs, "model": "gpt-5-mini",
        "tools": ["external_job"], "home": "hub",
    });
    let starter = text(&ada.call("/api/agents/create", &starter).await["id"]);
    let external_job = external_job_of(ada, &starter, "talking-jobs", &echo.url).await;

    let rule = json!({ "tool": "storage", "verdict": "ask" });
    let rule = text(&ada.call("/api/policy/add", &rule).await["id"]);
    let due = json!({ "agent": agents[0], "draft": schedule() });
    let schedule = text(&ada.call("/api/schedules/create", &due).await);
    let mut conversations = Vec::new();
    for agent in &agents {
        conversations.push(conversation_of(ada, agent).await);
    }
    let things = Things {
        share: share_of(ada, &conversations[0], "eve").await,
        conversations,
        attachment: text(&bring(ada, "holes.png", PICTURE).await["id"]),
        import: export_of(ada).await,
        archive: text(&upload(ada, &archive_of(ada, &agents[0]).await).await["archive"]),
        provider: text(&provider),
        person: text(&json_of(ada, "/api/account/me").await["id"]),
        device: text(&json_of(&people.ada_browser, "/api/account/devices").await[0]["id"]),
        token: text(&json_of(ada, "/api/account/tokens").await[0]["id"]),
        approval: waiting(ada, &agents[0]).await,
        channel: text(&channel["view"]["id"]),
        notification: text(&json_of(ada, "/api/notifications/list").await["list"][0]["id"]),
        rule,
        schedule,
        group: text(&people.root.call("/api/groups/save", &json!({ "name": "Garden" })).await),
        search_source: text(&search_source),
        memory: text(
            &ada.call("/api/memories/create", &json!({ "text": "Likes moss.", "importance": 3 })).await,
        ),
        skill: skill_of(ada, "moss").await,
        workspace: workspace_of(ada, "moss").await,
        mcp_server: text(&mcp_server),
        peer: text(&peer),
        job_service,
        external_job,
        pipeline: pipeline_of(ada, &agents[0]).await,
        agent_role: role_of(ada).await,
        team_file: team_of(ada, "reviewer").await,
        agents,
        passkey: people.passkey.clone(),
        reset: people.reset.clone(),
        invite: people.invite.clone(),
    };
    talk_to_all(hunt, ada, &things.agents).await;
    (things, sent)
}

/// A role with an agent of it.
async fn role_of(ada: &Caller) -> String {
    let file = team_of(ada, "editor").await;
    ada.call("/api/teams/make", &json!({ "file": file })).await;
    json_of(ada, "/api/teams/roles").await[0]["id"].as_str().unwrap().to_owned()
}

/// A question that waits, on the first agent.
async fn waiting(ada: &Caller, agent: &str) -> String {
    ada.call("/api/policy/add", &json!({ "tool": "state", "verdict": "ask", "agent": agent })).await;
    ada.call("/api/agents/send", &json!({ "agent": agent, "text": "Hello" })).await;
    let approval = approval_of(ada).await;
    let asked = &json_of(ada, "/api/approvals/list").await[0]["approval"];
    let answer = json!({ "id": approval, "hash": asked["hash"], "decision": "always" });
    ada.call("/api/approvals/answer", &answer).await;
    approval
}

/// Says something to all of them at once: some are asked again and again.
async fn talk_to_all(hunt: &mut Hunt, ada: &Caller, agents: &[String]) {
    let answers = agents.iter().map(async |agent| {
        let said = ada.post("/api/agents/ask", &json!({ "agent": agent, "text": "Hello" })).await;
        said.text().await.unwrap()
    });
    for answer in join_all(answers).await {
        hunt.search("what an agent answers", answer.as_bytes());
    }
}

async fn save(caller: &Caller, kind: &str, url: &str, key: &str) -> Value {
    save_as(caller, "Echo", kind, url, key).await
}

async fn save_as(caller: &Caller, name: &str, kind: &str, url: &str, key: &str) -> Value {
    let provider = json!({ "name": name, "kind": kind, "base_url": url, "key": key });
    caller.call("/api/providers/save", &provider).await["id"].clone()
}

async fn agent(caller: &Caller, provider: &Value, name: &str) -> String {
    let draft = json!({
        "name": name, "colour": "#3a7d44", "provider": provider, "model": "gpt-5-mini", "tools": ["state"], "home": "hub",
    });
    text(&caller.call("/api/agents/create", &draft).await["id"])
}

/// Comes in with a new session.
async fn enter(hunt: &mut Hunt, nobody: &Caller, path: &str, body: &Value) -> Caller {
    let response =
        nobody.request(Method::POST, path).header(ORIGIN, &nobody.url).json(body).send().await.unwrap();
    let cookies: Vec<_> = response.headers().get_all("set-cookie").iter().cloned().collect();
    for cookie in cookies {
        let (_, value) = cookie.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
        hunt.watch("a cookie", value);
    }
    let cookie = session_cookie(response.headers()).expect("whoever comes in has a session");
    assert!(response.status().is_success(), "{path}: {}", response.text().await.unwrap());
    nobody.with(Who::Cookie(cookie))
}

async fn nobody_enters(nobody: &Caller, name: &str, password: &str) {
    let body = json!({ "name": name, "password": password });
    assert!(!nobody.post("/api/account/sign_in", &body).await.status().is_success());
}

/// Turns a second factor on.
async fn second_factor(hunt: &mut Hunt, browser: &Caller, password: &str) {
    let new = browser.call("/api/second_factor/start", &json!({ "password": password })).await;
    let key = text(&new["secret"]);
    hunt.watch("what the codes of an app come from", &key);
    let code = json!({ "code": App::with(&key).code(now()) });
    let codes = browser.call("/api/second_factor/confirm", &code).await;
    for code in codes["codes"].as_array().unwrap() {
        hunt.watch("a recovery code", code.as_str().unwrap());
    }
}

async fn with_token(hunt: &mut Hunt, browser: &Caller) -> Caller {
    let made = browser.call("/api/account/create_token", &json!({ "name": "a program" })).await;
    let token = text(&made["token"]);
    hunt.watch("a token", &token);
    browser.with(Who::Token(token))
}

async fn invite(hunt: &mut Hunt, root: &Caller) -> String {
    let made = root.call("/api/account/invite", &json!({})).await;
    let code = made["path"].as_str().unwrap().rsplit('=').next().unwrap().to_owned();
    hunt.watch("an invitation", &code);
    code
}

/// What the program says about secrets that it cannot use.
fn misconfigured(hunt: &mut Hunt, folder: &TempDir) {
    let (password, key) = (hunt.plant("a password for nothing"), hunt.plant("no master key"));
    let password = password.replace('/', "%2F").replace('+', "%2B");
    let nowhere = format!("postgres://vivarium:{password}@127.0.0.1:1/none");
    let odd = format!("postgres://vivarium:{password}@[nonsense/none");
    for (name, value) in [
        ("DATABASE_URL", &nowhere),
        ("DATABASE_URL", &odd),
        ("VIVARIUM_MASTER_KEY", &key),
        ("VIVARIUM_ADDR", &"nowhere".to_owned()),
    ] {
        for command in ["doctor", "serve"] {
            let output = run(folder.path(), &[("RUST_LOG", "trace"), (name, value)], &[command], "");
            assert!(!output.status.success(), "{command} with {name}: {output:?}");
            hunt.search(&format!("what {command} says of {name}"), &[output.stdout, output.stderr].concat());
        }
    }
}

fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}
