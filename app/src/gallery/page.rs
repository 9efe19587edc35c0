//! The gallery: every template as a case on a wall, and a form for an archive of one's own.

use super::api::list_templates;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{FailureBanner, Section};
use leptos::attr::custom::custom_attribute;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use protocol::archive::TemplateCard;
use protocol::view::Me;
use protocol::{Failure, FailureKind};

#[component]
pub fn GalleryPage() -> impl IntoView {
    let templates = PageResource::new(|| (), |()| load());
    view! {
        <Title text="Gallery"/>
        <Loaded resource=templates view={move |(me, templates)| view! {
            <Shell me>
                <div class="dashboard">
                    <div class="dashboard-head">
                        <h1>"Gallery"</h1>
                        <a class="button" data-kind="quiet" href="/agents/new">"Begin with nothing"</a>
                    </div>
                    <ul class="wall">{templates.into_iter().map(|card| view! { <Template card/> }).collect_view()}</ul>
                    <Import/>
                </div>
            </Shell>
        }}/>
    }
}

#[component]
fn Template(card: TemplateCard) -> impl IntoView {
    let TemplateCard { archive, name, description, colour } = card;
    view! {
        <li class="card own" style=format!("--own:{colour}")>
            <div class="card-view">
                <iframe
                    class="card-still"
                    src=format!("/sandbox/still/archive/{archive}")
                    title=""
                    tabindex="-1"
                    aria-hidden="true"
                    inert
                    sandbox=""
                    {..custom_attribute("loading", "lazy")}
                ></iframe>
            </div>
            <div class="card-label">
                <h2 class="card-name" data-alone=""><a href=format!("/gallery/{archive}")>{name}</a></h2>
                <p class="card-words">{description}</p>
            </div>
        </li>
    }
}

/// A form of the browser's own: a file goes with the whole page.
#[component]
fn Import() -> impl IntoView {
    let query = use_query_map();
    let refused = move || {
        let message = query.with(|query| {
            if query.get("too-large").is_some() {
                Some(t("The archive is larger than 20 MB."))
            } else if query.get("no-file").is_some() {
                Some(t("Choose a file first."))
            } else {
                None
            }
        });
        message.map(|message| view! { <FailureBanner failure=Failure::new(FailureKind::Invalid, message)/> })
    };
    view! {
        <Section
            id="import"
            title="Open an archive"
            lead={view! { "An agent that somebody gave you as a " <code>{".flo.zip"}</code> ", from here or from flo.monster. You see what is in it before anything is made." }.into_any()}
        >
            {refused}
            <form class="field-row" method="post" action="/archives" enctype="multipart/form-data">
                <input class="input" type="file" name="archive" accept=".zip,application/zip" required aria-label="Archive"/>
                <button type="submit" class="button">"Look inside"</button>
            </form>
        </Section>
    }
}

async fn load() -> Result<(Me, Vec<TemplateCard>), AppError> {
    Ok(together!(me(), list_templates()))
}
