//! Which definitions are accepted.

use super::loop_settings;
use crate::error::{Error, Result};
use agent::tools;
use protocol::ProviderId;
use protocol::agent::Home;
use protocol::view::{AgentDraft, AgentView, Fallback, LoopSettings};

/// Characters of a name at most.
pub(crate) const NAME: usize = 60;
/// Characters of the instructions at most.
const INSTRUCTIONS: usize = 20_000;
/// Characters of a model's name at most.
const MODEL: usize = 200;
const DEFAULT_OUTPUT_TOKENS: u32 = 4096;
const MOST_OUTPUT_TOKENS: u32 = 200_000;

/// A definition that can be stored.
#[derive(Debug, PartialEq)]
pub(super) struct Checked {
    pub(super) name: String,
    pub(super) colour: String,
    pub(super) instructions: String,
    pub(super) provider: Option<ProviderId>,
    pub(super) model: String,
    pub(super) fallback: Option<Fallback>,
    pub(super) tools: Vec<String>,
    pub(super) max_output_tokens: u32,
    pub(super) home: Home,
    pub(super) loop_settings: LoopSettings,
}

pub(super) fn check(draft: AgentDraft) -> Result<Checked> {
    let fallback = check_fallback(&draft)?;
    Ok(Checked {
        name: check_name(&draft.name)?,
        colour: check_colour(&draft.colour)?,
        instructions: check_instructions(&draft.instructions)?,
        provider: Some(draft.provider).filter(|id| !id.is_empty()).map(ProviderId),
        model: check_model(&draft.model)?,
        fallback,
        tools: check_tools(&draft.tools)?,
        max_output_tokens: check_output_tokens(draft.max_output_tokens)?,
        home: draft.home,
        loop_settings: loop_settings::check(draft.loop_settings)?,
    })
}

/// The definition as it would be stored.
pub(crate) fn tidied(draft: AgentDraft) -> Result<AgentDraft> {
    let Checked {
        name,
        colour,
        instructions,
        provider,
        model,
        fallback,
        tools,
        max_output_tokens,
        home,
        loop_settings,
    } = check(draft)?;
    let (fallback_provider, fallback_model) =
        fallback.map(|Fallback { provider, model }| (provider.0, model)).unwrap_or_default();
    Ok(AgentDraft {
        name,
        colour,
        instructions,
        provider: provider.map(|provider| provider.0).unwrap_or_default(),
        model,
        fallback_provider,
        fallback_model,
        tools,
        max_output_tokens,
        home,
        loop_settings,
    })
}

/// The same definition under a name that says so.
pub(super) fn copy_of(original: AgentView) -> Checked {
    const SUFFIX: &str = " copy";
    let start: String = original.name.chars().take(NAME - SUFFIX.len()).collect();
    Checked {
        name: format!("{}{SUFFIX}", start.trim_end()),
        colour: original.colour,
        instructions: original.instructions,
        provider: original.provider,
        model: original.model,
        fallback: original.fallback,
        tools: original.tools,
        max_output_tokens: original.max_output_tokens,
        home: original.home,
        loop_settings: original.loop_settings,
    }
}

fn check_name(name: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME || name.chars().any(char::is_control) {
        return Err(Error::invalid(format!("A name has 1 to {NAME} characters on one line.")));
    }
    Ok(name.to_owned())
}

fn check_colour(colour: &str) -> Result<String> {
    let digits = colour.trim().strip_prefix('#').unwrap_or_default();
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(Error::invalid("A colour is written as # and six hexadecimal digits, like #3d9a5d."));
    }
    Ok(format!("#{}", digits.to_ascii_lowercase()))
}

/// What an agent is told to be, as somebody wrote it; it may be empty.
pub(crate) fn check_instructions(instructions: &str) -> Result<String> {
    // Browsers send line ends as CR LF; PostgreSQL takes no NUL.
    let instructions = instructions.replace("\r\n", "\n").replace('\0', "");
    let instructions = instructions.trim();
    if instructions.chars().count() > INSTRUCTIONS {
        return Err(Error::invalid("The instructions have at most 20 000 characters."));
    }
    Ok(instructions.to_owned())
}

/// A name of a model as somebody wrote it; it may be empty.
pub(crate) fn check_model(model: &str) -> Result<String> {
    let model = model.trim();
    if model.chars().count() > MODEL || model.chars().any(char::is_control) {
        return Err(Error::invalid(format!("A model's name has at most {MODEL} characters on one line.")));
    }
    Ok(model.to_owned())
}

fn check_fallback(draft: &AgentDraft) -> Result<Option<Fallback>> {
    let (provider, model) = (&draft.fallback_provider, check_model(&draft.fallback_model)?);
    if provider.is_empty() {
        return Ok(None);
    }
    if *provider == draft.provider {
        return Err(Error::invalid("In reserve has to be another provider than the agent's own."));
    }
    if model.is_empty() {
        return Err(Error::invalid("Name the model in reserve as well, or choose nobody."));
    }
    Ok(Some(Fallback { provider: ProviderId(provider.clone()), model }))
}

/// Each once, in the order of the form.
fn check_tools(names: &[String]) -> Result<Vec<String>> {
    if let Some(unknown) = names.iter().find(|name| tools::find(name).is_none()) {
        return Err(Error::invalid(format!("There is no tool {unknown:?}.")));
    }
    if let Some(name) = names.iter().find(|name| tools::find(name).is_some_and(tools::Tool::is_of_the_web)) {
        return Err(Error::invalid(format!(
            "The tool {name} comes with what the agent may reach of the web."
        )));
    }
    let chosen = tools::all().iter().filter(|tool| names.iter().any(|name| name == tool.name));
    Ok(chosen.map(|tool| tool.name.to_owned()).collect())
}

fn check_output_tokens(tokens: u32) -> Result<u32> {
    match tokens {
        0 => Ok(DEFAULT_OUTPUT_TOKENS),
        1..=MOST_OUTPUT_TOKENS => Ok(tokens),
        _ => Err(Error::invalid("A reply has at most 200 000 tokens.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_tidied() {
        let draft = AgentDraft {
            name: "  Ada\u{a0}Lovelace ".to_owned(),
            colour: "#3D9A5D".to_owned(),
            instructions: "one\r\ntwo\0\n".to_owned(),
            provider: String::new(),
            model: " some-model ".to_owned(),
            fallback_provider: "cloud".to_owned(),
            fallback_model: " other-model ".to_owned(),
            tools: vec!["runjs".to_owned(), "dom".to_owned(), "runjs".to_owned()],
            max_output_tokens: 0,
            home: Home::Browser,
            loop_settings: LoopSettings::default(),
        };
        let expected = Checked {
            name: "Ada\u{a0}Lovelace".to_owned(),
            colour: "#3d9a5d".to_owned(),
            instructions: "one\ntwo".to_owned(),
            provider: None,
            model: "some-model".to_owned(),
            fallback: Some(Fallback { provider: ProviderId::from("cloud"), model: "other-model".to_owned() }),
            tools: vec!["dom".to_owned(), "runjs".to_owned()],
            max_output_tokens: 4096,
            home: Home::Browser,
            loop_settings: LoopSettings { rounds: 25, ..LoopSettings::default() },
        };
        assert_eq!(check(draft).unwrap(), expected);
    }

    #[test]
    fn what_cannot_be_stored_is_refused_in_words() {
        type Change = fn(&mut AgentDraft);
        let table: [(&str, Change); 13] = [
            ("A name has", |draft| draft.name = " \t ".to_owned()),
            ("A name has", |draft| draft.name = "x".repeat(61)),
            ("A name has", |draft| draft.name = "a\nb".to_owned()),
            ("A colour is", |draft| draft.colour = "3d9a5d".to_owned()),
            ("A colour is", |draft| draft.colour = "#3d9a5".to_owned()),
            ("A colour is", |draft| draft.colour = "#3d9a5g".to_owned()),
            ("A colour is", |draft| draft.colour = "#red;}x".to_owned()),
            ("The instructions have", |draft| draft.instructions = "x".repeat(20_001)),
            ("A model's name", |draft| draft.model = "x".repeat(201)),
            ("There is no tool \"rm\"", |draft| draft.tools = vec!["dom".to_owned(), "rm".to_owned()]),
            ("In reserve", |draft| {
                draft.provider = "one".to_owned();
                draft.fallback_provider = "one".to_owned();
            }),
            ("Name the model", |draft| draft.fallback_provider = "one".to_owned()),
            ("A reply has", |draft| draft.max_output_tokens = 200_001),
        ];
        for (message, spoil) in table {
            let mut draft = good();
            spoil(&mut draft);
            let error = check(draft.clone()).expect_err(&format!("{draft:?}"));
            assert!(matches!(&error, Error::Invalid(said) if said.starts_with(message)), "{error}");
        }
        assert!(check(good()).is_ok());
    }

    fn good() -> AgentDraft {
        AgentDraft {
            name: "Ada".to_owned(),
            colour: "#3d9a5d".to_owned(),
            instructions: String::new(),
            provider: String::new(),
            model: String::new(),
            fallback_provider: String::new(),
            fallback_model: String::new(),
            tools: Vec::new(),
            max_output_tokens: 0,
            home: Home::Hub,
            loop_settings: LoopSettings::default(),
        }
    }
}
