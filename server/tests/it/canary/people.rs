//! Who there is, and the secrets with which they come in.

use super::hunt::Hunt;
use crate::second_factor::app::App;
use crate::second_factor::now;
use crate::things::{json_of, passkey_of};
use crate::world::{Caller, Program, Who, session_cookie};
use reqwest::Method;
use reqwest::header::ORIGIN;
use serde_json::{Value, json};
use std::fs;

/// One of each role, from a browser and with a program.
pub struct People {
    pub root: Caller,
    pub root_browser: Caller,
    pub ada: Caller,
    pub ada_browser: Caller,
    pub guest: Caller,
    pub eve: Caller,
    pub out: Caller,
    pub nobody: Caller,
    pub passkey: String,
    /// Codes that nobody used yet.
    pub invite: String,
    pub reset: String,
}

impl People {
    pub async fn make(program: &Program, hunt: &mut Hunt) -> Self {
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
                passkey = passkey_of(&browser, &new).await;
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
    pub fn callers(&self, on_postgresql: bool) -> Vec<(&'static str, &Caller)> {
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
    let key = new["secret"].as_str().unwrap();
    hunt.watch("what the codes of an app come from", key);
    let code = json!({ "code": App::with(key).code(now()) });
    let codes = browser.call("/api/second_factor/confirm", &code).await;
    for code in codes["codes"].as_array().unwrap() {
        hunt.watch("a recovery code", code.as_str().unwrap());
    }
}

async fn with_token(hunt: &mut Hunt, browser: &Caller) -> Caller {
    let made = browser.call("/api/account/create_token", &json!({ "name": "a program" })).await;
    let token = made["token"].as_str().unwrap();
    hunt.watch("a token", token);
    browser.with(Who::Token(token.to_owned()))
}

async fn invite(hunt: &mut Hunt, root: &Caller) -> String {
    let made = root.call("/api/account/invite", &json!({})).await;
    let code = made["path"].as_str().unwrap().rsplit('=').next().unwrap().to_owned();
    hunt.watch("an invitation", &code);
    code
}
