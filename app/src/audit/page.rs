//! The pages of the audit: one's own, and everybody's.

use super::AuditLines;
use super::api::{all_audit, audit_state, own_audit};
use super::search::{PageQuery, SearchForm, asked, older};
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::ui::{Icon, When, grouped};
use leptos_meta::Title;
use protocol::view::{AuditPage, AuditState, Me};
use serde::{Deserialize, Serialize};

const OWN: &str = "/account/audit";
const ALL: &str = "/admin/audit";

/// All that a page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    page: AuditPage,
    /// For administrators: whether all of it is what was written.
    state: Option<AuditState>,
}

#[component]
pub fn OwnAuditPage() -> impl IntoView {
    let asked = asked();
    let shown = PageResource::new(
        move || asked.get(),
        |asked| async move {
            let page = own_audit(asked.text, asked.action, asked.before).await?;
            Ok::<_, AppError>(PageData { me: me().await?, page, state: None })
        },
    );
    view! {
        <Title text="Audit"/>
        <Loaded
            resource=shown
            view=move |shown| view! {
                <Sections
                    shown
                    path=OWN
                    asked=asked.get_untracked()
                    words="What you did with your account, and what others did with it or tried to."
                />
            }
        />
    }
}

#[component]
pub fn AdminAuditPage() -> impl IntoView {
    let asked = asked();
    let shown = PageResource::new(
        move || asked.get(),
        |asked| async move {
            let page = all_audit(asked.person, asked.text, asked.action, asked.before).await?;
            Ok::<_, AppError>(PageData { me: me().await?, page, state: Some(audit_state().await?) })
        },
    );
    view! {
        <Title text="Audit"/>
        <Loaded
            resource=shown
            view=move |shown| view! {
                <Sections
                    shown
                    path=ALL
                    asked=asked.get_untracked()
                    words="What everybody did with accounts, keys and limits. It is kept for 400 days."
                />
            }
        />
    }
}

#[component]
fn Sections(shown: PageData, path: &'static str, asked: PageQuery, words: &'static str) -> impl IntoView {
    let PageData { me, page, state } = shown;
    let more = page.older.map(|before| {
        let address = older(path, &asked, before);
        view! { <p class="actions"><a class="button" href=address>"Older"</a></p> }
    });
    let calls = if path == ALL { "/admin/calls" } else { "/account/calls" };
    view! {
        <Shell me>
            <div class="settings">
                <h1>"Audit"</h1>
                {state.map(|state| view! { <Wholeness state/> })}
                <section class="section" aria-labelledby="lines">
                    <div class="section-head">
                        <h2 id="lines">"What happened"</h2>
                        <p>{words}</p>
                        <p class="actions"><a class="button" href=calls>"Calls of tools"</a></p>
                    </div>
                    <SearchForm path asked/>
                    <AuditLines lines=page.lines/>
                    {more}
                </section>
            </div>
        </Shell>
    }
}

/// Whether the audit is whole, and since when.
#[component]
pub fn Wholeness(state: AuditState) -> impl IntoView {
    let AuditState { lines, since, let_go, broken } = state;
    match broken {
        Some(how) => view! {
            <div class="banner" data-kind="error" role="alert">
                <Icon name="warn"/>
                <p class="banner-text">
                    "The audit is not what was written. " {how}
                    <small>"Somebody changed the database beside the hub, or it was put back from a backup in parts."</small>
                </p>
            </div>
        }
        .into_any(),
        None => view! {
            <div class="banner" data-kind="done" role="status">
                <Icon name="check"/>
                <p class="banner-text">
                    {say!("{count} lines, whole", count = grouped(lines))}
                    {since.map(|at| view! { " since " <When at/> })} "."
                    {(let_go > 0).then(|| view! {
                        <small>{say!("{count} lines of people who wrote very many made room.", count = grouped(let_go))}</small>
                    })}
                </p>
            </div>
        }
        .into_any(),
    }
}
