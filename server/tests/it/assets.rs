//! What a page's first visit is sent: compressed as the browser takes it, kept for as long as it stays
//! the same, and nothing compressed that shows how long a secret is.

use crate::world::{Caller, Program};
use reqwest::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    HeaderName, IF_NONE_MATCH, VARY,
};
use reqwest::{Method, Response};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// What a browser takes, the file that it gets, and the page.
const TAKEN: [(&str, Option<&str>, Option<&str>); 6] = [
    ("identity", None, None),
    ("gzip", Some("gzip"), Some("gzip")),
    ("gzip, deflate", Some("gzip"), Some("gzip")),
    ("gzip, deflate, br, zstd", Some("br"), Some("gzip")),
    ("br;q=0, gzip;q=0.5", Some("gzip"), Some("gzip")),
    ("br;q=0, gzip;q=0", None, None),
];

/// What a build leaves in its folder.
const FILES: [&str; 23] = [
    "code.js",
    "favicon.svg",
    "highlight.min.js",
    "icons.svg",
    "installed.js",
    "math.js",
    "passkeys.js",
    "plant.svg",
    "push.js",
    "temml.min.js",
    "voice-hands-free.js",
    "voice-hearing.js",
    "voice-speaking.js",
    "voice.js",
    "words.js",
    "fonts/figtree-latin.woff2",
    "languages/de.json",
    "languages/de.sentences.json",
    "pkg/vivarium.css",
    "pkg/vivarium.js",
    "pkg/vivarium.wasm",
    "sandbox/worker.js",
    "sandbox/worker.wasm",
];

#[tokio::test]
async fn every_answer_of_a_first_visit_is_compressed_and_kept_for_as_long_as_it_holds() {
    let site = built("one");
    compressed_and_kept(&serving(&site)).await;
}

/// So it is with a program whose files these are.
pub async fn compressed_and_kept(program: &Program) {
    let ada = program.caller("ada");
    let draft = json!({ "name": "Ada", "colour": "#3d9a5d" });
    let id = ada.call("/api/agents/create", &draft).await["id"].as_str().unwrap().to_owned();
    let page = format!("/agents/{id}");
    for (accepted, of_file, of_page) in TAKEN {
        for path in [page.as_str(), "/", "/sign-in"] {
            let html = taking(&ada, path, accepted).await;
            assert_eq!(told(&html, CONTENT_ENCODING), of_page, "{path} {accepted}");
            assert_eq!(told(&html, VARY), Some("accept-encoding"), "{path} {accepted}");
            assert_eq!(told(&html, CACHE_CONTROL), Some("no-store"), "{path} {accepted}");
        }
        for path in loaded(&ada, &page).await {
            let file = taking(&ada, &path, accepted).await;
            assert_eq!(file.status(), 200, "{path}");
            assert_eq!(told(&file, CONTENT_ENCODING), of_file, "{path} {accepted}");
            assert_eq!(told(&file, VARY), Some("accept-encoding"), "{path} {accepted}");
            let kept = told(&file, CACHE_CONTROL);
            assert_eq!(kept, Some("public, max-age=31536000, immutable"), "{path} {accepted}");
            let is_program = told(&file, CONTENT_TYPE) == Some("application/wasm");
            assert_eq!(
                is_program,
                path.ends_with(".wasm"),
                "a browser compiles what is called so while it comes"
            );
        }
        for path in ["/sandbox/skin", "/sandbox/loop"] {
            let frame = taking(&ada, path, accepted).await;
            assert_eq!(told(&frame, CONTENT_ENCODING), of_file, "{path} {accepted}");
            assert_eq!(told(&frame, VARY), Some("accept-encoding"), "{path} {accepted}");
            assert_eq!(told(&frame, CACHE_CONTROL), Some("no-cache"), "{path} {accepted}");
        }
    }
}

#[tokio::test]
async fn a_frame_document_that_is_kept_has_its_wall_all_the_same() {
    let program = Program::start();
    let nobody = program.stranger();
    for path in ["/sandbox/skin", "/sandbox/loop"] {
        let first = nobody.get(path).await;
        let tag = first.headers()[ETAG].clone();
        let again = nobody.request(Method::GET, path).header(IF_NONE_MATCH, tag).send().await.unwrap();
        assert_eq!(again.status(), 304, "{path}");
        for name in [CONTENT_SECURITY_POLICY, HeaderName::from_static("connection-allowlist"), CACHE_CONTROL]
        {
            assert_eq!(told(&again, name.clone()), told(&first, name.clone()), "{path} {name}");
        }
        let other =
            nobody.request(Method::GET, path).header(IF_NONE_MATCH, "W/\"other\"").send().await.unwrap();
        assert_eq!(other.status(), 200, "{path}");
    }
}

#[tokio::test]
async fn what_is_not_of_this_build_is_not_there_and_is_not_kept() {
    let site = built("one");
    let program = serving(&site);
    fs::write(site.path().parent().unwrap().join("beside.txt"), "beside").unwrap();
    let ada = program.caller("ada");
    let prefix = prefix(&ada, "/").await;
    for path in [
        "/b/0123456789/pkg/vivarium.wasm".to_owned(),
        "/b/0123456789/sandbox/worker.js".to_owned(),
        format!("{prefix}/pkg/nothing.wasm"),
        format!("{prefix}/pkg"),
        format!("{prefix}/..%2fbeside.txt"),
        format!("{prefix}/pkg/..%2f..%2fbeside.txt"),
    ] {
        let answer = ada.get(&path).await;
        assert_eq!(answer.status(), 404, "{path}");
        assert_eq!(told(&answer, CACHE_CONTROL), Some("no-store"), "{path}");
        assert_eq!(told(&answer, CONTENT_TYPE), Some("text/plain; charset=utf-8"), "{path}");
    }
    assert_eq!(ada.get("/pkg/vivarium.wasm").await.status(), 404, "a file has one address");
}

#[tokio::test]
async fn a_build_with_another_file_has_other_addresses_and_the_same_build_the_same() {
    let mut prefixes = Vec::new();
    for content in ["one", "one", "two"] {
        let site = built(content);
        prefixes.push(prefix(&serving(&site).caller("ada"), "/").await);
    }
    assert_eq!(prefixes[0], prefixes[1]);
    assert_ne!(prefixes[1], prefixes[2]);
}

#[tokio::test]
async fn a_page_that_shows_what_its_address_says_or_a_secret_is_not_compressed() {
    let program = Program::start();
    let ada = program.caller("ada");
    for path in [
        "/?wish=guess",
        "/sign-in?__err=guess",
        "/account",
        "/account/second-factor",
        "/account/transfer",
        "/account/audit?q=guess",
        "/admin",
        "/sign-in/code",
        "/setup/guess",
        "/reset/guess",
        "/nothing/here",
    ] {
        let page = taking(&ada, path, "gzip, deflate, br").await;
        assert_eq!(told(&page, CONTENT_ENCODING), None, "{path}");
    }
}

fn serving(site: &TempDir) -> Program {
    Program::start_with(&[("LEPTOS_SITE_ROOT", site.path().to_str().unwrap())])
}

/// A folder as a build leaves it: each file as it is and compressed.
pub fn built(content: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    for name in FILES.iter().filter(|name| !name.starts_with("sandbox")) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        for ending in ["", ".br", ".gz"] {
            fs::write(Path::new(&format!("{}{ending}", path.display())), format!("{content} {name}{ending}"))
                .unwrap();
        }
    }
    folder
}

pub async fn prefix(caller: &Caller, page: &str) -> String {
    let html = caller.get(page).await.text().await.unwrap();
    html.split("data-assets=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

/// The addresses that a page names, and those that its scripts and styles do.
pub async fn loaded(caller: &Caller, page: &str) -> BTreeSet<String> {
    let prefix = prefix(caller, page).await;
    let html = caller.get(page).await.text().await.unwrap();
    let opening = format!("\"{prefix}/");
    let named = html.split(&opening).skip(1);
    let named = named.map(|rest| rest.split(['"', '#']).next().unwrap()).collect::<BTreeSet<_>>();
    for name in ["pkg/vivarium.css", "pkg/vivarium.js", "pkg/vivarium.wasm", "icons.svg"] {
        assert!(named.contains(name), "{name} in {named:?}");
    }
    named.into_iter().chain(FILES).map(|name| format!("{prefix}/{name}")).collect()
}

async fn taking(caller: &Caller, path: &str, accepted: &str) -> Response {
    caller.request(Method::GET, path).header(ACCEPT_ENCODING, accepted).send().await.unwrap()
}

fn told(answer: &Response, name: HeaderName) -> Option<&str> {
    answer.headers().get(name).map(|value| value.to_str().unwrap())
}
