//! The document around every page, and which page answers which path.

mod areas;
mod focus;
mod located;
#[cfg(feature = "ssr")]
mod script_words;

#[cfg(feature = "ssr")]
use crate::appearance::cookie;
#[cfg(feature = "ssr")]
use crate::assets::asset;
use crate::chrome::known_person_signal;
use crate::chrome::{NotFound, provide_attention, provide_known_person, provide_palette};
use crate::conversation::{AgentPage, AskAhead, EarlierPage, SendLeftElsewhere};
use crate::conversations::ConversationsPage;
use crate::palette::Palette;
use crate::prelude::*;
use crate::side_bar::{Beside, BesideSettings, Bottom, provide_side_bar};
use crate::wall::WallPage;
use areas::{account, agent_settings, hub_settings, shared};
use focus::FocusPages;
#[cfg(feature = "ssr")]
use leptos_meta::MetaTags;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{Route, Router, Routes};
use leptos_router::hooks::use_location;
use leptos_router::{SsrMode, path};
use located::Located;

/// Runs before any other script.
#[cfg(feature = "ssr")]
const TRUSTED: &str = include_str!("trusted.js");

/// The HTML document. Pages before sign-in get no script, but for the one
/// of passkeys, and neither does the one that leads back to a program.
#[cfg(feature = "ssr")]
pub fn shell(options: LeptosOptions) -> impl IntoView {
    let facts = crate::context::facts();
    let scripted = facts.viewer.is_some() && !is_public(&facts.path);
    crate::context::set_content_security_policy(&facts.origin);
    crate::context::go_on_the_way();
    if scripted {
        crate::context::set_permissions_policy();
    }
    let prefix = asset("");
    if let Some(parts) = use_context::<crate::context::SplitManifest>().filter(|_| scripted) {
        parts.provide(&prefix);
    }
    let words = (scripted && facts.language != Language::English).then(|| {
        let tag = facts.language.tag();
        [format!("/languages/{tag}.json"), format!("/languages/{tag}.sentences.json")]
            .map(
                |file| view! { <link rel="preload" href=asset(&file) r#as="fetch" crossorigin="anonymous"/> },
            )
            .into_iter()
            .collect_view()
    });
    let looks = cookie::read();
    let person = facts.viewer.as_ref().filter(|_| scripted).map(|viewer| viewer.me.id.0.clone());
    let chosen = facts.viewer.as_ref().and_then(|viewer| viewer.me.language).map(Language::tag);
    // The one script of the sign-in page. From every other page one can get to the account without a new
    // document.
    let passkeys = scripted || facts.path == "/sign-in";
    view! {
        <!DOCTYPE html>
        <html
            lang=facts.language.tag()
            data-assets=prefix.clone()
            data-person=person
            data-chosen-language=chosen
            data-theme=cookie::theme(looks)
            data-contrast=cookie::contrast(looks)
            data-text=cookie::text_size(looks)
        >
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"/>
                <meta name="color-scheme" content="light dark"/>
                // The grounds of the two themes.
                <meta name="theme-color" content="#faf9f5" media="(prefers-color-scheme: light)"/>
                <meta name="theme-color" content="#171412" media="(prefers-color-scheme: dark)"/>
                <link rel="icon" href=asset("/favicon.svg") type="image/svg+xml"/>
                <link rel="apple-touch-icon" href="/app-icons/180.png"/>
                <link rel="manifest" href=format!("/manifest.webmanifest?language={}", facts.language.tag())/>
                <link rel="stylesheet" href=asset("/pkg/vivarium.css")/>
                {passkeys.then(script_words::script_words).flatten().map(|words| view! { <script type="application/json" id="words" inner_html=words></script> })}
                {words}
                {scripted.then(|| view! {
                    <script nonce=leptos::nonce::use_nonce() inner_html=TRUSTED></script>
                    <HydrationScripts options root=prefix.clone()/>
                })}
                {scripted.then(|| view! { <script src=asset("/installed.js") defer nonce=leptos::nonce::use_nonce()></script> })}
                {scripted.then(|| view! { <script src=asset("/push.js") defer nonce=leptos::nonce::use_nonce()></script> })}
                {scripted.then(|| view! { <script src=asset("/voice.js") defer nonce=leptos::nonce::use_nonce()></script> })}
                {scripted.then(|| view! { <script src=asset("/code.js") defer nonce=leptos::nonce::use_nonce()></script> })}
                {scripted.then(|| view! { <script src=asset("/math.js") defer nonce=leptos::nonce::use_nonce()></script> })}
                {passkeys.then(|| view! { <script src=asset("/passkeys.js") defer nonce=leptos::nonce::use_nonce()></script> })}
                <MetaTags/>
            </head>
            <body><App/></body>
        </html>
    }
}

#[cfg(feature = "ssr")]
fn is_public(path: &str) -> bool {
    matches!(path, "/sign-in" | "/sign-in/code" | "/sign-up" | crate::context::AUTHORIZE)
        || path.starts_with("/setup/")
        || path.starts_with("/reset/")
        || path.starts_with("/unsubscribe/")
}

#[component]
pub fn App() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    crate::application::begin();
    provide_meta_context();
    provide_known_person();
    provide_palette();
    provide_attention();
    provide_side_bar();
    view! {
        // Also until the page of an area is there.
        <Title text="" formatter=|text: String| if text.is_empty() { "Vivarium".to_owned() } else { format!("{text} · Vivarium") }/>
        <Router>
            <Located/>
            <FocusPages/>
            <AskAhead/>
            <Unsent/>
            <div class="frame">
                <a class="skip" href="#main">"Skip to content"</a>
                <Beside/>
                <div class="page">
                    <BesideSettings/>
                    <Routes fallback=NotFound>
                        <Route path=path!("/") view=WallPage ssr=SsrMode::Async/>
                        <Route path=path!("/sign-in") view=account::SignIn::route() ssr=SsrMode::Async/>
                        <Route path=path!("/sign-in/code") view=account::Code::route() ssr=SsrMode::Async/>
                        <Route path=path!("/sign-up") view=account::SignUp::route() ssr=SsrMode::Async/>
                        <Route path=path!("/setup/:code") view=account::Setup::route() ssr=SsrMode::Async/>
                        <Route path=path!("/reset/:code") view=account::Reset::route() ssr=SsrMode::Async/>
                        <Route path=path!("/unsubscribe/:channel/:key") view=account::Unsubscribe::route() ssr=SsrMode::Async/>
                        <Route path=path!("/oauth/authorize") view=account::Authorize::route() ssr=SsrMode::Async/>
                        <Route path=path!("/account") view=account::Account::route() ssr=SsrMode::Async/>
                        <Route path=path!("/account/transfer") view=account::Transfer::route() ssr=SsrMode::Async/>
                        <Route path=path!("/account/second-factor") view=account::SecondFactor::route() ssr=SsrMode::Async/>
                        <Route path=path!("/account/audit") view=account::Audit::route() ssr=SsrMode::Async/>
                        <Route path=path!("/account/calls") view=account::Calls::route() ssr=SsrMode::Async/>
                        <Route path=path!("/settings") view=hub_settings::Settings::route() ssr=SsrMode::Async/>
                        <Route path=path!("/settings/hub") view=hub_settings::HubSettings::route() ssr=SsrMode::Async/>
                        <Route path=path!("/admin") view=hub_settings::Admin::route() ssr=SsrMode::Async/>
                        <Route path=path!("/admin/audit") view=hub_settings::Audit::route() ssr=SsrMode::Async/>
                        <Route path=path!("/admin/calls") view=hub_settings::Calls::route() ssr=SsrMode::Async/>
                        <Route path=path!("/admin/status") view=hub_settings::Status::route() ssr=SsrMode::Async/>
                        <Route path=path!("/admin/people/:id") view=hub_settings::Person::route() ssr=SsrMode::Async/>
                        <Route path=path!("/providers") view=hub_settings::Providers::route() ssr=SsrMode::Async/>
                        <Route path=path!("/context") view=hub_settings::PersonContext::route() ssr=SsrMode::Async/>
                        <Route path=path!("/memory") view=hub_settings::Memory::route() ssr=SsrMode::Async/>
                        <Route path=path!("/workspaces") view=hub_settings::Workspaces::route() ssr=SsrMode::Async/>
                        <Route path=path!("/workspaces/:id/files") view=agent_settings::Files::route() ssr=SsrMode::Async/>
                        <Route path=path!("/workspaces/:id/files/view") view=agent_settings::File::route() ssr=SsrMode::Async/>
                        <Route path=path!("/web-search") view=hub_settings::WebSearch::route() ssr=SsrMode::Async/>
                        <Route path=path!("/skills") view=hub_settings::Skills::route() ssr=SsrMode::Async/>
                        <Route path=path!("/skills/found") view=hub_settings::FoundSkills::route() ssr=SsrMode::Async/>
                        <Route path=path!("/skills/:id") view=hub_settings::Skill::route() ssr=SsrMode::Async/>
                        <Route path=path!("/mcp-servers") view=hub_settings::McpServers::route() ssr=SsrMode::Async/>
                        <Route path=path!("/topics") view=hub_settings::Topics::route() ssr=SsrMode::Async/>
                        <Route path=path!("/peers") view=hub_settings::Peers::route() ssr=SsrMode::Async/>
                        <Route path=path!("/peers/:id") view=hub_settings::Peer::route() ssr=SsrMode::Async/>
                        <Route path=path!("/external-jobs") view=hub_settings::ExternalJobs::route() ssr=SsrMode::Async/>
                        <Route path=path!("/external-jobs/:id") view=hub_settings::ExternalJob::route() ssr=SsrMode::Async/>
                        <Route path=path!("/job-services/:id") view=hub_settings::JobService::route() ssr=SsrMode::Async/>
                        <Route path=path!("/mcp-servers/:id") view=hub_settings::McpServer::route() ssr=SsrMode::Async/>
                        <Route path=path!("/notifications") view=hub_settings::Notifications::route() ssr=SsrMode::Async/>
                        <Route path=path!("/notifications/settings") view=hub_settings::NotificationSettings::route() ssr=SsrMode::Async/>
                        <Route path=path!("/providers/:id/share") view=hub_settings::Share::route() ssr=SsrMode::Async/>
                        <Route path=path!("/groups") view=hub_settings::Groups::route() ssr=SsrMode::Async/>
                        <Route path=path!("/models") view=hub_settings::Models::route() ssr=SsrMode::Async/>
                        <Route path=path!("/usage") view=hub_settings::Usage::route() ssr=SsrMode::Async/>
                        <Route path=path!("/search") view=hub_settings::Search::route() ssr=SsrMode::Async/>
                        <Route path=path!("/schedules") view=hub_settings::AllSchedules::route() ssr=SsrMode::Async/>
                        <Route path=path!("/teams") view=hub_settings::Teams::route() ssr=SsrMode::Async/>
                        <Route path=path!("/teams/export") view=hub_settings::ExportTeam::route() ssr=SsrMode::Async/>
                        <Route path=path!("/teams/files/:file") view=hub_settings::ReviewTeam::route() ssr=SsrMode::Async/>
                        <Route path=path!("/pipelines") view=hub_settings::Pipelines::route() ssr=SsrMode::Async/>
                        <Route path=path!("/pipelines/new") view=hub_settings::NewPipeline::route() ssr=SsrMode::Async/>
                        <Route path=path!("/pipelines/:id") view=hub_settings::Pipeline::route() ssr=SsrMode::Async/>
                        <Route path=path!("/console") view=hub_settings::Console::route() ssr=SsrMode::Async/>
                        <Route path=path!("/delegations") view=hub_settings::AllDelegations::route() ssr=SsrMode::Async/>
                        <Route path=path!("/gallery") view=hub_settings::Gallery::route() ssr=SsrMode::Async/>
                        <Route path=path!("/gallery/:archive") view=hub_settings::Review::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/new") view=agent_settings::New::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id") view=AgentPage ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/conversations") view=ConversationsPage ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/conversations/:conversation") view=AgentPage ssr=SsrMode::Async/>
                        <Route path=path!("/conversations/:id/share") view=shared::Give::route() ssr=SsrMode::Async/>
                        <Route path=path!("/import") view=shared::Import::route() ssr=SsrMode::Async/>
                        <Route path=path!("/import/:upload") view=shared::Imported::route() ssr=SsrMode::Async/>
                        <Route path=path!("/share-target") view=shared::ShareTarget::route() ssr=SsrMode::Async/>
                        <Route path=path!("/shared") view=shared::List::route() ssr=SsrMode::Async/>
                        <Route path=path!("/shared/:id") view=shared::Read::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/earlier") view=EarlierPage ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/edit") view=agent_settings::Edit::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/context") view=agent_settings::Context::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/tools") view=agent_settings::MadeTools::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/files") view=agent_settings::Files::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/files/view") view=agent_settings::File::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/instructions") view=agent_settings::Instructions::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/skins") view=agent_settings::Skins::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/budget") view=agent_settings::Budget::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/share") view=agent_settings::Share::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/delegations") view=agent_settings::Delegations::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/schedules") view=agent_settings::Schedules::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/schedules/:schedule") view=agent_settings::Schedule::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/rules") view=agent_settings::Rules::route() ssr=SsrMode::Async/>
                        <Route path=path!("/agents/:id/delete") view=agent_settings::Delete::route() ssr=SsrMode::Async/>
                    </Routes>
                </div>
                <Bottom/>
            </div>
            <Palette/>
        </Router>
    }
}

/// What was written where no page is open any more goes from any page but those of agents, which see to it themselves.
#[component]
fn Unsent() -> impl IntoView {
    let (location, me) = (use_location(), known_person_signal());
    let person = Memo::new(move |_| {
        let is_agents = location.pathname.with(|path| path.starts_with("/agents/"));
        me.with(|me| me.as_ref().filter(|_| !is_agents).map(|me| me.id.clone()))
    });
    view! { <SendLeftElsewhere person/> }
}
