//! The page on which a file of another product is chosen.

use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::ui::{FailureBanner, Field, FormEnd, PageTitle, Section};
use leptos_router::hooks::use_query_map;
use protocol::view::Me;
use protocol::{Failure, FailureKind};

#[component]
pub fn ImportPage() -> impl IntoView {
    let shown = PageResource::new(|| (), |()| load());
    view! {
        <PageTitle text={t("Import conversations").to_owned()}/>
        <Loaded resource=shown view={move |me| view! {
            <Shell me>
                <div class="settings">
                    <header class="section-head">
                        <h1>"Import conversations"</h1>
                        <p>"What you said with another product becomes conversations of an agent here. You see what is in the file before anything is brought in."</p>
                    </header>
                    <File/>
                    <WhereFrom/>
                </div>
            </Shell>
        }}/>
    }
}

async fn load() -> Result<Me, AppError> {
    me().await
}

/// A form of the browser's own: a file goes with the whole page.
#[component]
fn File() -> impl IntoView {
    let query = use_query_map();
    let refused = move || {
        let message = query.with(|query| {
            if query.get("too-large").is_some() {
                Some(t("The file is larger than 20 MB, or the hub takes in no more at the moment."))
            } else if query.get("no-file").is_some() {
                Some(t("Choose a file first."))
            } else {
                None
            }
        });
        message.map(|message| view! { <FailureBanner failure=Failure::new(FailureKind::Invalid, message)/> })
    };
    view! {
        <Section id="file" title="Choose the file">
            {refused}
            <form class="form" method="post" action="/imports" enctype="multipart/form-data">
                <Field id="export" label="Export" hint="A .json, or the .zip it came in, of at most 20 MB. It is kept for a day.">
                    <input
                        class="input"
                        id="export"
                        type="file"
                        name="export"
                        accept=".json,.zip,application/json,application/zip"
                        required
                        aria-describedby="export-hint"
                    />
                </Field>
                <FormEnd words="Look inside"/>
            </form>
        </Section>
    }
}

#[component]
fn WhereFrom() -> impl IntoView {
    view! {
        <Section id="from" title="Where the file comes from">
            <ul>
                <li><b>{"ChatGPT"}</b>": Settings, Data controls, Export data. The archive that comes by mail, or its conversations.json."</li>
                <li><b>{"Claude"}</b>": Settings, Privacy, Export data. The archive that comes by mail, or its conversations.json."</li>
                <li><b>{"Open WebUI"}</b>": Settings, Chats, Export. One file has all of them."</li>
                <li><b>{"LibreChat"}</b>": the menu of a conversation, Share, Export, as JSON. One file has one conversation."</li>
                <li><b>{"Vivarium"}</b>": the list of conversations of an agent, as JSON. One file has one conversation, with all of its branches."</li>
            </ul>
        </Section>
        <Section id="what" title="What is brought in">
            <ul>
                <li>"The words of both sides, with their times and the name of the conversation."</li>
                <li>"Of a conversation with branches the one that was looked at last; of one of Vivarium all."</li>
                <li>"No pictures and files, no calls of tools, nothing that a model only thought, and nothing that nobody saw. The next page counts them."</li>
            </ul>
        </Section>
    }
}
