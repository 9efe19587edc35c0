//! The page of one server: what came of asking it, and its tools.

use super::api::{
    AnswerAppHosts, ConnectMcpServer, DisconnectMcpServer, GiveMcpServer, LookAtMcpServer, RemoveMcpServer,
    SetMcpHeaders, ShareMcpServer, SwitchMcpTool, SwitchMcpTools, read_mcp_server,
};
use super::app_hosts::AppHosts;
use super::form::SecretFields;
use super::lent::Sharing;
use super::log::Log;
use super::programs::Given;
use super::programs::api::{SetMcpValues, list_mcp_programs};
use super::prompts::Prompts;
use super::sign_in::SignInSection;
use super::tool::{AllTools, ToolItem};
use super::words;
use crate::AppError;
use crate::browser::follow_drawn;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{
    ActionFailure, ActionForm, AgentBoxes, Done, FormAction, Icon, PageTitle, Section, When, kept, kept_each,
};
use leptos_router::hooks::use_params_map;
use protocol::McpServerId;
use protocol::hub::Noun;
use protocol::view::{
    GivenAgent, McpLent, McpProgram, McpServerDetail, McpServerView, McpToolView, Me, STDIO,
};
use serde::{Deserialize, Serialize};

/// What can be done here.
#[derive(Clone, Copy)]
struct Ways {
    look: FormAction<LookAtMcpServer>,
    switch: FormAction<SwitchMcpTool>,
    switch_all: FormAction<SwitchMcpTools>,
    send: FormAction<SetMcpHeaders>,
    give: FormAction<SetMcpValues>,
    hand: FormAction<GiveMcpServer>,
    connect: FormAction<ConnectMcpServer>,
    disconnect: FormAction<DisconnectMcpServer>,
    remove: FormAction<RemoveMcpServer>,
    share: FormAction<ShareMcpServer>,
    answer: FormAction<AnswerAppHosts>,
}

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    found: McpServerDetail,
    /// Those that administrators allow, where it is one.
    programs: Vec<McpProgram>,
}

#[component]
pub fn McpServerPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| McpServerId(params.read().get("id").unwrap_or_default()));
    let ways = Ways {
        look: FormAction::<LookAtMcpServer>::new(),
        switch: FormAction::<SwitchMcpTool>::new(),
        switch_all: FormAction::<SwitchMcpTools>::new(),
        send: FormAction::<SetMcpHeaders>::new(),
        give: FormAction::<SetMcpValues>::new(),
        hand: FormAction::<GiveMcpServer>::new(),
        connect: FormAction::<ConnectMcpServer>::new(),
        disconnect: FormAction::<DisconnectMcpServer>::new(),
        remove: FormAction::<RemoveMcpServer>::new(),
        share: FormAction::<ShareMcpServer>::new(),
        answer: FormAction::<AnswerAppHosts>::new(),
    };
    let done = move || {
        let signs =
            (ways.connect.version().get(), ways.disconnect.version().get(), ways.share.version().get());
        let answered = (ways.answer.version().get(), ways.give.version().get(), ways.hand.version().get());
        let switched = (ways.switch.version().get(), ways.switch_all.version().get());
        (ways.look.version().get(), switched, ways.send.version().get(), signs, answered)
    };
    let shown = PageResource::new(move || (id.get(), done()), |(id, _)| load(id));
    let drawn = StoredValue::new(None);
    let read = move || {
        let id = id.try_get_untracked();
        async move { Some(read_mcp_server(id?).await.ok()) }
    };
    // One that is removed elsewhere is not there any more.
    follow_drawn(&[Noun::McpServers], drawn, read, move || shown.refetch());
    view! {
        <Loaded resource=shown view=move |shown: PageData| {
            drawn.set_value(Some(Some(shown.found.clone())));
            view! { <Server shown ways/> }
        }/>
    }
}

#[component]
fn Server(shown: PageData, ways: Ways) -> impl IntoView {
    let PageData { me, found, programs } = shown;
    let McpServerDetail { server, tools, prompts, sign_in, sharing, app_hosts, log, agents } = found;
    let is_program = server.url.starts_with(STDIO);
    let may_change = brings_own(&me);
    let may_use = may_change || server.lent.is_some();
    let has_failed = server.failure.is_some() || server.sign_in_failure.is_some();
    let heading = server.name.clone();
    let failure = server.failure.clone().map(|why| view! { <Failed why/> });
    let done = (!has_failed).then(|| {
        view! {
            <Done what="added" words="The server is added. Look through its tools, and give it to your agents."/>
            <Done what="given" words="It is given so, from the next run of each agent on."/>
            <Done what="signed-in" words="You are signed in, and the server answers."/>
            <Done what="looked" words="It answers. These are its tools now."/>
            <Done what="shared" words="It is shared so from now on."/>
            <Done what="headers" words="This is sent along from now on, and the server answers."/>
            <Done what="values" words="It is given this from now on, and the server answers."/>
        }
    });
    view! {
        <PageTitle text={say!("{heading}, MCP server")}/>
        <Shell me>
            <div class="settings">
                <header class="section-head">
                    <h1>{heading}</h1>
                    <Facts server=server.clone()/>
                </header>
                <ActionFailure value=ways.look.value()/>
                {done}
                {failure}
                <div class="actions">
                    {kept(server.clone(), move |server| {
                        let look = may_use.then(|| view! { <Look server=server.clone() look=ways.look/> });
                        view! { {look} <Remove server remove=ways.remove/> }
                    })}
                </div>
                <ActionFailure value=ways.remove.value()/>
                {(!is_program).then(|| view! {
                    <SignInSection server=server.clone() sign_in may_connect=may_change connect=ways.connect disconnect=ways.disconnect/>
                })}
                <Tools server=server.clone() tools may_use switch=ways.switch switch_all=ways.switch_all/>
                {may_use.then(|| {
                    kept((server.id.clone(), agents), move |(id, agents)| view! { <Hand id agents hand=ways.hand/> })
                })}
                <Prompts server=server.name.clone() prompts/>
                <AppHosts id=server.id.clone() hosts=app_hosts answer=ways.answer/>
                {sharing.map(|sharing| view! { <Sharing id=server.id.clone() sharing share=ways.share/> })}
                {is_program.then(|| {
                    kept((server.clone(), programs), move |(server, programs)| view! { <Given server programs may_set=may_change set=ways.give/> })
                })}
                {(may_change && server.lent.is_none() && !is_program).then(|| kept(server, move |server| view! { <Sent server send=ways.send/> }))}
                <Log lines=log/>
                <p class="actions"><a class="button" href="/mcp-servers">"All MCP servers"</a></p>
            </div>
        </Shell>
    }
}

/// Where it is, and when it last answered.
#[component]
fn Facts(server: McpServerView) -> impl IntoView {
    let looked =
        server.looked_at.map(|at| view! { <p>"It last said which tools it has " <When at/> "."</p> });
    let lent = server.lent.map(|lent| match lent {
        McpLent::By { name } => say!("Lent to you by {name}, who enters what is sent along."),
        McpLent::Over => t("It is not shared with you any more: none of its tools can be called.").to_owned(),
    });
    view! {
        <p class="made-tool-about"><code>{server.url}</code></p>
        {lent.map(|words| view! { <p>{words}</p> })}
        {looked}
    }
}

#[component]
fn Failed(why: String) -> impl IntoView {
    view! {
        <div class="banner" data-kind="error" role="alert">
            <Icon name="warn"/>
            <p class="banner-text">"When it was last asked, it did not say which tools it has. " {why}</p>
        </div>
    }
}

#[component]
fn Look(server: McpServerView, look: FormAction<LookAtMcpServer>) -> impl IntoView {
    let id = server.id.0.clone();
    let is_looking = move || look.is_pending_with("id", &id);
    view! {
        <ActionForm action=look>
            <input type="hidden" name="id" value=server.id.0/>
            <button type="submit" class="button" aria-busy=move || is_looking().then_some("true")>"Look again"</button>
        </ActionForm>
    }
}

#[component]
fn Remove(server: McpServerView, remove: FormAction<RemoveMcpServer>) -> impl IntoView {
    let sends_along = !server.headers.is_empty() || server.url.contains('?');
    let words = t(if sends_along { "Remove it and what is sent along" } else { "Remove it" });
    view! {
        <details class="confirm">
            <summary class="button" data-kind="quiet" aria-label={say!("Remove {name}", name = server.name)}>
                <Icon name="trash" small=true/>
                "Remove"
            </summary>
            <ActionForm action=remove attr:class="confirm-body">
                <p>"No agent can call its tools any more."</p>
                <input type="hidden" name="id" value=server.id.0/>
                <button type="submit" class="button" data-kind="danger">{words}</button>
            </ActionForm>
        </details>
    }
}

#[component]
fn Tools(
    server: McpServerView,
    tools: Vec<McpToolView>,
    may_use: bool,
    switch: FormAction<SwitchMcpTool>,
    switch_all: FormAction<SwitchMcpTools>,
) -> impl IntoView {
    let count = words::tools(&server);
    let left_out = (server.left_out > 0).then(|| {
        view! { <p class="field-hint">{say!("It offers more than are kept here: {count} are left out.", count = server.left_out)}</p> }
    });
    let all = may_use.then(|| {
        kept(
            (server.id.clone(), tools.clone()),
            move |(server, tools)| view! { <AllTools server tools switch=switch_all/> },
        )
    });
    let list = match tools.is_empty() {
        true => view! { <p class="empty" data-size="small"><span>"None yet. Press Look again when it is there."</span></p> }.into_any(),
        false => {
            let id = server.id.clone();
            let rows =
                kept_each(tools, move |tool| view! { <ToolItem server=id.clone() tool may_use switch/> });
            view! { <ul class="made-tools">{rows}</ul> }.into_any()
        }
    };
    view! {
        <Section
            id="tools"
            title="Tools"
            lead="Names and descriptions are the server's own words, and agents are told so. You are asked before each call, unless a rule of yours says otherwise."
        >
            <p class="made-tool-meta">{count}</p>
            {left_out}
            {all}
            <ActionFailure value=switch.value()/>
            {list}
        </Section>
    }
}

#[component]
fn Hand(id: McpServerId, agents: Vec<GivenAgent>, hand: FormAction<GiveMcpServer>) -> impl IntoView {
    let is_pending = Signal::derive(move || hand.pending().get());
    view! {
        <Section
            id="agents"
            title="Give it to agents"
            lead="An agent that has the server can call those of its tools that are switched on. It has eight servers at most."
        >
            <ActionFailure value=hand.value()/>
            <ActionForm action=hand attr:class="form">
                <input type="hidden" name="id" value=id.0/>
                <AgentBoxes agents is_pending/>
            </ActionForm>
        </Section>
    }
}

/// What says who asks, and the form for something else.
#[component]
fn Sent(server: McpServerView, send: FormAction<SetMcpHeaders>) -> impl IntoView {
    let sent = match server.headers.as_slice() {
        [] => t("Nothing that says who asks.").to_owned(),
        names => say!("These headers, kept encrypted: {headers}.", headers = names.join(", ")),
    };
    view! {
        <Section id="sent" title="What is sent along" lead="With each request to this server. What you enter takes the place of all of it.">
            <p>{sent}</p>
            <ActionFailure value=send.value()/>
            <ActionForm action=send attr:class="form" attr:autocomplete="off">
                <input type="hidden" name="id" value=server.id.0/>
                <SecretFields/>
                <div class="form-end">
                    <button type="submit" class="button">"Set what is sent along"</button>
                </div>
            </ActionForm>
        </Section>
    }
}

async fn load(id: McpServerId) -> Result<PageData, AppError> {
    let (me, found) = together!(me(), read_mcp_server(id));
    let programs = match found.server.url.starts_with(STDIO) {
        true => list_mcp_programs().await?.programs,
        false => Vec::new(),
    };
    Ok(PageData { me, found, programs })
}
