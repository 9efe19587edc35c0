//! What the tools do. Only the gateway calls in here.

mod agents;
mod ask_user;
mod calc;
mod capabilities;
mod catalogue;
mod datetime;
mod devices;
mod elsewhere;
mod exchange_rates;
mod external_job;
mod fetch;
mod files;
mod guests;
mod history;
mod keyed;
mod memory;
mod notify;
mod of_device;
mod pipelines;
mod render;
mod research;
mod saved_skins;
mod schedule;
mod screenshot;
mod set_context;
mod skills;
mod skin;
mod terminal;
mod todo;
mod topics;
mod update_self;
mod weather;
mod web_search;

use crate::error::Error;
use crate::gateway::{Caller, PermittedCall};
use agent::tools::{ResolvedCall, ToolId};
use protocol::Attachment;

/// What a call brought.
#[derive(Debug)]
pub(crate) struct ToolAnswer {
    /// JSON text for the model.
    pub(crate) content: String,
    /// Pictures that the model looks at beside it, and files that it is told of.
    pub(crate) files: Vec<Attachment>,
}

impl From<String> for ToolAnswer {
    fn from(content: String) -> Self {
        Self { content, files: Vec::new() }
    }
}

/// What went wrong, in words for the model.
#[derive(Debug)]
pub(crate) struct ToolError(pub(crate) String);

impl From<Error> for ToolError {
    fn from(error: Error) -> Self {
        Self(error.into_failure().to_string())
    }
}

impl From<sqlx::Error> for ToolError {
    fn from(error: sqlx::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<serde_json::Error> for ToolError {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

/// Performs a permitted call.
pub(crate) async fn perform(caller: &Caller<'_>, call: &PermittedCall<'_>) -> Result<ToolAnswer, ToolError> {
    let resolved = call.resolved();
    match (resolved.tool(), call.made(), call.elsewhere()) {
        (Some(tool), _, _) => perform_ours(caller, tool.id, resolved).await,
        (None, Some(made), _) => catalogue::run(caller, resolved, made).await.map(ToolAnswer::from),
        (None, None, Some(tool)) => elsewhere::call(caller, resolved, tool).await,
        (None, None, None) => Err(ToolError(format!("There is no tool {}.", resolved.name()))),
    }
}

async fn perform_ours(
    caller: &Caller<'_>,
    tool: ToolId,
    call: &ResolvedCall,
) -> Result<ToolAnswer, ToolError> {
    let content = match tool {
        ToolId::Dom => return skin::dom(caller, call).await,
        ToolId::RunJs => skin::runjs(caller, call).await,
        ToolId::RenderUi => render::accept(call),
        ToolId::Skins => saved_skins::perform(caller, call).await,
        ToolId::State => keyed::state(caller, call).await,
        ToolId::Storage => keyed::storage(caller, call).await,
        ToolId::Capabilities => capabilities::describe(caller).await,
        ToolId::AgentSpawn => agents::spawn(caller, call).await,
        ToolId::AgentAsk => agents::ask(caller, call).await,
        ToolId::AgentWait => agents::wait(caller, call).await,
        ToolId::AgentResult => agents::result(caller, call).await,
        ToolId::AgentSend => agents::send(caller, call).await,
        ToolId::AgentStop => agents::stop(caller, call).await,
        ToolId::AgentList => agents::list(caller).await,
        ToolId::PipelineCreate => pipelines::create(caller, call).await,
        ToolId::PipelineStatus => pipelines::status(caller, call).await,
        ToolId::PipelineCancel => pipelines::cancel(caller, call).await,
        ToolId::ExternalJob => external_job::perform(caller, call).await,
        ToolId::PublishTopic => topics::publish(caller, call).await,
        ToolId::SubscribeTopic => topics::subscribe(caller, call).await,
        ToolId::UnsubscribeTopic => topics::unsubscribe(caller, call).await,
        ToolId::ListTopics => topics::list(caller, call).await,
        ToolId::AskUser => ask_user::answer(caller, call).await,
        ToolId::Notify => notify::notify(caller, call).await,
        ToolId::Location => of_device::location(caller, call).await,
        ToolId::Clipboard => of_device::clipboard(caller, call).await,
        ToolId::Calc => calc::calculate(caller, call).await,
        ToolId::Chart => return files::chart(caller, call).await,
        ToolId::Diagnostics => files::diagnostics(caller, call).await,
        ToolId::Symbols => files::symbols(caller, call).await,
        ToolId::Convert => files::convert(caller, call).await,
        ToolId::Datetime => datetime::tell(caller, call),
        ToolId::Weather => weather::tell(caller, call).await,
        ToolId::ExchangeRates => exchange_rates::tell(caller, call).await,
        ToolId::ListSkills => skills::list(caller).await,
        ToolId::GetSkill => skills::get(caller, call).await,
        ToolId::SkillWrite => skills::propose(caller, call).await,
        ToolId::Schedule => schedule::perform(caller, call).await,
        ToolId::Memory => memory::perform(caller, call).await,
        ToolId::SetContext => set_context::perform(caller, call).await,
        ToolId::Terminal => terminal::perform(caller, call).await,
        ToolId::Todo => todo::perform(caller, call).await,
        ToolId::UpdateSelf => update_self::perform(caller, call).await,
        ToolId::ResearchTopic => research::research(caller, call).await,
        ToolId::WebSearch => web_search::search(caller, call).await,
        ToolId::Fetch => fetch::fetch(caller, call).await,
        ToolId::Read => return files::read(caller, call).await,
        ToolId::Write => files::write(caller, call).await,
        ToolId::Edit => files::edit(caller, call).await,
        ToolId::Document => files::document(caller, call).await,
        ToolId::Glob => files::glob(caller, call).await,
        ToolId::Grep => files::grep(caller, call).await,
        ToolId::Files => files::perform(caller, call).await,
        ToolId::ContextSearch => history::find(caller, call).await,
        ToolId::ListTools => catalogue::list(caller).await,
        ToolId::ToolSearch => catalogue::search(caller, call).await,
        ToolId::CreateTool => catalogue::make(caller, call).await,
        ToolId::DeleteTool => catalogue::delete(caller, call).await,
        ToolId::AgentRespond => guests::respond(caller, call),
        ToolId::ViewState => guests::view(caller, call).await,
        ToolId::AuditLog => guests::audit(caller, call).await,
    };
    content.map(ToolAnswer::from)
}
