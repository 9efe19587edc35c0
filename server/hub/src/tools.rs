//! What the tools do. Only the gateway calls in here.

mod capabilities;
mod catalogue;
mod datetime;
mod history;
mod keyed;
mod saved_skins;
mod skin;

use crate::error::Error;
use crate::runs::Execution;
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
pub(crate) async fn perform(execution: &Execution, call: &ToolCall) -> Result<String, ToolError> {
    match call.name.as_str() {
        "dom" => skin::dom(execution, call).await,
        "runjs" => skin::runjs(execution, call).await,
        "skins" => saved_skins::perform(execution, call).await,
        "state" => keyed::state(execution, call).await,
        "storage" => keyed::storage(execution, call).await,
        "capabilities" => Ok(capabilities::describe(execution)),
        "datetime" => datetime::tell(execution, call),
        "context_search" => history::find(execution, call).await,
        "list_tools" => catalogue::list(execution).await,
        "tool_search" => catalogue::search(execution, call).await,
        "create_tool" => catalogue::make(execution, call).await,
        "delete_tool" => catalogue::delete(execution, call).await,
        name => match execution.hub().made_tool(&execution.agent, name).await? {
            Some(tool) => catalogue::run(execution, call, &tool).await,
            None => Err(ToolError(format!("There is no tool {name}."))),
        },
    }
}
