//! Reading a page that a search found, as far as that needs nobody.

use super::{FETCH_TIMEOUT, FetchRequest, Permits, ToolError, perform, polite, read, read_document};
use crate::documents::DocumentKind;
use crate::engine::{DocumentText, HtmlPage, LinksOf, MetadataOf, PageLink, PagePart, PartOf, Readable};
use crate::gateway::{Caller, RedirectCheck};
use crate::outbound::Target;
use agent::tools::ResolvedCall;
use serde_json::{Map, Value};

/// What an answer of `fetch` says of the page, with its text up to the usual end of texts.
pub(in crate::tools) async fn read_found(
    caller: &Caller<'_>,
    call: &ResolvedCall,
    target: Target,
) -> Result<Value, ToolError> {
    caller.count_found_page().map_err(ToolError)?;
    let page = FoundPage { caller, call };
    perform(&polite(caller, true).await?, &page, FetchRequest::whole(target), FETCH_TIMEOUT).await
}

struct FoundPage<'a> {
    caller: &'a Caller<'a>,
    /// The call that found it.
    call: &'a ResolvedCall,
}

impl Permits for FoundPage<'_> {
    async fn permits(&self, target: &Target) -> Result<(), String> {
        let may = self.caller.may_read_found(self.call, target).await;
        may.map_err(|error| error.into_failure().to_string())?
    }

    /// Where it leads is one more page, and what may be read of it was asked before.
    async fn leads(&self, _target: &Target) -> Result<RedirectCheck, String> {
        Ok(RedirectCheck::On)
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
