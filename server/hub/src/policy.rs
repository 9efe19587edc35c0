//! What a person wants of calls of tools: rules for one agent or for all of theirs, which the gateway
//! asks before each call. What they say together is decided in [`evaluate`].

mod check;
mod evaluate;
mod rows;

pub(crate) use evaluate::{Asked, Ruling};
pub(crate) use rows::insert;

use crate::Hub;
use crate::access::Scoped;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::outbound::Target;
use agent::tools::Tool;
use protocol::approval::{PolicyDraft, PolicyRule};
use protocol::model::ToolCall;
use protocol::{AgentId, PolicyRuleId, UserId};

/// Rules of one person.
const MOST: i64 = 500;

impl Scoped<'_> {
    /// The rules that hold for calls of this agent, those for all agents included, the newest first.
    pub async fn policy_rules(&self, agent: &AgentId) -> Result<Vec<PolicyRule>> {
        self.require_agent(agent).await?;
        let mut rules = rows::of(&self.hub.store, &self.viewer.me.id, agent, self.hub.now()).await?;
        rules.reverse();
        Ok(rules)
    }

    pub async fn add_policy_rule(&self, draft: &PolicyDraft) -> Result<PolicyRule> {
        let rule = check::rule(draft, PolicyRuleId(new_id()), self.hub.now())?;
        if let Some(agent) = &rule.agent {
            self.require_agent(agent).await?;
        }
        let mut tx = self.hub.store.write().await?;
        rows::forget_spent(&mut tx, &self.viewer.me.id, self.hub.now()).await?;
        if rows::count(&mut tx, &self.viewer.me.id).await? >= MOST {
            return Err(Error::Limit(format!("There are {MOST} rules already. Take some back first.")));
        }
        insert(&mut tx, &self.viewer.me.id, &rule).await?;
        tx.commit().await?;
        Ok(rule)
    }

    /// Takes the rule back. It holds for no call from now on.
    pub async fn delete_policy_rule(&self, id: &PolicyRuleId) -> Result<()> {
        let mut tx = self.hub.store.write().await?;
        if !rows::delete(&mut tx, &self.viewer.me.id, id).await? {
            return Err(Error::NotFound("rule"));
        }
        tx.commit().await?;
        Ok(())
    }
}

impl Hub {
    /// What the person's rules, and what holds without any, say of the call. A rule that allows a number
    /// of calls is used up by one.
    pub(crate) async fn ruling(&self, owner: &UserId, agent: &AgentId, asked: &Asked<'_>) -> Result<Ruling> {
        loop {
            let rules = rows::of(&self.store, owner, agent, self.now()).await?;
            let ruling = evaluate::evaluate(&rules, asked);
            let Ruling::Allow { rule: Some(id) } = &ruling else { return Ok(ruling) };
            let is_counted = rules.iter().any(|rule| rule.id == *id && rule.uses_left.is_some());
            if !is_counted || rows::use_up(&self.store, id).await? {
                return Ok(ruling);
            }
        }
    }
}

/// What the call is about, in the words of rules: a host, with its port if that is not the usual one, or
/// the key that it names.
pub(crate) fn about(tool: Option<&Tool>, call: &ToolCall) -> Option<String> {
    let tool = tool?;
    if !tool.is_of_the_web() {
        return tool.about(&call.input).map(str::to_owned);
    }
    let target = Target::parse_without_fragment(call.input["url"].as_str()?).ok()?;
    let host = target.url().host_str()?;
    Some(match target.url().port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}
