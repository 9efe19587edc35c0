//! The document around every page, and which page answers which path.

use crate::account::{AccountPage, CodePage, ResetPage, SecondFactorPage, SetupPage, SignInPage, SignUpPage};
use crate::admin::{AdminPage, PersonPage};
use crate::agents::{DeleteAgentPage, EditAgentPage, NewAgentPage, WallPage};
use crate::audit::{AdminAuditPage, AdminCallsPage, OwnAuditPage, OwnCallsPage};
use crate::chrome::NotFound;
use crate::conversation::AgentPage;
use crate::gallery::{GalleryPage, ReviewPage};
use crate::inspector::ContextPage;
use crate::made_tools::MadeToolsPage;
use crate::models::ModelsPage;
use crate::money::{BudgetPage, UsagePage};
use crate::policy::RulesPage;
use crate::providers::ProvidersPage;
use crate::schedules::{AllSchedulesPage, SchedulePage, SchedulesPage};
use crate::sharing::{GroupsPage, SharePage};
use crate::skins::SkinsPage;
use crate::transfer::TransferPage;
use leptos::prelude::*;
#[cfg(feature = "ssr")]
use leptos_meta::MetaTags;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{Route, Router, Routes};
use leptos_router::{SsrMode, path};

/// The HTML document. Pages before sign-in get no script, but for the one
/// of passkeys.
#[cfg(feature = "ssr")]
pub fn shell(options: LeptosOptions) -> impl IntoView {
    let facts = crate::context::facts();
    let scripted = facts.viewer.is_some() && !is_public(&facts.path);
    crate::context::set_content_security_policy(&facts.origin);
    if scripted {
        crate::context::set_permissions_policy();
    }
    // The one script of the sign-in page. From every other page one can get to the account without a new
    // document.
    let passkeys = scripted || facts.path == "/sign-in";
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"/>
                <meta name="color-scheme" content="light dark"/>
                <link rel="icon" href="/favicon.svg" type="image/svg+xml"/>
                <link rel="stylesheet" href="/pkg/vivarium.css"/>
                {scripted.then(|| view! { <HydrationScripts options/> })}
                {passkeys.then(|| view! { <script src="/passkeys.js" defer nonce=leptos::nonce::use_nonce()></script> })}
                <MetaTags/>
            </head>
            <body><App/></body>
        </html>
    }
}

#[cfg(feature = "ssr")]
fn is_public(path: &str) -> bool {
    matches!(path, "/sign-in" | "/sign-in/code" | "/sign-up")
        || path.starts_with("/setup/")
        || path.starts_with("/reset/")
}

#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Title formatter=|text: String| if text.is_empty() { "Vivarium".to_owned() } else { format!("{text} · Vivarium") }/>
        <Router>
            <Routes fallback=NotFound>
                <Route path=path!("/") view=WallPage ssr=SsrMode::Async/>
                <Route path=path!("/sign-in") view=SignInPage ssr=SsrMode::Async/>
                <Route path=path!("/sign-in/code") view=CodePage ssr=SsrMode::Async/>
                <Route path=path!("/sign-up") view=SignUpPage ssr=SsrMode::Async/>
                <Route path=path!("/setup/:code") view=SetupPage ssr=SsrMode::Async/>
                <Route path=path!("/reset/:code") view=ResetPage ssr=SsrMode::Async/>
                <Route path=path!("/account") view=AccountPage ssr=SsrMode::Async/>
                <Route path=path!("/account/transfer") view=TransferPage ssr=SsrMode::Async/>
                <Route path=path!("/account/second-factor") view=SecondFactorPage ssr=SsrMode::Async/>
                <Route path=path!("/account/audit") view=OwnAuditPage ssr=SsrMode::Async/>
                <Route path=path!("/account/calls") view=OwnCallsPage ssr=SsrMode::Async/>
                <Route path=path!("/admin") view=AdminPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/audit") view=AdminAuditPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/calls") view=AdminCallsPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/people/:id") view=PersonPage ssr=SsrMode::Async/>
                <Route path=path!("/providers") view=ProvidersPage ssr=SsrMode::Async/>
                <Route path=path!("/providers/:id/share") view=SharePage ssr=SsrMode::Async/>
                <Route path=path!("/groups") view=GroupsPage ssr=SsrMode::Async/>
                <Route path=path!("/models") view=ModelsPage ssr=SsrMode::Async/>
                <Route path=path!("/usage") view=UsagePage ssr=SsrMode::Async/>
                <Route path=path!("/schedules") view=AllSchedulesPage ssr=SsrMode::Async/>
                <Route path=path!("/gallery") view=GalleryPage ssr=SsrMode::Async/>
                <Route path=path!("/gallery/:archive") view=ReviewPage ssr=SsrMode::Async/>
                <Route path=path!("/agents/new") view=NewAgentPage ssr=SsrMode::Async/>
                <Route path=path!("/agents/:id") view=AgentPage ssr=SsrMode::Async/>
                <Route path=path!("/agents/:id/edit") view=EditAgentPage ssr=SsrMode::Async/>
                <Route path=path!("/agents/:id/context") view=ContextPage ssr=SsrMode::Async/>
                <Route path=path!("/agents/:id/tools") view=MadeToolsPage ssr=SsrMode::Async/>
                <Route path=path!("/agents/:id/skins") view=SkinsPage ssr=SsrMode::Async/>
                <Route path=path!("/agents/:id/budget") view=BudgetPage ssr=SsrMode::Async/>
                <Route path=path!("/agents/:id/schedules") view=SchedulesPage ssr=SsrMode::Async/>
                <Route path=path!("/agents/:id/schedules/:schedule") view=SchedulePage ssr=SsrMode::Async/>
                <Route path=path!("/agents/:id/rules") view=RulesPage ssr=SsrMode::Async/>
                <Route path=path!("/agents/:id/delete") view=DeleteAgentPage ssr=SsrMode::Async/>
            </Routes>
        </Router>
    }
}
