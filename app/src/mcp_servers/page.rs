//! The page: which servers there are, and the form for one more.

use super::api::{AddMcpServer, TakeMcpServer, list_mcp_servers, offered_mcp_servers};
use super::form::ServerForm;
use super::known::{Known, named};
use super::lent::Offered;
use super::list::ServerList;
use super::programs::ProgramForms;
use super::programs::api::{AddMcpProgram, list_mcp_programs};
use crate::AppError;
use crate::browser::follow_drawn;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::{brings_own, me};
use crate::side_bar::api::side_bar;
use crate::together::together;
use crate::ui::{Done, FormAction, Section, WhoCan, kept};
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use protocol::hub::Noun;
use protocol::view::{McpPrograms, McpServerView, Me, OfferedMcpServer};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    servers: Vec<McpServerView>,
    offered: Vec<OfferedMcpServer>,
    programs: McpPrograms,
    /// By id and name.
    agents: Vec<(String, String)>,
}

#[component]
pub fn McpServersPage() -> impl IntoView {
    let add = FormAction::<AddMcpServer>::new();
    let take = FormAction::<TakeMcpServer>::new();
    let start = FormAction::<AddMcpProgram>::new();
    let done = move || (add.version().get(), take.version().get(), start.version().get());
    let known = PageResource::new(done, |_| load());
    let query = use_query_map();
    let chosen = Memo::new(move |_| query.with(|query| query.get_str("known").and_then(named)));
    let drawn = StoredValue::new(None);
    let read = || async { list_mcp_servers().await.ok() };
    follow_drawn(&[Noun::McpServers], drawn, read, move || known.refetch());
    view! {
        <Title text="MCP servers"/>
        <Loaded resource=known view=move |known: PageData| {
            drawn.set_value(Some(known.servers.clone()));
            view! { <Sections known add take start chosen/> }
        }/>
    }
}

#[component]
fn Sections(
    known: PageData,
    add: FormAction<AddMcpServer>,
    take: FormAction<TakeMcpServer>,
    start: FormAction<AddMcpProgram>,
    chosen: Memo<Option<&'static Known>>,
) -> impl IntoView {
    let PageData { me, servers, offered, programs, agents } = known;
    let may_add = brings_own(&me);
    let forms = match may_add {
        true => {
            let form = kept(agents, move |agents| view! { <ServerForm add agents chosen/> });
            let programs = kept(programs, move |known| view! { <ProgramForms known add=start/> });
            view! { {form} {programs} }.into_any()
        }
        false => {
            view! { <WhoCan words="You use the servers that administrators share with you. Members and administrators can add their own."/> }
                .into_any()
        }
    };
    let list = match servers.is_empty() {
        true => view! { <NoServers may_add/> }.into_any(),
        false => view! { <ServerList list=servers/> }.into_any(),
    };
    view! {
        <Shell me>
            <div class="settings">
                <h1>"MCP servers"</h1>
                <Done what="none" words="No sign-in was under way that this answer is for, so nothing was taken from it. Press Connect on the page of the server."/>
                <Section
                    id="servers"
                    title="Yours"
                    lead="Servers elsewhere whose tools your agents can call. An agent has none of them until you give it a server, here or in its settings."
                >
                    {list}
                </Section>
                <Offered offered take/>
                {forms}
            </div>
        </Shell>
    }
}

#[component]
fn NoServers(may_add: bool) -> impl IntoView {
    let next = may_add.then(|| t("Choose one below, or add one by its address."));
    view! {
        <div class="empty">
            <h3>"No server yet"</h3>
            <p>{next} " You see the tools of a server before an agent does, and switch each of them on or off."</p>
        </div>
    }
}

async fn load() -> Result<PageData, AppError> {
    let (me, servers, offered, programs, beside) =
        together!(me(), list_mcp_servers(), offered_mcp_servers(), list_mcp_programs(), side_bar());
    let agents = beside.agents.into_iter().map(|agent| (agent.id.0, agent.name)).collect();
    Ok(PageData { me, servers, offered, programs, agents })
}
