//! How the hub is, for administrators.

mod backups;
mod facts;
mod log;
mod nodes;

use super::api::{BackUp, ChooseLogLevels, HandOver, hub_status};
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{FormAction, OnThisPage, PageTitle, Part, Section, Table, When, kind_label};
use backups::BackupsSection;
use facts::{Facts, bytes, failure_words, moment};
use log::LogSection;
use nodes::NodesSection;
use protocol::view::{DiskRoom, HubStatus, Me, ProviderHealth, SlowStatement};
use serde::{Deserialize, Serialize};

const PARTS: [Part; 10] = [
    ("program", key!("Program")),
    (NODES, key!("Nodes")),
    ("disk", key!("Disk")),
    ("database", key!("Database")),
    ("work", key!("Under way")),
    ("schedules", key!("Schedules")),
    ("providers", key!("Providers")),
    ("backups", key!("Backups")),
    ("keys", key!("Keys")),
    (LOG, key!("Log")),
];
/// Of a hub of several.
const NODES: &str = "nodes";
/// Where it can be chosen.
const LOG: &str = "log";

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    status: HubStatus,
}

#[component]
pub fn StatusPage() -> impl IntoView {
    let (choose, hand, back_up) = (FormAction::new(), FormAction::new(), FormAction::new());
    let done = move || (choose.version().get(), hand.version().get(), back_up.version().get());
    let shown = PageResource::new(done, |_| load());
    view! {
        <Loaded resource=shown view=move |shown| view! { <Sections shown choose hand back_up/> }/>
    }
}

#[component]
fn Sections(
    shown: PageData,
    choose: FormAction<ChooseLogLevels>,
    hand: FormAction<HandOver>,
    back_up: FormAction<BackUp>,
) -> impl IntoView {
    let PageData { me, status } = shown;
    let HubStatus {
        version,
        began_at,
        database,
        disk,
        work,
        schedules,
        providers,
        tools,
        backups,
        keys,
        log,
        nodes,
    } = status;
    let is_there = |id: &str| (id != NODES || !nodes.is_empty()) && (id != LOG || log.is_some());
    let parts = PARTS.into_iter().filter(|(id, _)| is_there(id)).collect::<Vec<_>>();
    let disk = match disk {
        None => vec![(t("Room"), t("Not known: the folder of the hub's files is not there.").into_any())],
        Some(disk) => vec![
            (
                t("Free"),
                say!("{free} of {whole}", free = bytes(disk.free), whole = bytes(disk.whole)).into_any(),
            ),
            (t("State"), room_words(disk.room).into_any()),
        ],
    };
    let keys = vec![
        (
            t("Master key"),
            t(if keys.in_file { "In the hub's folder" } else { "Given by VIVARIUM_MASTER_KEY" }).into_any(),
        ),
        (
            t("Rotation"),
            t(if keys.rotating { "Not done: vivarium key rotate goes on with it" } else { "None under way" })
                .into_any(),
        ),
        (
            t("Sealed"),
            plural!(keys.secrets, "{count} secret", "{count} secrets", count = keys.secrets).into_any(),
        ),
    ];
    view! {
        <PageTitle text="Status of the hub"/>
        <Shell me>
            <div class="settings">
                <h1>"Status of the hub"</h1>
                <OnThisPage parts/>
                <Section id="program" title="Program">
                    <Facts rows=vec![(t("Version"), version.into_any()), (t("Running since"), view! { <When at=began_at/> }.into_any())]/>
                </Section>
                {(!nodes.is_empty()).then(|| view! { <NodesSection nodes hand/> })}
                <Section id="disk" title="Disk" lead="Where the hub keeps its files.">
                    <Facts rows=disk/>
                </Section>
                <Section id="database" title="Database">
                    <Facts rows=vec![
                        (t("Kind"), database.kind.into_any()),
                        (t("Size"), bytes(database.bytes).into_any()),
                        (t("Schema"), format!("{:04}", database.migration).into_any()),
                        (t("Slow statements of the last hour"), slow_statements(database.slow, database.slowest).into_any()),
                    ]/>
                </Section>
                <Section id="work" title="Under way">
                    <Facts rows=vec![
                        (t("Agents at work"), plural!(work.runs, "{count} run", "{count} runs", count = work.runs).into_any()),
                        (t("Waiting for people"), plural!(work.questions, "{count} question", "{count} questions", count = work.questions).into_any()),
                        (t("On their way"), plural!(work.deliveries, "{count} notification", "{count} notifications", count = work.deliveries).into_any()),
                        (t("Connected"), plural!(work.connections, "{count} tab or stream", "{count} tabs or streams", count = work.connections).into_any()),
                        (t("In the background"), plural!(work.tasks, "{count} task", "{count} tasks", count = work.tasks).into_any()),
                        (t("Calls of tools since the start"), say!("{ended}, {slow} of them longer than 5 seconds", ended = tools.ended, slow = tools.slow).into_any()),
                    ]/>
                </Section>
                <Section id="schedules" title="Schedules">
                    <Facts rows=vec![
                        (t("Active"), plural!(schedules.active, "{count} schedule", "{count} schedules", count = schedules.active).into_any()),
                        (t("Overdue"), plural!(schedules.overdue, "{count} schedule", "{count} schedules", count = schedules.overdue).into_any()),
                        (t("Next"), moment(schedules.next_at, t("None"))),
                    ]/>
                </Section>
                <Section id="providers" title="Providers" lead="How calls went since the start, of everybody together.">
                    <Health providers/>
                </Section>
                <BackupsSection backups back_up/>
                <Section id="keys" title="Keys">
                    <Facts rows=keys/>
                </Section>
                {log.map(|log| view! { <LogSection log choose/> })}
            </div>
        </Shell>
    }
}

#[component]
fn Health(providers: Vec<ProviderHealth>) -> impl IntoView {
    if providers.is_empty() {
        return view! { <p class="empty" data-size="small">"None was called since the start."</p> }
            .into_any();
    }
    let rows = providers.into_iter().map(|health| {
        let failed = match health.last_failure {
            None => t("None").into_any(),
            Some(failure) => view! { <When at=failure.at/> ", " {failure_words(failure.kind)} }.into_any(),
        };
        view! {
            <tr>
                <th scope="row">{kind_label(health.kind)}</th>
                <td>{health.answered}</td>
                <td>{moment(health.last_answer_at, t("None"))}</td>
                <td>{health.failed}</td>
                <td>{failed}</td>
                <td>{slow_calls(health.slow, health.slowest_ms)}</td>
            </tr>
        }
    });
    let rows = rows.collect_view().into_any();
    view! { <Table columns=["Kind", "Answers", "Last answer", "Failures", "Last failure", "Slow within the hour"] rows/> }.into_any()
}

fn slow_statements(count: u64, slowest: Option<SlowStatement>) -> String {
    match slowest {
        None => t("None").to_owned(),
        Some(SlowStatement { ms, what }) => say!("{count}, the longest with {ms} ms: {what}"),
    }
}

fn slow_calls(count: u64, slowest_ms: Option<u64>) -> String {
    match slowest_ms {
        None => t("None").to_owned(),
        Some(ms) => say!("{count}, the longest with {seconds} s", seconds = ms / 1000),
    }
}

fn room_words(room: DiskRoom) -> &'static str {
    t(match room {
        DiskRoom::Enough => "There is room",
        DiskRoom::Little => "Nearly full: make room, before nothing can be saved",
        DiskRoom::Full => "Full: nothing can be saved until there is room. What is there can be read",
    })
}

async fn load() -> Result<PageData, AppError> {
    let (me, status) = together!(me(), hub_status());
    Ok(PageData { me, status })
}
