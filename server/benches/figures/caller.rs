//! A person's program that speaks to a hub over HTTP.

use reqwest::header::{ACCEPT_ENCODING, ORIGIN};
use reqwest::{Client, Response, redirect};
use serde_json::{Value, json};

pub struct Caller {
    client: Client,
    url: String,
    /// Empty: not signed in.
    token: String,
}

impl Caller {
    #[expect(clippy::disallowed_methods, reason = "it speaks to the program that it started")]
    pub fn new(url: &str, token: &str) -> Self {
        let client = Client::builder().redirect(redirect::Policy::none()).no_proxy().build().unwrap();
        Self { client, url: url.to_owned(), token: token.to_owned() }
    }

    /// Reads a page or file in this encoding, which has to be there.
    pub async fn get(&self, path: &str, encoding: &str) -> Response {
        let request = self.client.get(format!("{}{path}", self.url)).header(ACCEPT_ENCODING, encoding);
        let request = if self.token.is_empty() { request } else { request.bearer_auth(&self.token) };
        let response = request.send().await.unwrap();
        assert!(response.status().is_success(), "{path}: {}", response.status());
        response
    }

    /// Posts JSON and reads the answer, which has to be a good one.
    pub async fn call(&self, path: &str, body: &Value) -> Value {
        let request = self.client.post(format!("{}{path}", self.url)).header(ORIGIN, &self.url);
        let response = request.bearer_auth(&self.token).json(body).send().await.unwrap();
        let status = response.status();
        let text = response.text().await.unwrap();
        assert!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// A fresh agent that lives in the hub, on a model server at this address.
    pub async fn agent(&self, name: &str, model_url: &str) -> String {
        let provider = json!({ "name": name, "kind": "open_ai", "base_url": model_url, "key": "key-good" });
        let provider = self.call("/api/providers/save", &provider).await;
        let draft = json!({
            "name": name, "colour": "#3a7d44", "provider": provider["id"], "model": "gpt-5-mini",
            "tools": ["state"], "home": "hub",
        });
        self.call("/api/agents/create", &draft).await["id"].as_str().unwrap().to_owned()
    }
}
