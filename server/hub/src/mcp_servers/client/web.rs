//! What is said to a server over HTTP and what it answers: JSON-RPC over POST, in the words of the version that it speaks.

use super::answer;
use super::era::{self, Came, Era, Features, Sessions};
use super::message::{self, Heard, Message};
use super::progress::Hides;
use super::{Asked, McpFailure};
use crate::Hub;
use crate::mcp_servers::PARTING;
use crate::mcp_servers::asking::Asking;
use crate::mcp_servers::headers::SecretHeaders;
use crate::mcp_servers::oauth::{HeldAccess, more_scopes};
use crate::mcp_servers::query::SecretQuery;
use crate::outbound::{Answer, Target};
use protocol::McpServerId;
use redact::Needles;
use reqwest::Method;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
    WWW_AUTHENTICATE,
};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

/// For the word by which servers of today are told from older ones: those that do not know it may say nothing.
const PROBE: Duration = Duration::from_secs(10);
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(super) const METHOD: HeaderName = HeaderName::from_static("mcp-method");
pub(super) const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// A server that is asked over HTTP.
pub(in crate::mcp_servers) struct WebClient<'a> {
    pub(in crate::mcp_servers) hub: &'a Hub,
    pub(in crate::mcp_servers) server: McpServerId,
    pub(in crate::mcp_servers) target: Target,
    /// What of the target is the person's secret.
    pub(in crate::mcp_servers) query: Option<SecretQuery>,
    pub(in crate::mcp_servers) headers: SecretHeaders,
    /// Takes the place of a token that was entered.
    pub(in crate::mcp_servers) access: HeldAccess,
    /// Puts what it asks to the person, within a call.
    pub(in crate::mcp_servers) asking: Option<&'a Asking<'a>>,
}

impl WebClient<'_> {
    /// What it answers, once it was told what it asked. A server that forgot who asks is told anew, once.
    pub(super) async fn ask(&self, asked: &Asked<'_>) -> Result<Value, McpFailure> {
        if let Some((era, _)) = self.sessions().find(&self.server) {
            match self.asked_until_answered(&era, asked).await {
                Err(McpFailure::Forgotten) => self.sessions().forget(&self.server),
                other => return other,
            }
        }
        let met = self.begin().await?;
        match self.asked_until_answered(&met.0, asked).await {
            // It was asked who it is just now.
            Err(McpFailure::Forgotten) => Err(McpFailure::NotMcp),
            other => {
                self.sessions().keep(&self.server, met);
                other
            }
        }
    }

    /// What it has, once it was asked for anything.
    pub(super) fn features(&self) -> Features {
        self.sessions().find(&self.server).map(|(_, features)| features).unwrap_or_default()
    }

    /// What it has. It is asked who it is where that is not known.
    pub(super) async fn met(&self) -> Result<Features, McpFailure> {
        match self.sessions().find(&self.server) {
            Some((_, features)) => Ok(features),
            None => self.meet().await,
        }
    }

    /// Whether it has tools. One that had none is asked anew who it is: it may have some by now.
    pub(super) async fn has_tools(&self) -> Result<bool, McpFailure> {
        match self.sessions().find(&self.server) {
            Some((_, features)) if features.tools => return Ok(true),
            Some(_) => {
                let _ = timeout(PARTING, self.end()).await;
            }
            None => {}
        }
        Ok(self.meet().await?.tools)
    }

    async fn meet(&self) -> Result<Features, McpFailure> {
        let met = self.begin().await?;
        let features = met.1;
        self.sessions().keep(&self.server, met);
        Ok(features)
    }

    /// Says good-bye, where there is somebody to say it to.
    pub(super) async fn end(&self) {
        let era = self.sessions().find(&self.server);
        self.sessions().forget(&self.server);
        if let Some((era @ Era::Legacy { session: Some(_), .. }, _)) = era {
            let headers = self.headers(Some(&era));
            // It forgets by itself sooner or later.
            let _ = self.hub.outbound().send(Method::DELETE, &self.target, headers, Vec::new()).await;
        }
    }

    /// What it says to somebody who does not say who they are.
    pub(in crate::mcp_servers) async fn challenge(&self) -> Result<Option<String>, McpFailure> {
        let (greeting, _) = Message::request("initialize", era::greeting(), self.sessions().next_id());
        let answer = self.post(self.headers(None), &greeting).await?;
        let is_challenge = matches!(answer.status(), 401 | 403);
        Ok(answer.header(WWW_AUTHENTICATE).filter(|_| is_challenge).map(str::to_owned))
    }

    pub(super) fn sessions(&self) -> &Sessions {
        &self.hub.0.mcp_servers.sessions
    }

    async fn begin(&self) -> Result<(Era, Features), McpFailure> {
        match timeout(PROBE, self.discover()).await {
            Ok(Ok(Some(met))) => return Ok(met),
            // These would say the same once more.
            Ok(Err(
                failure @ (McpFailure::Unreached(_)
                | McpFailure::LoginNeeded
                | McpFailure::Forbidden
                | McpFailure::WantsMoreRights
                | McpFailure::Moved(_)
                | McpFailure::TooMuch(_)
                | McpFailure::TooOften
                | McpFailure::Version(_)),
            )) => return Err(failure),
            Ok(Ok(None) | Err(_)) | Err(_) => {}
        }
        self.initialize().await
    }

    /// `None`: it is one of those that have to be greeted.
    async fn discover(&self) -> Result<Option<(Era, Features)>, McpFailure> {
        let asked = Asked { method: "server/discover", about: None, params: json!({}), mirrored: Vec::new() };
        for _ in 0..2 {
            match self.request(&Era::Modern, &asked).await {
                Ok(Came::Answer(result)) => {
                    return Ok(era::discovered(&result)?.map(|era| (era, Features::of(&result))));
                }
                Ok(Came::Questions { .. }) => return Err(McpFailure::NotMcp),
                // This one may be among them, and is said once more then.
                Ok(Came::OtherVersions(versions)) => match era::common(&versions)? {
                    Some(_) => {}
                    None => return Ok(None),
                },
                Err(McpFailure::Forgotten) => return Ok(None),
                Err(failure) => return Err(failure),
            }
        }
        Err(McpFailure::NotMcp)
    }

    async fn initialize(&self) -> Result<(Era, Features), McpFailure> {
        let (greeting, id) = Message::request("initialize", era::greeting(), self.sessions().next_id());
        let answer = self.post(self.headers(None), &greeting).await?;
        self.check(&answer)?;
        let session = answer.header(SESSION).map(str::to_owned);
        let greeted = match self.heard(None, answer, id).await? {
            Heard::Result(result) => (era::greeted(&result, session)?, Features::of(&result)),
            Heard::Error { message, .. } => return Err(self.said(&message)),
        };
        let thanks = Message::notification("notifications/initialized");
        self.check(&self.post(self.headers(Some(&greeted.0)), &thanks).await?)?;
        Ok(greeted)
    }

    pub(super) async fn request(&self, era: &Era, asked: &Asked<'_>) -> Result<Came, McpFailure> {
        let id = self.sessions().next_id();
        let mut params = era.params(&asked.params, self.asking.is_some());
        if self.asking.is_some() {
            params["_meta"]["progressToken"] = id.into();
        }
        let (message, id) = Message::request(asked.method, params, id);
        let mut headers = self.headers(Some(era));
        if let Era::Modern = era {
            headers.insert(METHOD, HeaderValue::from_static(asked.method));
            if let Some(about) = asked.about {
                headers.insert(NAME, message::header(about));
            }
            for (name, text) in &asked.mirrored {
                headers.insert(name, message::header(text));
            }
        }
        let listener = match self.asking {
            Some(asking) => self.listener(era, asking, id).await,
            None => None,
        };
        let cancelling = self.cancelling(era, id);
        let came = self.came(era, headers, &message, id);
        let came = match listener {
            Some(listener) => self.while_listening(era, listener, came).await?,
            None => came.await,
        };
        cancelling.end();
        came
    }

    async fn came(
        &self,
        era: &Era,
        headers: HeaderMap,
        message: &Message,
        id: u64,
    ) -> Result<Came, McpFailure> {
        let answer = self.post(headers, message).await?;
        let status = answer.status();
        if era::may_be_over(status) {
            return match self.heard(Some(era), answer, id).await {
                Ok(Heard::Error { code, versions: Some(versions), .. })
                    if era::is_about_the_version(code) =>
                {
                    Ok(Came::OtherVersions(versions))
                }
                Ok(Heard::Error { code, message, .. }) if !era::is_about_the_session(era, status, code) => {
                    Err(self.said(&message))
                }
                Ok(Heard::Error { .. } | Heard::Result(_)) | Err(_) => Err(McpFailure::Forgotten),
            };
        }
        self.check(&answer)?;
        match self.heard(Some(era), answer, id).await? {
            Heard::Result(result) => Came::of(result),
            Heard::Error { code, visits, .. } if era::wants_a_visit(code) => {
                Err(McpFailure::WantsVisit(visits))
            }
            Heard::Error { code, versions: Some(versions), .. } if era::is_about_the_version(code) => {
                Ok(Came::OtherVersions(versions))
            }
            Heard::Error { message, .. } => Err(self.said(&message)),
        }
    }

    pub(super) async fn post(&self, headers: HeaderMap, message: &Message) -> Result<Answer, McpFailure> {
        Ok(self.hub.outbound().send(Method::POST, &self.target, headers, message.bytes()).await?)
    }

    /// What an answer means whose body says nothing more. What it wants of whoever asks is kept for their sign-in.
    pub(super) fn check(&self, answer: &Answer) -> Result<(), McpFailure> {
        let wanted = answer.header(WWW_AUTHENTICATE).filter(|_| matches!(answer.status(), 401 | 403));
        if let Some(wanted) = wanted {
            self.hub.0.mcp_servers.challenges.keep(&self.server, wanted);
        }
        match wanted.and_then(more_scopes).filter(|_| self.access.get().is_some()) {
            Some(_) => Err(McpFailure::WantsMoreRights),
            None => answer::check(answer),
        }
    }

    pub(super) fn headers(&self, era: Option<&Era>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        self.headers.put(&mut headers);
        if let Some(access) = self.access.get()
            && let Ok(mut bearer) = HeaderValue::from_str(&format!("Bearer {}", access.token.expose()))
        {
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        if let Some(era) = era {
            if !era.is_first() {
                headers.insert(VERSION, HeaderValue::from_static(era.version()));
            }
            if let Era::Legacy { session: Some(session), .. } = era
                && let Ok(session) = HeaderValue::from_str(session)
            {
                headers.insert(SESSION, session);
            }
        }
        headers
    }

    /// Its own words, without what was sent along.
    pub(super) fn said(&self, message: &str) -> McpFailure {
        message::said(&self.without_secrets(message))
    }
}

impl Hides for WebClient<'_> {
    fn without_secrets(&self, text: &str) -> String {
        let mut hidden = self.headers.hide(text);
        if let Some(query) = &self.query {
            hidden = query.hide(&hidden).into_owned().into();
        }
        match self.access.get().and_then(|access| Needles::of(access.token.expose())) {
            Some(needles) => needles.hide(&hidden).into_owned(),
            None => hidden.into_owned(),
        }
    }
}
