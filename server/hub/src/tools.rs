//! What the tools do. Only the gateway calls in here.

mod capabilities;
mod catalogue;
mod datetime;
mod devices;
mod fetch;
mod history;
mod keyed;
mod render;
mod saved_skins;
mod schedule;
mod skills;
mod skin;

use crate::error::Error;
use crate::gateway::Caller;
use protocol::model::ToolCall;

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

/// Performs a permitted call; the result is JSON text for the model.
pub(crate) async fn perform(caller: &Caller<'_>, call: &ToolCall) -> Result<String, ToolError> {
    match call.name.as_str() {
        "dom" => skin::dom(caller, call).await,
        "runjs" => skin::runjs(caller, call).await,
        "render_ui" => render::accept(call),
        "skins" => saved_skins::perform(caller, call).await,
        "state" => keyed::state(caller, call).await,
        "storage" => keyed::storage(caller, call).await,
        "capabilities" => capabilities::describe(caller).await,
        "datetime" => datetime::tell(caller, call),
        "list_skills" => Ok(skills::list()),
        "get_skill" => skills::get(call),
        "schedule" => schedule::perform(caller, call).await,
        "fetch" => fetch::fetch(caller, call).await,
        "context_search" => history::find(caller, call).await,
        "list_tools" => catalogue::list(caller).await,
        "tool_search" => catalogue::search(caller, call).await,
        "create_tool" => catalogue::make(caller, call).await,
        "delete_tool" => catalogue::delete(caller, call).await,
        name => match caller.hub.made_tool(caller.agent, name).await? {
            Some(tool) => catalogue::run(caller, call, &tool).await,
            None => Err(ToolError(format!("There is no tool {name}."))),
        },
    }
}
