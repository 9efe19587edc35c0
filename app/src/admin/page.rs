//! The admin page.

use super::api::{
    PackAllConversations, SetFiles, SetTerminal, all_packed_days, file_rules, people, terminal,
};
use super::files::FilesSection;
use super::invitations::InvitationsSection;
use super::mcp_programs::McpProgramsSection;
use super::packing::PackingSection;
use super::people::{PeopleQuery, PeopleSection, asked};
use super::terminal::TerminalSection;
use crate::AppError;
use crate::account::api::{Invite, SetSignUp, welcome};
use crate::account::take_one_time;
use crate::audit::AuditLines;
use crate::audit::api::all_audit;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::mcp_servers::programs::api::{AllowMcpProgram, ForbidMcpProgram, list_mcp_programs};
use crate::money::api::{Limit, all_usage, budget};
use crate::money::{HubLimits, Lines};
use crate::origin::origin;
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{Done, FormAction, OnThisPage, Part, Section};
use leptos_meta::Title;
use protocol::Budget;
use protocol::view::{
    AuditLine, FileRules, McpPrograms, Me, NewInvite, OneTime, PersonView, SignUpMode, TerminalSettings,
    UsageLine,
};
use serde::{Deserialize, Serialize};

/// Events that are shown here; the page of the audit has the rest.
const LATEST: usize = 5;

const PARTS: [Part; 9] = [
    ("people", key!("People")),
    ("invitations", key!("Invitations")),
    ("terminal", key!("Terminal")),
    ("files", key!("Files")),
    ("packing", key!("Packed conversations")),
    ("programs", key!("Programs for MCP servers")),
    ("limits", key!("Limits on spending")),
    ("usage", key!("Usage by person")),
    ("latest", key!("Audit")),
];

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    asked: PeopleQuery,
    people: Vec<PersonView>,
    sign_up: SignUpMode,
    terminal: TerminalSettings,
    files: FileRules,
    packed_days: Option<u32>,
    programs: McpPrograms,
    limits: Budget,
    usage: Vec<UsageLine>,
    latest: Vec<AuditLine>,
    /// Where invitation links lead.
    origin: String,
    /// What the form post before this page made.
    new_invite: Option<NewInvite>,
}

/// The forms that change what the page shows.
#[derive(Clone, Copy)]
struct Forms {
    invite: FormAction<Invite>,
    set_sign_up: FormAction<SetSignUp>,
    set_terminal: FormAction<SetTerminal>,
    set_files: FormAction<SetFiles>,
    pack: FormAction<PackAllConversations>,
    allow: FormAction<AllowMcpProgram>,
    forbid: FormAction<ForbidMcpProgram>,
    limit: FormAction<Limit>,
}

#[component]
pub fn AdminPage() -> impl IntoView {
    let forms = Forms {
        invite: FormAction::new(),
        set_sign_up: FormAction::new(),
        set_terminal: FormAction::new(),
        set_files: FormAction::new(),
        pack: FormAction::new(),
        allow: FormAction::new(),
        forbid: FormAction::new(),
        limit: FormAction::new(),
    };
    let answered = move || {
        [
            forms.set_sign_up.version(),
            forms.set_terminal.version(),
            forms.set_files.version(),
            forms.pack.version(),
            forms.allow.version(),
            forms.forbid.version(),
            forms.limit.version(),
        ]
        .map(|version| version.get())
    };
    let asked = asked();
    let shown = PageResource::new(move || (asked.get(), answered()), |(asked, _)| load(asked));
    view! {
        <Title text="Admin"/>
        <Loaded resource=shown view=move |shown| view! { <Sections shown forms/> }/>
    }
}

#[component]
fn Sections(shown: PageData, forms: Forms) -> impl IntoView {
    let PageData {
        me,
        asked,
        people,
        sign_up,
        terminal,
        files,
        packed_days,
        programs,
        limits,
        usage,
        latest,
        origin,
        new_invite,
    } = shown;
    let usage = if usage.is_empty() {
        view! { <p class="empty" data-size="small">"Nothing was used in the last thirty days."</p> }
            .into_any()
    } else {
        view! { <Lines what=t("Person") nameless="Nobody" lines=usage/> }.into_any()
    };
    view! {
        <Shell me>
            <div class="settings">
                <h1>"Admin"</h1>
                <OnThisPage parts=PARTS.into()/>
                <Done what="removed" words="The account is removed."/>
                <PeopleSection people asked/>
                <InvitationsSection sign_up origin new_invite invite=forms.invite set_sign_up=forms.set_sign_up/>
                <TerminalSection settings=terminal set=forms.set_terminal/>
                <FilesSection rules=files set=forms.set_files/>
                <PackingSection days=packed_days pack=forms.pack/>
                <McpProgramsSection known=programs allow=forms.allow forbid=forms.forbid/>
                <HubLimits budget=limits limit=forms.limit/>
                <Section
                    id="usage"
                    title="Usage by person"
                    lead=view! { "The last thirty days. By day and by model it is under " <a href="/usage">"Usage"</a> "." }.into_any()
                >
                    {usage}
                </Section>
                <Section id="latest" title="Audit" lead="What happened last with accounts, keys and limits.">
                    <AuditLines lines=latest/>
                    <p class="actions"><a class="button" href="/admin/audit">"Search the audit"</a></p>
                </Section>
            </div>
        </Shell>
    }
}

async fn load(asked: PeopleQuery) -> Result<PageData, AppError> {
    let rules = async {
        Ok::<_, AppError>(together!(
            welcome(),
            terminal(),
            list_mcp_programs(),
            file_rules(),
            all_packed_days()
        ))
    };
    let used = async { Ok::<_, AppError>(together!(budget(String::new()), all_usage(None))) };
    let all = all_audit(String::new(), String::new(), None, None);
    let people = people(asked.after.clone(), asked.text.clone());
    let (me, audit, people, rules, used) = together!(me(), all, people, rules, used);
    let mut latest = audit.lines;
    latest.truncate(LATEST);
    let (welcome, terminal, programs, files, packed_days) = rules;
    let (sign_up, limits, usage) = (welcome.sign_up, used.0, used.1.agents);
    // Taken last: what fails before it leaves it for the next try.
    let new_invite = match take_one_time() {
        Some(OneTime::Invite(invite)) => Some(invite),
        Some(
            OneTime::Token(_)
            | OneTime::Reset(_)
            | OneTime::RecoveryCodes(_)
            | OneTime::Channel(_)
            | OneTime::WebhookSecret(_),
        )
        | None => None,
    };
    Ok(PageData {
        me,
        asked,
        people,
        sign_up,
        terminal,
        files,
        packed_days,
        programs,
        limits,
        usage,
        latest,
        origin: origin(),
        new_invite,
    })
}
