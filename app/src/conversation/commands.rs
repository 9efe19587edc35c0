//! Commands: what a `/` at the beginning of a message offers. Those of the page itself, and the prompts of the MCP
//! servers that the agent may use, which become a draft.

mod arguments;
mod menu;
mod resources;
mod template;

pub use arguments::ArgumentsDialog;
pub use menu::{CommandMenu, MENU, option_id};
pub use resources::ResourcesDialog;

use super::composer::{note_draft, put_back};
use super::context::ConversationContext;
use super::voice;
use crate::conversations::api::create_conversation;
use crate::mcp_servers::api::{get_mcp_prompt, list_mcp_commands};
use crate::prelude::*;
use leptos::task::spawn_local;
use protocol::McpServerId;
use protocol::view::{AgentCommand, McpCommand, McpCommands, McpPromptValue};

/// Commands that are shown at a time.
const MOST_SHOWN: usize = 50;

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    NewConversation,
    TemporaryConversation,
    HandsFree,
    Stop,
    /// Answer again what has no full answer.
    Retry,
    /// Go on with an answer that was cut off.
    Continue,
    /// One that the agent's definition offers.
    Own(AgentCommand),
    Prompt(McpCommand),
    /// Attach something of the server with this id and name.
    Resources(McpServerId, String),
}

impl Command {
    /// What is written after the slash.
    fn name(&self) -> String {
        match self {
            Self::NewConversation => "new".to_owned(),
            Self::TemporaryConversation => "temporary".to_owned(),
            Self::HandsFree => "talk".to_owned(),
            Self::Stop => "stop".to_owned(),
            Self::Retry => "retry".to_owned(),
            Self::Continue => "continue".to_owned(),
            Self::Own(command) => command.name.clone(),
            Self::Prompt(McpCommand { server_name, prompt, .. }) => format!("{server_name}:{}", prompt.name),
            Self::Resources(_, name) => format!("{name}:attach"),
        }
    }

    fn about(&self) -> String {
        match self {
            Self::NewConversation => t("New conversation").to_owned(),
            Self::TemporaryConversation => t("Temporary conversation").to_owned(),
            Self::HandsFree => t("Talk hands-free (Alt+Shift+V)").to_owned(),
            Self::Stop => t("Stop what it is doing").to_owned(),
            Self::Retry => t("Answer once more").to_owned(),
            Self::Continue => t("Go on with the answer").to_owned(),
            Self::Own(command) => label_of(command).to_owned(),
            Self::Prompt(McpCommand { prompt, .. }) => match prompt.title.is_empty() {
                true => prompt.description.clone(),
                false => prompt.title.clone(),
            },
            Self::Resources(..) => t("Attach a resource").to_owned(),
        }
    }

    /// Whether these letters, which are small, could mean it.
    fn fits(&self, typed: &str) -> bool {
        self.name().to_lowercase().contains(typed) || self.about().to_lowercase().contains(typed)
    }
}

#[derive(Clone, Copy, Default)]
pub struct Commands {
    of_servers: RwSignal<McpCommands>,
    /// What stands after the slash, in small letters. `None`: the menu is closed.
    typed: RwSignal<Option<String>>,
    /// The one that Enter takes.
    at: RwSignal<usize>,
    /// The prompt that needs to know something first.
    asking: RwSignal<Option<McpCommand>>,
    /// The server of which something is to be attached.
    attaching: RwSignal<Option<(McpServerId, String)>>,
    is_getting: RwSignal<bool>,
    problem: RwSignal<Option<String>>,
}

impl Commands {
    pub fn is_open(self, context: ConversationContext) -> bool {
        !found(context).is_empty()
    }

    /// The place of the one that Enter takes.
    pub fn place(self) -> usize {
        self.at.get()
    }

    pub fn close(self) {
        self.typed.set(None);
    }
}

/// What fits what was typed. Nothing while the menu is closed.
fn found(context: ConversationContext) -> Vec<Command> {
    let Some(typed) = context.commands.typed.get() else { return Vec::new() };
    let own = [Command::NewConversation, Command::TemporaryConversation];
    let talk = voice::can_talk().then_some(Command::HandsFree);
    let stop = context.is_at_work().then_some(Command::Stop);
    let retry = context.transcript.retry.with(Option::is_some).then_some(Command::Retry);
    let go_on = context.transcript.cut.with(Option::is_some).then_some(Command::Continue);
    let offered = context.own_commands.get_value().into_iter().map(Command::Own);
    let McpCommands { prompts, with_resources } = context.commands.of_servers.get();
    let resources = with_resources.into_iter().map(|(id, name)| Command::Resources(id, name));
    let all = own
        .into_iter()
        .chain(talk)
        .chain(stop)
        .chain(retry)
        .chain(go_on)
        .chain(offered)
        .chain(resources)
        .chain(prompts.into_iter().map(Command::Prompt));
    all.filter(|command| command.fits(&typed)).take(MOST_SHOWN).collect()
}

/// The person wrote something.
pub fn note(context: ConversationContext, text: &str) {
    let commands = context.commands;
    let typed = text.strip_prefix('/').filter(|rest| !rest.contains(char::is_whitespace));
    if typed.is_some() && commands.typed.with_untracked(Option::is_none) {
        load(context);
    }
    commands.at.set(0);
    commands.problem.set(None);
    commands.typed.set(typed.map(str::to_lowercase));
}

/// Whether the key was one of the menu's.
pub fn press(context: ConversationContext, key: &str) -> bool {
    let commands = context.commands;
    let found = untrack(|| found(context));
    if found.is_empty() {
        return false;
    }
    let at = commands.at.get_untracked();
    match key {
        "ArrowDown" => commands.at.set((at + 1) % found.len()),
        "ArrowUp" => commands.at.set((at + found.len() - 1) % found.len()),
        "Escape" => commands.close(),
        "Enter" | "Tab" => match found.into_iter().nth(at) {
            Some(command) => choose(context, command),
            None => return false,
        },
        _ => return false,
    }
    true
}

fn choose(context: ConversationContext, command: Command) {
    context.commands.close();
    if let Some(field) = context.composer.get_untracked() {
        field.set_value("");
        note_draft(context);
    }
    match command {
        Command::NewConversation => begin(context, false),
        Command::TemporaryConversation => begin(context, true),
        Command::HandsFree => voice::talk(),
        Command::Stop => context.stop(),
        Command::Retry => context.retry(),
        Command::Continue => context.go_on(),
        Command::Own(command) => draft(context, &command),
        Command::Prompt(command) if command.prompt.arguments.is_empty() => get(context, command, Vec::new()),
        Command::Prompt(command) => context.commands.asking.set(Some(command)),
        Command::Resources(id, name) => context.commands.attaching.set(Some((id, name))),
    }
}

/// Puts what the command says into the composer. Its person sends it.
pub fn draft(context: ConversationContext, command: &AgentCommand) {
    put_back(context, &command.text);
    focus(context);
}

/// What stands on its button.
pub fn label_of(command: &AgentCommand) -> &str {
    if command.label.is_empty() { &command.name } else { &command.label }
}

/// The answer leads to it.
fn begin(context: ConversationContext, is_temporary: bool) {
    let agent = context.agent.get_value();
    spawn_local(async move {
        if let Err(error) = create_conversation(agent, is_temporary).await {
            context.commands.problem.try_set(Some(error.to_string()));
        }
    });
}

fn load(context: ConversationContext) {
    let agent = context.agent.get_value();
    spawn_local(async move {
        let commands = context.commands;
        match list_mcp_commands(agent).await {
            Ok(list) => drop(commands.of_servers.try_set(list)),
            Err(error) => drop(commands.problem.try_set(Some(error.to_string()))),
        }
    });
}

/// Puts what the prompt says into the composer.
fn get(context: ConversationContext, command: McpCommand, values: Vec<McpPromptValue>) {
    let commands = context.commands;
    commands.is_getting.set(true);
    commands.problem.set(None);
    let agent = context.agent.get_value();
    spawn_local(async move {
        let got = get_mcp_prompt(command.server, agent, command.prompt.name, values).await;
        commands.is_getting.try_set(false);
        match got {
            Ok(text) => {
                // The page may be gone by then.
                if commands.asking.try_set(None).is_some() {
                    return;
                }
                put_back(context, &text);
                focus(context);
            }
            Err(error) => drop(commands.problem.try_set(Some(error.to_string()))),
        }
    });
}

fn focus(context: ConversationContext) {
    if let Some(field) = context.composer.get_untracked() {
        // It is in the page, so that it takes the focus.
        let _ = field.focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::view::McpPrompt;

    #[test]
    fn a_command_is_found_by_its_name_and_by_what_it_does() {
        let prompt = Command::Prompt(McpCommand {
            server: "s".into(),
            server_name: "garden".to_owned(),
            prompt: McpPrompt {
                name: "Plan".to_owned(),
                title: String::new(),
                description: "What grows where".to_owned(),
                arguments: Vec::new(),
            },
        });
        let own = Command::Own(AgentCommand {
            name: "week".to_owned(),
            label: "Plan the week".to_owned(),
            text: "What is due?".to_owned(),
        });
        for (command, typed, fits) in [
            (own.clone(), "we", true),
            (own.clone(), "plan", true),
            (own, "due", false),
            (Command::Stop, "", true),
            (Command::Stop, "st", true),
            (Command::Stop, "new", false),
            (prompt.clone(), "plan", true),
            (prompt.clone(), "garden:p", true),
            (prompt.clone(), "grows", true),
            (prompt, "water", false),
        ] {
            assert_eq!(command.fits(typed), fits, "{} {typed}", command.name());
        }
    }
}
