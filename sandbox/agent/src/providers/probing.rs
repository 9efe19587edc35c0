//! What server is at an address that a person typed: what to ask, in which order, and what the answers
//! mean. Who asks is the hub.

use super::{HttpRequest, Wire, base_url};
use protocol::agent::ProviderKind;
use protocol::model::{ModelFailure, ModelFailureKind};
use protocol::{told, words};

/// A server that may be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub kind: ProviderKind,
    pub base_url: String,
}

/// What an answer says of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is there and has these models.
    Found { models: Vec<String> },
    /// It is there, or another server that wants a key first.
    WantsKey,
    /// It is not, and why.
    NotThere(ModelFailure),
}

/// A candidate that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub candidate: Candidate,
    pub judgement: Judgement,
}

/// Hosts that are known by their name.
const HOSTS: [(&str, ProviderKind); 13] = [
    ("api.anthropic.com", ProviderKind::Anthropic),
    ("api.openai.com", ProviderKind::OpenAi),
    ("generativelanguage.googleapis.com", ProviderKind::Gemini),
    ("openai.azure.com", ProviderKind::Azure),
    ("services.ai.azure.com", ProviderKind::Azure),
    ("cognitiveservices.azure.com", ProviderKind::Azure),
    ("api.groq.com", ProviderKind::Groq),
    ("openrouter.ai", ProviderKind::OpenRouter),
    ("api.deepseek.com", ProviderKind::DeepSeek),
    ("api.mistral.ai", ProviderKind::Mistral),
    ("api.x.ai", ProviderKind::XAi),
    ("ollama.com", ProviderKind::Ollama),
    ("amazonaws.com", ProviderKind::Bedrock),
];

/// Servers that are known by their port.
const PORTS: [(&str, ProviderKind); 3] =
    [("11434", ProviderKind::Ollama), ("1234", ProviderKind::LmStudio), ("8080", ProviderKind::LlamaCpp)];

impl Candidate {
    /// The list of models: every server has one, and it costs nothing.
    pub fn request(&self) -> Option<HttpRequest> {
        Wire::of(self.kind).map(|wire| wire.list_models(Some(&self.base_url)))
    }

    pub fn judge(&self, status: u16, body: &[u8]) -> Judgement {
        let Some(wire) = Wire::of(self.kind) else {
            return Judgement::NotThere(super::errors::not_this_kind(words!("This kind is no server.")));
        };
        if !(200..300).contains(&status) {
            let failure = wire.decode_error(status, None, body);
            return match failure.kind {
                ModelFailureKind::BadKey => Judgement::WantsKey,
                _ => Judgement::NotThere(failure),
            };
        }
        match wire.decode_models(body) {
            Ok(models) => Judgement::Found { models },
            Err(failure) => Judgement::NotThere(failure),
        }
    }
}

/// What to try for an address as people write it: with or without scheme, port and path, or a whole
/// endpoint. The likeliest first; none for what is no address.
pub fn candidates(typed: &str) -> Vec<Candidate> {
    let typed = typed.trim();
    let (scheme, rest) = match typed.split_once("://") {
        Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
        None => (None, typed.trim_start_matches('/')),
    };
    let host = base_url::host(rest);
    let is_written = !host.is_empty() && !rest.contains(char::is_whitespace) && !rest.contains('@');
    if !is_written || scheme.as_ref().is_some_and(|scheme| scheme != "http" && scheme != "https") {
        return Vec::new();
    }
    let schemes: Vec<&str> = match &scheme {
        Some(scheme) => vec![scheme],
        None if is_near(&host) => vec!["http", "https"],
        None => vec!["https"],
    };
    let mut list = Vec::new();
    for scheme in &schemes {
        add_at(&format!("{scheme}://{rest}"), &host, &mut list);
    }
    // On this machine or the one beside it, the port is what people leave out.
    if port_of(rest).is_none() && is_near(&host) && scheme.as_deref() != Some("https") {
        for (port, kind) in PORTS {
            push(kind, &format!("http://{host}:{port}"), &mut list);
        }
    }
    list
}

/// The attempts in words, one line each.
pub fn summarise(attempts: &[Attempt]) -> String {
    if attempts.is_empty() {
        return words!("That is no address of a server. Enter one like http://localhost:11434.").to_owned();
    }
    let line = |attempt: &Attempt| {
        let Candidate { kind, base_url } = &attempt.candidate;
        let said = match &attempt.judgement {
            Judgement::Found { models } if models.len() == 1 => words!("found, 1 model.").to_owned(),
            Judgement::Found { models } => told!("found, {count} models.", count = models.len()),
            Judgement::WantsKey => words!("it wants a key.").to_owned(),
            Judgement::NotThere(failure) => failure.message.clone(),
        };
        format!("{} at {base_url}: {said}", name(*kind))
    };
    attempts.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// What people call a kind of server.
fn name(kind: ProviderKind) -> &'static str {
    match Wire::of(kind) {
        Some(Wire::Anthropic) => "Anthropic",
        Some(Wire::OpenAiChat(dialect)) => dialect.name(),
        Some(Wire::OpenAiResponses) => "OpenAI Responses",
        Some(Wire::Gemini) => "Gemini",
        Some(Wire::Ollama) => "Ollama",
        Some(Wire::Bedrock) => "Bedrock",
        None => "No server",
    }
}

fn add_at(address: &str, host: &str, list: &mut Vec<Candidate>) {
    let is_in =
        |domain: &str| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if let Some((_, kind)) = HOSTS.iter().find(|(domain, _)| is_in(domain)) {
        return push(*kind, address, list);
    }
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let by_port = PORTS.iter().find(|(port, _)| port_of(rest) == Some(port));
    let path = base_url::path_of(address).trim_end_matches('/');
    let ends = |tails: &[&str]| tails.iter().any(|tail| path.ends_with(tail));
    let by_path = match () {
        () if ends(&["/api", "/api/chat", "/api/tags", "/api/generate"]) => Some(ProviderKind::Ollama),
        () if ends(&["/messages"]) => Some(ProviderKind::Anthropic),
        () if ends(&["/responses"]) => Some(ProviderKind::OpenAiResponses),
        () if ends(&["/v1beta"]) => Some(ProviderKind::Gemini),
        () => None,
    };
    let likely = by_path.or(by_port.map(|(_, kind)| *kind));
    let usual = [ProviderKind::OpenAi, ProviderKind::Ollama, ProviderKind::Anthropic];
    for kind in likely.into_iter().chain(usual) {
        push(kind, address, list);
    }
    // The format may be at the root, whatever path was written.
    if !path.is_empty() {
        push(ProviderKind::OpenAi, address.strip_suffix('/').unwrap_or(address).trim_end_matches(path), list);
    }
}

/// Two that would ask the same are one.
fn push(kind: ProviderKind, address: &str, list: &mut Vec<Candidate>) {
    // A whole endpoint says more than its root: where the version stands, or that there is none.
    let (root, _) = base_url::root(address);
    let tail = address.trim_end_matches('/').strip_prefix(root).unwrap_or_default();
    let is_own =
        ["/chat/completions", "/messages", "/responses"].contains(&tail) && kind != ProviderKind::Ollama;
    let base_url = if is_own { format!("{root}{tail}") } else { root.to_owned() };
    let candidate = Candidate { kind, base_url };
    let asks = |candidate: &Candidate| candidate.request().map(|request| (request.url, request.auth));
    if !list.iter().any(|known| asks(known) == asks(&candidate)) {
        list.push(candidate);
    }
}

/// On this machine or in this network, where servers have no certificate.
fn is_near(host: &str) -> bool {
    let is_number = |text: &str| text.parse::<u8>().is_ok();
    let parts: Vec<&str> = host.split('.').collect();
    let is_private = match parts.as_slice() {
        ["127" | "10", ..] | ["192", "168", ..] => parts.iter().all(|part| is_number(part)),
        ["172", second, ..] => second.parse().is_ok_and(|second: u8| (16..32).contains(&second)),
        _ => false,
    };
    is_private
        || !host.contains('.')
        || host.ends_with(".local")
        || host.ends_with(".lan")
        || host.ends_with(".internal")
}

fn port_of(rest: &str) -> Option<&str> {
    let authority = rest.split(['/', '?', '#']).next()?;
    let (host, port) = authority.rsplit_once(':')?;
    (!port.is_empty() && !port.ends_with(']') && (!host.contains(':') || host.ends_with(']'))).then_some(port)
}

#[cfg(test)]
mod tests;
