//! The pages of calls of tools: one's own, and everybody's.

use super::api::{all_calls, own_calls};
use super::words::{caller, decided, outcome_words};
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::ui::{Field, Select, Spelled, Table, When, dollars};
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use leptos_router::location::Url;
use protocol::view::{CallLine, CallOutcome, CallsPage, Me};
use serde::{Deserialize, Serialize};

const OWN: &str = "/account/calls";
const ALL: &str = "/admin/calls";

/// What the address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct PageQuery {
    person: String,
    text: String,
    outcome: Option<CallOutcome>,
    before: Option<String>,
}

/// All that a page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    calls: CallsPage,
}

#[component]
pub fn OwnCallsPage() -> impl IntoView {
    let asked = asked();
    let known = PageResource::new(
        move || asked.get(),
        |asked| async move {
            let calls = own_calls(asked.text, asked.outcome, asked.before).await?;
            Ok::<_, AppError>(PageData { me: me().await?, calls })
        },
    );
    view! {
        <Title text="Calls of tools"/>
        <Loaded
            resource=known
            view=move |known| view! {
                <Sections
                    known
                    path=OWN
                    asked=asked.get_untracked()
                    words="What your agents and their pages called, who decided about it, and what became of it. It is kept for 400 days, also when an agent is deleted."
                />
            }
        />
    }
}

#[component]
pub fn AdminCallsPage() -> impl IntoView {
    let asked = asked();
    let known = PageResource::new(
        move || asked.get(),
        |asked| async move {
            let calls = all_calls(asked.person, asked.text, asked.outcome, asked.before).await?;
            Ok::<_, AppError>(PageData { me: me().await?, calls })
        },
    );
    view! {
        <Title text="Calls of tools"/>
        <Loaded
            resource=known
            view=move |known| view! {
                <Sections
                    known
                    path=ALL
                    asked=asked.get_untracked()
                    words="Which tools everybody's agents called, and what became of it. What the calls were about is each person's own."
                />
            }
        />
    }
}

#[component]
fn Sections(known: PageData, path: &'static str, asked: PageQuery, words: &'static str) -> impl IntoView {
    let PageData { me, calls } = known;
    let more = calls.older.as_ref().map(|before| {
        let address = older(path, &asked, before);
        view! { <p class="actions"><a class="button" href=address>"Older"</a></p> }
    });
    let audit = if path == ALL { "/admin/audit" } else { "/account/audit" };
    view! {
        <Shell me>
            <div class="settings">
                <h1>"Calls of tools"</h1>
                <section class="section" aria-labelledby="calls">
                    <div class="section-head">
                        <h2 id="calls">"What was called"</h2>
                        <p>{words}</p>
                        <p class="actions"><a class="button" href=audit>"Audit"</a></p>
                    </div>
                    <Search path asked/>
                    <Lines lines=calls.lines is_admin={path == ALL}/>
                    {more}
                </section>
            </div>
        </Shell>
    }
}

#[component]
fn Search(path: &'static str, asked: PageQuery) -> impl IntoView {
    let PageQuery { person, text, outcome, .. } = asked;
    let label = t(if path == ALL { "Tool" } else { "Tool, agent, host or key" });
    let outcomes = CallOutcome::ALL
        .into_iter()
        .map(|each| {
            view! { <option value=word(each) selected=outcome == Some(each)>{outcome_words(each)}</option> }
        })
        .collect_view();
    view! {
        <form method="get" action=path class="form" role="search">
            {(!person.is_empty()).then(|| view! { <input type="hidden" name="person" value=person.clone()/> })}
            <Field id="calls-text" label=label>
                <input class="input" id="calls-text" name="text" type="search" maxlength="100" value=text/>
            </Field>
            <Select id="calls-outcome" name="outcome" label="How it ended">
                <option value="" selected=outcome.is_none()>"Anyhow"</option>
                {outcomes}
            </Select>
            <div class="form-end"><button type="submit" class="button">"Search"</button></div>
        </form>
    }
}

#[component]
fn Lines(lines: Vec<CallLine>, is_admin: bool) -> impl IntoView {
    if lines.is_empty() {
        return view! { <p class="empty" data-size="small">"Nothing like that was called."</p> }.into_any();
    }
    let rows = lines.into_iter().map(|line| view! { <Row line/> }).collect_view().into_any();
    let whose = t(if is_admin { "Person" } else { "Agent" });
    view! {
        <Table columns=["Call", whose, "Decided by", "When"] rows/>
    }
    .into_any()
}

#[component]
fn Row(line: CallLine) -> impl IntoView {
    let CallLine { at, person, agent, caller: asker, tool, about, decided_by, outcome, cost } = line;
    let tool = match tool.is_empty() {
        true => t("a tool of its own").into_any(),
        false => view! { <code><Spelled text=tool/></code> }.into_any(),
    };
    let (whose, label) = if person.is_empty() { (agent, t("Agent")) } else { (person, t("Person")) };
    let said_no = matches!(outcome, Some(CallOutcome::Denied | CallOutcome::Refused)).then_some("refused");
    view! {
        <tr>
            <td>
                <span>
                    {tool} {about.map(|about| view! { " about " <code><Spelled text=about/></code> })} " "
                    <span class="chip" data-kind=said_no>{outcome.map_or_else(|| t("Under way"), outcome_words)}</span>
                    {cost.map(|cost| view! { " " <span class="soft num">{dollars(cost)}</span> })}
                </span>
            </td>
            <td data-label=label><span>{whose}<span class="soft">{caller(asker)}</span></span></td>
            <td data-label="Decided by">{decided(decided_by)}</td>
            <td data-label="When"><When at/></td>
        </tr>
    }
}

fn asked() -> Memo<PageQuery> {
    let query = use_query_map();
    Memo::new(move |_| {
        query.with(|query| PageQuery {
            person: query.get("person").unwrap_or_default(),
            text: query.get("text").unwrap_or_default(),
            outcome: query
                .get_str("outcome")
                .and_then(|asked| CallOutcome::ALL.into_iter().find(|outcome| word(*outcome) == asked)),
            before: query.get("before"),
        })
    })
}

/// The address of the calls before this one.
fn older(path: &str, asked: &PageQuery, before: &str) -> String {
    let mut address = format!("{path}?before={}", Url::escape(before));
    for (name, value) in [
        ("person", asked.person.clone()),
        ("text", asked.text.clone()),
        ("outcome", asked.outcome.map(word).unwrap_or_default()),
    ] {
        if !value.is_empty() {
            address.push_str(&format!("&{name}={}", Url::escape(&value)));
        }
    }
    address
}

/// As it is written in an address: as on the wire.
fn word(outcome: CallOutcome) -> String {
    serde_json::to_value(outcome).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
