//! What a person wants of calls of tools: rules for one agent or for all of theirs, which the gateway
//! asks before each call. What they say together is decided in [`evaluate`].

mod check;
mod evaluate;
mod pattern;
mod rows;
mod subject;

pub(crate) use check::MOST_USES;
pub(crate) use evaluate::{PolicyRequest, Ruling};
pub(crate) use subject::Subject;

use crate::Hub;
use crate::access::Scoped;
use crate::audit::{Actor, AuditEvent};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use protocol::approval::{PolicyDraft, PolicyRule, Verdict};
use protocol::view::{AuditAction, CarriedRule};
use protocol::{AgentId, PolicyRuleId, UserId};

/// The rules of the viewer about calls of tools.
#[derive(Clone, Copy, Debug)]
pub struct OwnPolicies<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn policies(&self) -> OwnPolicies<'a> {
        OwnPolicies { scoped: *self }
    }
}

/// The rules of people about calls of tools.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policies<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn policies(&self) -> Policies<'_> {
        Policies { hub: self }
    }
}

/// Rules of one person.
const MAX_RULES_PER_PERSON: i64 = 500;

/// Those of the person's rules that hold for all agents until they are taken back, oldest first.
pub(crate) async fn lasting(viewer: &Scoped<'_>) -> Result<Vec<CarriedRule>> {
    // No agent has this id: what is left are the rules for all.
    let rules =
        rows::of(viewer.hub.store(), &viewer.viewer.me.id, &AgentId::from(""), viewer.hub.now()).await?;
    let is_lasting = |rule: &PolicyRule| {
        rule.agent.is_none()
            && rule.run.is_none()
            && rule.uses_left.is_none()
            && rule.until.is_none()
            && rule.approval.is_none()
    };
    Ok(rules.into_iter().filter(is_lasting).map(carried).collect())
}

fn carried(rule: PolicyRule) -> CarriedRule {
    let PolicyRule { asker, tool, about, verdict, .. } = rule;
    CarriedRule { asker, tool, about, verdict }
}

/// Adds a rule that comes from another hub.
pub(crate) async fn carry(viewer: &Scoped<'_>, tx: &mut Transaction, carried: &CarriedRule) -> Result<()> {
    add(viewer, tx, &draft_of(carried)?).await?;
    Ok(())
}

/// Adds a rule about the calls of an agent that is made in this transaction.
pub(crate) async fn carry_with(
    viewer: &Scoped<'_>,
    tx: &mut Transaction,
    agent: &AgentId,
    carried: &CarriedRule,
) -> Result<()> {
    let rule = check::rule(&draft_of(carried)?, PolicyRuleId(new_id()), viewer.hub.now())?;
    put(viewer, tx, &PolicyRule { agent: Some(agent.clone()), ..rule }).await
}

/// Whether it can be a rule here.
pub(crate) fn is_sound(carried: &CarriedRule) -> bool {
    draft_of(carried).and_then(|draft| check::rule(&draft, PolicyRuleId(String::new()), 0)).is_ok()
}

fn draft_of(carried: &CarriedRule) -> Result<PolicyDraft> {
    let name = |value: serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    Ok(PolicyDraft {
        agent: String::new(),
        asker: carried.asker.map(serde_json::to_value).transpose()?.map(name).unwrap_or_default(),
        tool: carried.tool.clone(),
        about: carried.about.clone().unwrap_or_default(),
        verdict: name(serde_json::to_value(carried.verdict)?),
        uses: 0,
        minutes: 0,
    })
}

async fn add(viewer: &Scoped<'_>, tx: &mut Transaction, draft: &PolicyDraft) -> Result<PolicyRule> {
    let rule = check::rule(draft, PolicyRuleId(new_id()), viewer.hub.now())?;
    if let Some(agent) = &rule.agent {
        viewer.require_agent(agent).await?;
    }
    put(viewer, tx, &rule).await?;
    Ok(rule)
}

async fn put(viewer: &Scoped<'_>, tx: &mut Transaction, rule: &PolicyRule) -> Result<()> {
    insert(tx, &viewer.viewer.me.id, rule, viewer.hub.now()).await?;
    let line = AuditEvent::done(AuditAction::RuleAdded, viewer.viewer).object(&named(rule));
    viewer.hub.audit().note(tx, line).await
}

/// Gives a copy of an agent the rules about the original's calls that hold until they are taken back.
pub(crate) async fn copy_lasting(
    viewer: &Scoped<'_>,
    tx: &mut Transaction,
    from: &AgentId,
    to: &AgentId,
) -> Result<()> {
    let person = &viewer.viewer.me.id;
    for rule in rows::lasting(&mut **tx, person, from).await? {
        let rule = PolicyRule { id: PolicyRuleId(new_id()), agent: Some(to.clone()), ..rule };
        put(viewer, tx, &rule).await?;
    }
    Ok(())
}

/// A tool of the agent's own is gone, or another one has its name: what allowed it by this name was said of that tool,
/// and ends with it. What forbids holds.
pub(crate) async fn end_with_tool(
    hub: &Hub,
    tx: &mut Transaction,
    agent: &AgentId,
    tool: &str,
) -> Result<()> {
    let (owner, name): (UserId, String) =
        query("SELECT u.id, u.name FROM users u JOIN agents a ON a.user_id = u.id WHERE a.id = $1", (agent,))
            .fetch_one(&mut **tx)
            .await?;
    for rule in rows::delete_allowing(tx, &owner, agent, tool).await? {
        let line = AuditEvent::done(AuditAction::RuleDeleted, Actor::hub()).about(&owner.0, &name);
        hub.audit().note(tx, line.object(&format!("{}, with its tool", named(&rule)))).await?;
    }
    Ok(())
}

/// Those of the rules about one agent's calls that can be said elsewhere: they hold until they are taken back, and came
/// of no answer, which is about the very words of one call.
pub(crate) async fn said_of(viewer: &Scoped<'_>, agent: &AgentId) -> Result<Vec<CarriedRule>> {
    let rules = rows::lasting(viewer.hub.store().read(), &viewer.viewer.me.id, agent).await?;
    Ok(rules.into_iter().filter(|rule| rule.approval.is_none()).map(carried).collect())
}

/// Adds a rule in place of those that hold no more. There are only so many.
pub(crate) async fn insert(tx: &mut Transaction, person: &UserId, rule: &PolicyRule, now: i64) -> Result<()> {
    rows::forget_spent(tx, person, now).await?;
    if rows::count(tx, person).await? >= MAX_RULES_PER_PERSON {
        return Err(Error::Limit(format!(
            "There are {MAX_RULES_PER_PERSON} rules already. Take some back first."
        )));
    }
    rows::insert(tx, person, rule).await
}

impl OwnPolicies<'_> {
    /// The rules that hold for calls of this agent, those for all agents included, the newest first.
    pub async fn list(self, agent: &AgentId) -> Result<Vec<PolicyRule>> {
        self.scoped.require_agent(agent).await?;
        let mut rules =
            rows::of(self.scoped.hub.store(), &self.scoped.viewer.me.id, agent, self.scoped.hub.now())
                .await?;
        rules.reverse();
        Ok(rules)
    }

    pub async fn add(self, draft: &PolicyDraft) -> Result<PolicyRule> {
        let mut tx = self.scoped.hub.store().write().await?;
        let rule = add(&self.scoped, &mut tx, draft).await?;
        tx.commit().await?;
        Ok(rule)
    }

    /// Takes the rule back. It holds for no call from now on.
    pub async fn delete(self, id: &PolicyRuleId) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        let rule =
            rows::delete(&mut tx, &self.scoped.viewer.me.id, id).await?.ok_or(Error::NotFound("rule"))?;
        self.scoped
            .hub
            .audit()
            .note(
                &mut tx,
                AuditEvent::done(AuditAction::RuleDeleted, self.scoped.viewer).object(&named(&rule)),
            )
            .await?;
        tx.commit().await?;
        Ok(())
    }
}

impl Policies<'_> {
    /// The rules that hold for calls of this agent now.
    pub(crate) async fn rules_of(self, owner: &UserId, agent: &AgentId) -> Result<Rules> {
        Ok(Rules(rows::of(self.hub.store(), owner, agent, self.hub.now()).await?))
    }

    /// What the person's rules, and what holds without any, say of the call. A rule that allows a number
    /// of calls is used up by one.
    pub(crate) async fn ruling(
        self,
        owner: &UserId,
        agent: &AgentId,
        asked: &PolicyRequest<'_>,
    ) -> Result<Ruling> {
        loop {
            let rules = rows::of(self.hub.store(), owner, agent, self.hub.now()).await?;
            let ruling = evaluate::evaluate(&rules, asked);
            let Ruling::Allow { rule: Some(id) } = &ruling else { return Ok(ruling) };
            let is_counted = rules.iter().any(|rule| rule.id == *id && rule.uses_left.is_some());
            if !is_counted || rows::use_up(self.hub.store(), id).await? {
                return Ok(ruling);
            }
        }
    }
}

/// The rule in few words, for the audit.
fn named(rule: &PolicyRule) -> String {
    let verdict = match rule.verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "ask before",
        Verdict::Deny => "never",
    };
    let about = rule.about.as_ref().map(|about| format!(" about {about}")).unwrap_or_default();
    format!("{verdict} {}{about}", rule.tool)
}

/// Rules as they are at one time.
pub(crate) struct Rules(Vec<PolicyRule>);

impl Rules {
    /// What they and what holds without any say of the call. Nothing is used up.
    pub(crate) fn ruling(&self, asked: &PolicyRequest<'_>) -> Ruling {
        evaluate::evaluate(&self.0, asked)
    }

    /// Whether one asks about this call that did not ask about the other one.
    pub(crate) fn ask_of_one(&self, one: &PolicyRequest<'_>, other: &PolicyRequest<'_>) -> bool {
        let asks = |asked| {
            move |rule: &&PolicyRule| rule.verdict == Verdict::Ask && evaluate::fits_call(rule, asked)
        };
        self.0.iter().filter(asks(one)).any(|rule| !asks(other)(&rule))
    }

    /// Why the call is denied, and by which rule, if by one. Nothing is used up.
    pub(crate) fn deny(&self, asked: &PolicyRequest<'_>) -> Option<(Option<PolicyRuleId>, String)> {
        match self.ruling(asked) {
            Ruling::Deny { rule, why } => Some((rule, why)),
            Ruling::Allow { .. } | Ruling::Ask(_) => None,
        }
    }
}
