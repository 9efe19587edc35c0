//! Pages that people open now and then, by area. Where the browser's program is split (the feature `split`), each
//! area is a file of its own, which is loaded when the first of its pages is opened; else they are a part of the
//! one file like all others.

use crate::account::{
    AccountPage, AuthorizePage, CodePage, ResetPage, SecondFactorPage, SetupPage, SignInPage, SignUpPage,
};
use crate::admin::{AdminPage, PersonPage, StatusPage};
use crate::agent_shares::ShareAgentPage;
use crate::agents::{DeleteAgentPage, EditAgentPage, NewAgentPage};
use crate::audit::{AdminAuditPage, AdminCallsPage, OwnAuditPage, OwnCallsPage};
use crate::console::ConsolePage;
use crate::delegations::DelegationsPage;
use crate::external_jobs::{ExternalJobPage, ExternalJobsPage, JobServicePage};
use crate::file_browser::{FilePage, FilesPage};
use crate::gallery::{GalleryPage, ReviewPage};
use crate::imports::{ImportPage, ImportReviewPage};
use crate::inspector::ContextPage;
use crate::instructions::InstructionsPage;
use crate::made_tools::MadeToolsPage;
use crate::mcp_servers::{McpServerPage, McpServersPage};
use crate::memories::MemoryPage;
use crate::models::ModelsPage;
use crate::money::{BudgetPage, UsagePage};
use crate::notifications::{NotificationSettingsPage, NotificationsPage, UnsubscribePage};
use crate::peers::{PeerPage, PeersPage};
use crate::person_context::PersonContextPage;
use crate::pipelines::{NewPipelinePage, PipelinePage, PipelinesPage};
use crate::policy::RulesPage;
use crate::prelude::*;
use crate::providers::ProvidersPage;
use crate::schedules::{AllSchedulesPage, SchedulePage, SchedulesPage};
use crate::search::SearchPage;
use crate::settings::{HubSettingsPage, SettingsPage};
use crate::share_target::ShareTargetPage;
use crate::shares::{ShareConversationPage, SharedConversationPage, SharedPage};
use crate::sharing::{GroupsPage, SharePage};
use crate::skills::{FoundSkillsPage, SkillPage, SkillsPage};
use crate::skins::SkinsPage;
use crate::teams::{ExportTeamPage, ReviewTeamPage, TeamsPage};
use crate::topics::TopicsPage;
use crate::transfer::TransferPage;
use crate::web_search::WebSearchPage;
use crate::workspaces::WorkspacesPage;
use leptos_router::{Lazy, LazyRoute};

/// An area: what draws its pages, and a route for each of them.
macro_rules! area {
    ($(#[$doc:meta])* $module:ident, $preload:ident: $($route:ident => $page:ident),* $(,)?) => {
        $(#[$doc])*
        pub mod $module {
            use super::*;

            #[derive(Clone, Copy)]
            enum Page {
                $($route,)*
            }

            #[cfg(feature = "split")]
            #[leptos::lazy]
            fn $module(page: Page) -> AnyView {
                draw(page)
            }

            #[cfg(not(feature = "split"))]
            async fn $module(page: Page) -> AnyView {
                draw(page)
            }

            fn draw(page: Page) -> AnyView {
                match page {
                    $(Page::$route => view! { <$page/> }.into_any(),)*
                }
            }

            $(
                pub struct $route;

                impl $route {
                    pub fn route() -> Lazy<Self> {
                        Lazy::new()
                    }
                }

                impl LazyRoute for $route {
                    fn data() -> Self {
                        Self
                    }

                    async fn view(_: Self) -> AnyView {
                        $module(Page::$route).await
                    }

                    async fn preload() {
                        #[cfg(all(feature = "split", target_arch = "wasm32"))]
                        $preload().await;
                    }
                }
            )*
        }
    };
}

area! {
    /// What one agent is, has and may do.
    agent_settings, __preload_agent_settings:
    New => NewAgentPage,
    Edit => EditAgentPage,
    Delete => DeleteAgentPage,
    Context => ContextPage,
    MadeTools => MadeToolsPage,
    Files => FilesPage,
    File => FilePage,
    Instructions => InstructionsPage,
    Skins => SkinsPage,
    Budget => BudgetPage,
    Share => ShareAgentPage,
    Delegations => DelegationsPage,
    Schedules => SchedulesPage,
    Schedule => SchedulePage,
    Rules => RulesPage,
}

area! {
    /// One's account, what it takes to have one, and what is open to who has none.
    account, __preload_account:
    SignIn => SignInPage,
    Code => CodePage,
    SignUp => SignUpPage,
    Setup => SetupPage,
    Reset => ResetPage,
    Unsubscribe => UnsubscribePage,
    Authorize => AuthorizePage,
    Account => AccountPage,
    Transfer => TransferPage,
    SecondFactor => SecondFactorPage,
    Audit => OwnAuditPage,
    Calls => OwnCallsPage,
}

area! {
    /// What all agents of a person use, and what an administrator sees to.
    hub_settings, __preload_hub_settings:
    Settings => SettingsPage,
    HubSettings => HubSettingsPage,
    Admin => AdminPage,
    Audit => AdminAuditPage,
    Calls => AdminCallsPage,
    Person => PersonPage,
    Status => StatusPage,
    Providers => ProvidersPage,
    Memory => MemoryPage,
    PersonContext => PersonContextPage,
    WebSearch => WebSearchPage,
    Skills => SkillsPage,
    FoundSkills => FoundSkillsPage,
    Skill => SkillPage,
    McpServers => McpServersPage,
    McpServer => McpServerPage,
    Peers => PeersPage,
    Topics => TopicsPage,
    Peer => PeerPage,
    ExternalJobs => ExternalJobsPage,
    ExternalJob => ExternalJobPage,
    JobService => JobServicePage,
    Notifications => NotificationsPage,
    NotificationSettings => NotificationSettingsPage,
    Share => SharePage,
    Groups => GroupsPage,
    Models => ModelsPage,
    Usage => UsagePage,
    Console => ConsolePage,
    AllDelegations => DelegationsPage,
    Pipelines => PipelinesPage,
    NewPipeline => NewPipelinePage,
    Pipeline => PipelinePage,
    AllSchedules => AllSchedulesPage,
    Gallery => GalleryPage,
    Review => ReviewPage,
    Search => SearchPage,
    Workspaces => WorkspacesPage,
    Teams => TeamsPage,
    ReviewTeam => ReviewTeamPage,
    ExportTeam => ExportTeamPage,
}

area! {
    /// Conversations that people show to each other, and those that they bring along.
    shared, __preload_shared:
    Give => ShareConversationPage,
    List => SharedPage,
    Read => SharedConversationPage,
    ShareTarget => ShareTargetPage,
    Import => ImportPage,
    Imported => ImportReviewPage,
}
