//! A call of a tool, resolved once: whoever carries it reads off its declaration what there is to know, and
//! looks nothing up by name any more.

use super::{PageTier, Risk, Signature, Tool, aliases, files};
use protocol::CallId;
use protocol::model::ToolCall;
use serde_json::Value;

/// How much harm a call of a tool that an agent made can do: it runs where `runjs` does.
const RISK_OF_MADE: Risk = Risk::Medium;
/// How much harm a call can do that another server carries out. What the server says of that counts for nothing.
const RISK_ELSEWHERE: Risk = Risk::High;

/// A call and the declaration of its tool.
#[derive(Clone, Debug)]
pub struct ResolvedCall {
    asked: ToolCall,
    /// None: the agent made the tool, it is another server's, or there is none of this name.
    tool: Option<&'static Tool>,
    /// The input in the tool's words, where those are others.
    input: Option<Value>,
    /// The address of the server whose tool it is, if it is not one of ours.
    elsewhere: Option<String>,
}

impl ResolvedCall {
    pub fn of(asked: ToolCall) -> Self {
        let (tool, input) = aliases::resolve(&asked.name, &asked.input);
        Self { asked, tool, input, elsewhere: None }
    }

    /// A call of a tool that the agent made, whatever else its name means.
    pub fn of_made(asked: ToolCall) -> Self {
        Self { asked, tool: None, input: None, elsewhere: None }
    }

    /// The same, of a tool of the server at this address.
    pub fn performed_at(self, address: &str) -> Self {
        Self { elsewhere: Some(address.to_owned()), ..self }
    }

    /// The same with its paths of files that are kept here spelled in one way. Those on devices stay as they are.
    pub fn with_paths(self, spelled: fn(&str) -> String) -> Self {
        let kept = |path: &str| if files::is_on_a_device(path) { path.to_owned() } else { spelled(path) };
        let input = self.tool.and_then(|tool| files::with_paths(tool.id, self.input(), kept));
        Self { input: input.or(self.input), ..self }
    }

    /// A call of the same tool under the same id.
    pub fn with_input(&self, input: Value) -> Self {
        let asked = ToolCall { id: self.asked.id.clone(), name: self.name().to_owned(), input };
        Self { asked, tool: self.tool, input: None, elsewhere: self.elsewhere.clone() }
    }

    /// As whoever calls said it.
    pub fn asked(&self) -> &ToolCall {
        &self.asked
    }

    /// In the tool's words, under its own name.
    pub fn in_own_words(&self) -> ToolCall {
        ToolCall { id: self.asked.id.clone(), name: self.name().to_owned(), input: self.input().clone() }
    }

    pub fn id(&self) -> &CallId {
        &self.asked.id
    }

    /// The one name that the tool has here.
    pub fn name(&self) -> &str {
        self.tool.map_or(&self.asked.name, |tool| tool.name)
    }

    /// In the tool's words.
    pub fn input(&self) -> &Value {
        self.input.as_ref().unwrap_or(&self.asked.input)
    }

    /// None: the agent made the tool, it is another server's, or there is none of this name.
    pub fn tool(&self) -> Option<&'static Tool> {
        self.tool
    }

    pub fn signature(&self) -> Signature {
        Signature::of(self)
    }

    /// How much harm it can do.
    pub fn risk(&self) -> Risk {
        if self.elsewhere.is_some() {
            return RISK_ELSEWHERE;
        }
        let Some(tool) = self.tool else { return RISK_OF_MADE };
        if self.is_read_only() {
            return Risk::None;
        }
        tool.risk_by_input.map_or(tool.risk, |by_input| by_input(self.input()))
    }

    /// What the agent's page may do with the tool.
    pub fn page(&self) -> PageTier {
        self.tool.map_or(PageTier::Ask, |tool| tool.page)
    }

    /// What it is about, by the argument that names it. Of a call between mounts that is what lies in a person's own
    /// folder: a yes to it is no yes to others.
    pub fn about(&self) -> Option<&str> {
        let mut parts = self.tool?.uses.iter().filter_map(|used| used.part_of(self.input()));
        let first = parts.clone().next();
        parts.find(|part| files::leads_to_a_device(part)).or(first)
    }

    /// The address of the server that performs it, where it is not one of ours.
    pub fn elsewhere(&self) -> Option<&str> {
        self.elsewhere.as_deref()
    }

    /// Whether it says where on the web it leads.
    pub fn names_a_place(&self) -> bool {
        self.tool.is_some_and(Tool::names_a_place)
    }
}
