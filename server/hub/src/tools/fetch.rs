//! `fetch`: one request to the web and what came of it. Every step of a redirect is checked like the
//! first one, and one for which the person would have to be asked is not taken; which addresses are public is
//! seen to by the outbound client itself.

mod document;
mod found;
mod request;
mod response;

use super::ToolError;
use crate::documents::{DocumentKind, Wanted};
use crate::engine::{
    DocumentText, HtmlPage, LinksOf, MetadataOf, PageLink, PagePart, PartOf, Readable, Task,
};
use crate::gateway::{Caller, RedirectCheck};
use crate::network;
use crate::outbound::{Answer, Outbound, OutboundError, Target};
use crate::web_client::{Manners, Reading, WebClient, WebError, WebRequest};
use crate::web_secrets::SentSecret;
use agent::tools::ResolvedCall;
pub(in crate::tools) use found::read_found;
use protocol::approval::Asker;
use protocol::view::Network;
use request::FetchRequest;
use reqwest::Method;
use reqwest::header::LOCATION;
use serde_json::{Map, Value};
use std::time::Duration;
use tokio::time::timeout;

/// For all of it: redirects and body.
const FETCH_TIMEOUT: Duration = Duration::from_secs(20);
const REDIRECTS: usize = 5;
/// For making a page readable.
const READABLE_TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes of a body that are read.
const BODY: usize = 2 * 1024 * 1024;
/// The same of a document.
const DOCUMENT: usize = 5 * 1024 * 1024;

impl From<OutboundError> for ToolError {
    fn from(error: OutboundError) -> Self {
        Self(match error {
            OutboundError::NotAllowed { place } => {
                format!("Not allowed: {place} is not a public address. Only those can be reached.")
            }
            other => other.to_string(),
        })
    }
}

impl From<WebError> for ToolError {
    fn from(error: WebError) -> Self {
        match error {
            WebError::Outbound(error) => error.into(),
            other => Self(other.to_string()),
        }
    }
}

pub(super) async fn fetch(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let network = caller.hub.networks().of_agent(caller.root).await?;
    let mut request = FetchRequest::of(call)?;
    let needles = match &request.secret_named {
        Some(name) => {
            let secret = secret_for(caller, &request.target, name).await?;
            let needles = secret.needles();
            request.send_along(secret);
            needles
        }
        None => None,
    };
    // A name of the open web is looked up by others, who could have it lead into the house.
    let is_near = matches!(network, Network::AllowList { .. }) && request.target.is_local();
    let context = FetchContext { caller, call, network, is_near };
    let told = match is_near {
        true => perform(caller.hub.listed(), &context, request, FETCH_TIMEOUT).await,
        // Who named the servers answers for how often they are asked.
        false => {
            let is_paced = context.network == Network::Public;
            perform(&polite(caller, is_paced).await?, &context, request, FETCH_TIMEOUT).await
        }
    };
    let Some(needles) = needles else { return told.map(|told| told.to_string()) };
    let mut told = told.map_err(|ToolError(why)| ToolError(needles.hide(&why).into_owned()))?;
    needles.hide_in(&mut told);
    Ok(told.to_string())
}

/// The secret of this name, if it is for where the request goes. A page has none: what runs there others may have written.
async fn secret_for(caller: &Caller<'_>, target: &Target, name: &str) -> Result<SentSecret, ToolError> {
    if caller.asker() == Asker::Page {
        return Err(ToolError(
            "A page sends no secret. Its agent can, when it fetches by itself.".to_owned(),
        ));
    }
    let secrets = caller.hub.web_secrets();
    let found = secrets.to_send(&caller.owner.0, caller.root, name, &target.place()).await?;
    found.map_err(ToolError)
}

/// The web as this caller asks it.
async fn polite<'a>(caller: &Caller<'a>, is_paced: bool) -> Result<WebClient<'a>, ToolError> {
    let follows_robots = caller.hub.networks().follows_robots(caller.root).await?;
    Ok(caller.hub.web_client(caller.owner, Manners { follows_robots, is_paced }))
}

/// Who carries a request to its server.
trait Carries: Sync {
    fn carry(&self, asked: &FetchRequest) -> impl Future<Output = Result<Answer, ToolError>> + Send;
}

impl Carries for Outbound {
    async fn carry(&self, asked: &FetchRequest) -> Result<Answer, ToolError> {
        let FetchRequest { method, target, headers, body, .. } = asked;
        Ok(self.send(method.clone(), target, headers.clone(), body.clone()).await?)
    }
}

impl Carries for WebClient<'_> {
    async fn carry(&self, asked: &FetchRequest) -> Result<Answer, ToolError> {
        let FetchRequest { method, target, headers, body, .. } = asked;
        let reading = match asked.is_plain() {
            false => Reading::Anew,
            true if asked.from > 0 => Reading::On,
            true => Reading::FromStart,
        };
        Ok(self.send(WebRequest { method, target, headers, body, reading }).await?)
    }
}

/// What a call may do beside the request itself.
trait Permits: Sync {
    /// Whether a request may go there; otherwise why not.
    fn permits(&self, target: &Target) -> impl Future<Output = Result<(), String>> + Send;
    /// The same of a place to which an answer leads, and that the network permits.
    fn leads(&self, target: &Target) -> impl Future<Output = Result<RedirectCheck, String>> + Send;
    /// What the page says; otherwise why nobody can tell.
    fn readable(&self, page: HtmlPage) -> impl Future<Output = Result<Readable, String>> + Send;
    /// What the selector picks out of the page; otherwise why nothing.
    fn part(&self, part: PartOf) -> impl Future<Output = Result<PagePart, String>> + Send;
    /// What the document says; otherwise why nobody can tell.
    fn document(
        &self,
        kind: DocumentKind,
        bytes: &[u8],
    ) -> impl Future<Output = Result<DocumentText, String>> + Send;
    /// Where it leads.
    fn links(&self, page: HtmlPage) -> impl Future<Output = Result<Vec<PageLink>, String>> + Send;
    /// What it says of itself.
    fn metadata(&self, page: HtmlPage) -> impl Future<Output = Result<Map<String, Value>, String>> + Send;
}

/// What the person wants of this call.
struct FetchContext<'a> {
    caller: &'a Caller<'a>,
    call: &'a ResolvedCall,
    /// What the agent may reach, by which the door was chosen.
    network: Network,
    /// It begins at an address nearby that the list names, and stays at such.
    is_near: bool,
}

async fn read_document(
    caller: &Caller<'_>,
    kind: DocumentKind,
    bytes: &[u8],
) -> Result<DocumentText, String> {
    let read = caller.hub.read_document(caller.owner, kind, bytes, Wanted::default()).await;
    read.map_err(|why| why.to_string())
}

async fn read<T: Task>(caller: &Caller<'_>, page: T) -> Result<T::Done, String> {
    let read = caller.hub.engine().perform(caller.owner, page, READABLE_TIMEOUT).await;
    read.map_err(|error| error.to_string())
}

impl Permits for FetchContext<'_> {
    async fn permits(&self, target: &Target) -> Result<(), String> {
        let network = self.caller.hub.networks().of_agent(self.caller.root).await;
        let network = network.map_err(|error| error.into_failure().to_string())?;
        if network != self.network {
            return Err("What this agent may reach has changed meanwhile. Make the call again.".to_owned());
        }
        if self.is_near && !target.is_local() {
            return Err("That leads from an address nearby into the open web. Fetch it by itself.".to_owned());
        }
        network::permit(&network, target)
    }

    async fn leads(&self, target: &Target) -> Result<RedirectCheck, String> {
        self.caller.is_led(self.call, target).await.map_err(|error| error.into_failure().to_string())?
    }

    async fn readable(&self, page: HtmlPage) -> Result<Readable, String> {
        read(self.caller, page).await
    }

    async fn part(&self, part: PartOf) -> Result<PagePart, String> {
        read(self.caller, part).await?
    }

    async fn document(&self, kind: DocumentKind, bytes: &[u8]) -> Result<DocumentText, String> {
        read_document(self.caller, kind, bytes).await
    }

    async fn links(&self, page: HtmlPage) -> Result<Vec<PageLink>, String> {
        read(self.caller, LinksOf(page)).await
    }

    async fn metadata(&self, page: HtmlPage) -> Result<Map<String, Value>, String> {
        read(self.caller, MetadataOf(page)).await
    }
}

async fn perform(
    web: &impl Carries,
    wanted: &impl Permits,
    asked: FetchRequest,
    limit: Duration,
) -> Result<Value, ToolError> {
    let late = || ToolError(format!("It took longer than {} seconds and was given up.", limit.as_secs()));
    timeout(limit, within_time(web, wanted, asked)).await.map_err(|_| late())?
}

async fn within_time(
    web: &impl Carries,
    wanted: &impl Permits,
    mut asked: FetchRequest,
) -> Result<Value, ToolError> {
    let dropped = std::mem::take(&mut asked.dropped);
    wanted.permits(&asked.target).await.map_err(ToolError)?;
    for _ in 0..=REDIRECTS {
        let answer = web.carry(&asked).await?;
        let Some(target) = next(&asked, &answer)? else {
            return response::tell(wanted, asked, answer, dropped).await;
        };
        wanted.permits(&target).await.map_err(ToolError)?;
        match wanted.leads(&target).await.map_err(ToolError)? {
            RedirectCheck::On => asked = asked.redirected(answer.status(), target)?,
            RedirectCheck::NoFurther(why) => {
                let mut told = response::tell(wanted, asked, answer, dropped).await?;
                told["not_followed"] = why.into();
                return Ok(told);
            }
        }
    }
    Err(ToolError(format!("It was sent on more than {REDIRECTS} times and given up.")))
}

/// Where the answer leads, if it is a redirect.
fn next(asked: &FetchRequest, answer: &Answer) -> Result<Option<Target>, ToolError> {
    if !matches!(answer.status(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let location = answer.header(LOCATION);
    location.map(|location| led(&asked.target, location)).transpose()
}

fn led(from: &Target, location: &str) -> Result<Target, ToolError> {
    let target = from.join(location)?;
    if from.url().scheme() == "https" && target.url().scheme() != "https" {
        let place = target.place();
        return Err(ToolError(format!(
            "It leads from https to {place}, which is not encrypted. It was given up."
        )));
    }
    Ok(target)
}

/// Whether a request of this method has a body.
fn has_body(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD)
}

#[cfg(test)]
mod tests;
