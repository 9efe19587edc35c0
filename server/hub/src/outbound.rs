//! The one door to other servers. It checks the address that it really connects to, follows no
//! redirect and uses no proxy. What is asked and what the answer means is not known here.

mod address;
mod answer;
mod dial;
mod error;
pub(crate) mod freshness;
mod resolver;
mod target;
mod trust;

pub(crate) use answer::Answer;
pub(crate) use dial::{Connection, seal};
pub(crate) use error::OutboundError;
pub(crate) use target::Target;

use crate::Hub;
use reqwest::header::HeaderMap;
use reqwest::{Client, ClientBuilder, Method};
use std::time::Duration;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Which addresses besides public ones may be connected to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Those of private networks.
    pub private: bool,
    /// Those of this machine.
    pub loopback: bool,
}

#[derive(Debug)]
pub(crate) struct Outbound {
    client: Client,
    reach: Reach,
}

impl Hub {
    /// The door for providers.
    pub(crate) fn outbound(&self) -> &Outbound {
        &self.0.outbound
    }

    /// The door for what agents reach.
    pub(crate) fn web(&self) -> &Outbound {
        &self.0.web
    }

    /// The same for what they reach because their list names it.
    pub(crate) fn listed(&self) -> &Outbound {
        &self.0.listed
    }
}

impl Outbound {
    pub(crate) fn new(reach: Reach) -> Self {
        Self::named(reach, &user_agent(None))
    }

    /// One that calls itself so.
    pub(crate) fn named(reach: Reach, agent: &str) -> Self {
        let client = builder(reach).user_agent(agent);
        let client = match trust::trusted_for_http() {
            Some(config) => client.tls_backend_preconfigured(config),
            None => client.tls_backend_rustls().tls_certs_only([]),
        };
        Self { client: client.build().expect("a client needs nothing else from the machine"), reach }
    }

    pub(crate) fn reach(&self) -> Reach {
        self.reach
    }

    /// Sends the request and waits for the head of the answer, however long that takes.
    pub(crate) async fn send(
        &self,
        method: Method,
        target: &Target,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<Answer, OutboundError> {
        target.check(self.reach)?;
        let request = self.client.request(method, target.url().clone()).headers(headers).body(body);
        match request.send().await {
            Ok(response) => Ok(Answer::new(response, target.place())),
            Err(error) => Err(OutboundError::of(error, target.place())),
        }
    }
}

/// What the hub calls itself, with how to reach who runs it.
pub(crate) fn user_agent(contact: Option<&str>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match contact {
        Some(contact) => format!("vivarium/{version} (+{contact})"),
        None => format!("vivarium/{version}"),
    }
}

fn builder(reach: Reach) -> ClientBuilder {
    #[expect(clippy::disallowed_methods, reason = "the one place that makes a client")]
    let client = Client::builder();
    client
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .retry(reqwest::retry::never())
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_nodelay(true)
        .dns_resolver(resolver::Resolver::new(reach))
}

#[cfg(test)]
mod tests;
