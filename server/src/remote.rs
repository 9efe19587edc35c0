//! `vivarium ask` and `vivarium run`: a hub used from a terminal, by its address and a personal token, through the
//! doors that other programs use.

mod ask;
mod run;

use clap::Args;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response};
use serde_json::Value;
use std::process::ExitCode;
use url::Url;

/// What came of it when it did not come to an answer.
const STOPPED: u8 = 130;

#[derive(Debug, Args)]
pub struct Place {
    /// Where the hub is.
    #[arg(long, env = "VIVARIUM_HUB", default_value = "http://127.0.0.1:3000")]
    hub: Url,
    /// A personal token, better in the environment: others on this machine see what a command is called with.
    #[arg(long, env = "VIVARIUM_TOKEN", hide_env_values = true)]
    token: String,
    /// Write each event as one line of JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct Ask {
    /// The agent's name or id.
    agent: String,
    /// What to say. Without it, or with "-", standard input.
    text: Option<String>,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub struct Run {
    /// The pipeline's title or id.
    pipeline: String,
    #[command(flatten)]
    place: Place,
}

/// Asks an agent one question and writes what it says while it says it.
pub fn ask(asked: Ask) -> ExitCode {
    perform(async move { ask::ask(asked).await })
}

/// Starts a pipeline and tells how it goes until it is over.
pub fn run(asked: Run) -> ExitCode {
    perform(async move { run::run(asked).await })
}

#[tokio::main(flavor = "current_thread")]
async fn perform(work: impl Future<Output = Result<ExitCode, String>>) -> ExitCode {
    rustls::crypto::ring::default_provider().install_default().expect("nothing else has chosen a provider");
    match work.await {
        Ok(code) => code,
        Err(problem) => {
            eprintln!("vivarium: {problem}");
            ExitCode::FAILURE
        }
    }
}

impl Place {
    fn client(&self) -> Result<Caller<'_>, String> {
        #[expect(clippy::disallowed_methods, reason = "it goes to the one address that its person gives it")]
        let client = Client::builder();
        let client = client.tls_backend_rustls().redirect(Policy::none()).user_agent("vivarium").build();
        Ok(Caller { place: self, client: client.map_err(|error| error.to_string())? })
    }
}

struct Caller<'a> {
    place: &'a Place,
    client: Client,
}

impl Caller<'_> {
    fn get(&self, path: &str) -> Result<RequestBuilder, String> {
        Ok(self.client.get(self.address(path)?).bearer_auth(&self.place.token))
    }

    fn post(&self, path: &str, body: &Value) -> Result<RequestBuilder, String> {
        Ok(self.client.post(self.address(path)?).bearer_auth(&self.place.token).json(body))
    }

    fn address(&self, path: &str) -> Result<Url, String> {
        self.place
            .hub
            .join(path)
            .map_err(|error| format!("{} is no address of a hub: {error}", self.place.hub))
    }
}

/// The answer, if it is a good one; else what the hub says of it.
async fn answered(request: RequestBuilder) -> Result<Response, String> {
    let response = request.send().await.map_err(|error| format!("The hub could not be reached: {error}"))?;
    if response.status().is_success() {
        return Ok(response);
    }
    let status = response.status();
    let body: Value = response.json().await.unwrap_or_default();
    let words = [&body["message"], &body["error"]["message"]].into_iter().find_map(Value::as_str);
    Err(words.map_or_else(|| format!("The hub answered {status}."), str::to_owned))
}

async fn json(request: RequestBuilder) -> Result<Value, String> {
    answered(request).await?.json().await.map_err(|error| format!("The hub's answer cannot be read: {error}"))
}
