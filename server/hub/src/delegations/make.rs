//! Asking: a row for each agent that is asked, and for a sub-agent the agent itself.

use super::begin::lock_chain;
use super::between_hubs::too_deep;
use super::child::{alone, named, narrowed};
use super::handing::Handed;
use super::rows::{self, DELEGATIONS, Delegation};
use super::time::queued_until;
use super::{BELOW_ROOT, DEPTH, Delegations, PER_CHAIN};
use crate::agent_roles::{self, AgentRole};
use crate::agents::{self, RoleOfSubAgent, SubAgent};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::gateway::Caller;
use crate::log::EntryScope;
use crate::marks;
use crate::runs;
use crate::store::{Row, Transaction, query};
use agent::taint::Marks;
use protocol::hub::Noun;
use protocol::view::{DelegationKind, LoopSettings, ProviderReach};
use protocol::{AgentId, ConversationId, DelegationId, ProviderId, RunId};

/// What a sub-agent is to do, and who it is to be.
pub(crate) struct SpawnRequest<'a> {
    pub(crate) task: &'a str,
    pub(crate) label: &'a str,
    pub(crate) instructions: Option<&'a str>,
    pub(crate) tools: Option<&'a [String]>,
    pub(crate) mounts: Option<&'a [String]>,
    pub(crate) model: Option<&'a str>,
    /// One of its person's, by name.
    pub(crate) role: Option<&'a str>,
    /// What it is told of the conversation.
    pub(crate) handed: Handed,
    pub(crate) minutes: i64,
}

/// What is said to agents, by their names or ids.
pub(crate) struct AskRequest<'a> {
    pub(crate) agents: &'a [String],
    pub(crate) text: &'a str,
    pub(crate) minutes: i64,
}

/// The run that asks, as every delegation of it has it.
pub(super) struct Asking<'a> {
    caller: &'a Caller<'a>,
    pub(super) run: &'a RunId,
    pub(super) chain: RunId,
    depth: i64,
    pub(super) marks: Marks,
    minutes: i64,
    /// When the time of the sub-agent that asks is over, and of all that it has under way.
    ends: Option<i64>,
}

impl Delegations<'_> {
    /// Makes a sub-agent, which begins when it is its turn. The same task under the same label from the same run is
    /// the same one: a crash asks again.
    pub(crate) async fn spawn(self, caller: &Caller<'_>, request: SpawnRequest<'_>) -> Result<Delegation> {
        let task = runs::check_message(request.task)?;
        if caller.spec.on_device.is_some() {
            return Err(Error::invalid(
                "Your model is on a device of your person's, where no sub-agent can call it. Do the task yourself.",
            ));
        }
        let level = agents::level_of(self.hub.store(), caller.agent).await?;
        if level >= BELOW_ROOT {
            return Err(Error::invalid("A sub-agent this far down makes no others. Do the task yourself."));
        }
        self.hub.spaces().require_for(caller.root).await?;
        // What marks the caller is read behind it, so that nothing in it is unmarked.
        let handed = self.handed(caller, request.handed).await?;
        let asking = self.asking(caller, request.minutes).await?;
        let role = self.role(caller, request.role).await?;
        let leads = level + 1 < BELOW_ROOT && asking.depth < DEPTH;
        let mut chosen = narrowed(caller, request.tools, leads)?;
        let mounts = match request.mounts {
            Some(asked) => {
                Some(agents::Mounts::of_agent(self.hub.store(), caller.agent).await?.narrowed(asked)?)
            }
            None => None,
        };
        let mut model = request.model.map(agents::check_model).transpose()?;
        let instructions = match request.instructions {
            Some(own) => agents::check_instructions(own)?,
            None => String::new(),
        };
        let instructions = match &role {
            None => instructions,
            Some(role) => {
                chosen.retain(|tool| role.definition.tools.contains(tool));
                format!("{}\n\n{instructions}", role.definition.instructions)
            }
        };
        let brings = match &role {
            None => None,
            Some(role) => {
                Some(RoleOfSubAgent { id: role.id.clone(), thinks: self.thinks(caller, role).await? })
            }
        };
        if let (Some(role), Some(RoleOfSubAgent { thinks: Some(_), .. }), None) = (&role, &brings, &model) {
            model = Some(role.definition.model.clone());
        }
        let mut tx = self.hub.store().write().await?;
        agents::lock(&mut tx, caller.agent).await?;
        let name = named(&caller.spec.name, request.label);
        if let Some(same) = same_task(&mut tx, asking.run, caller.agent, task, &name).await? {
            return Ok(same);
        }
        lock_chain(&mut tx, &asking.chain).await?;
        asking.require_room(&mut tx).await?;
        if let Some(role) = &role {
            agent_roles::require_room(&mut tx, caller.owner, role).await?;
        }
        let left = match &mounts {
            Some(mounts) => format!(" Of the files you have those under {} alone.", mounts.join(", ")),
            None => String::new(),
        };
        let alone = alone(&caller.spec.name);
        let sub_agent = SubAgent {
            parent: caller.agent,
            name,
            instructions: format!("{alone}{left}\n\n{instructions}").trim().to_owned(),
            tools: chosen,
            model,
            role: brings,
            mounts,
        };
        let place = agents::insert_sub_agent(&mut tx, caller.owner, sub_agent, self.hub.now()).await?;
        let id = asking.insert(&mut tx, DelegationKind::SubAgent, &place, task, self.hub.now()).await?;
        self.keep_handed(&mut tx, &id, &handed).await?;
        tx.commit().await?;
        self.begin_queued(caller.owner).await?;
        self.require(&id).await
    }

    /// The role of the caller's person with this name.
    async fn role(self, caller: &Caller<'_>, name: Option<&str>) -> Result<Option<AgentRole>> {
        let Some(name) = name else { return Ok(None) };
        match agent_roles::named(self.hub.store().read(), caller.owner, name).await? {
            Some(role) => Ok(Some(role)),
            None => Err(Error::invalid(format!("There is no role {name}. agent_list names them."))),
        }
    }

    /// The provider of a role, if the hub can call it. Otherwise its sub-agents think as their maker does.
    async fn thinks(
        self,
        caller: &Caller<'_>,
        role: &AgentRole,
    ) -> Result<Option<(ProviderId, LoopSettings)>> {
        let definition = &role.definition;
        let provider = ProviderId(definition.provider.clone());
        let usable = self.hub.providers().usable(caller.owner, &provider).await?;
        let is_called_here = usable.is_some_and(|usable| usable.provider.reach == ProviderReach::Hub);
        let thinks = is_called_here && !definition.model.is_empty();
        Ok(thinks.then(|| (provider, definition.loop_settings.clone())))
    }

    /// Asks agents of the same person. Whoever is at work answers when it is free.
    pub(crate) async fn ask(self, caller: &Caller<'_>, request: AskRequest<'_>) -> Result<Vec<Delegation>> {
        let text = runs::check_message(request.text)?;
        let asking = self.asking(caller, request.minutes).await?;
        let mut asked = Vec::new();
        for name in request.agents {
            let agent = self.named(caller, name).await?;
            self.require_no_circle(&asking, &agent, name).await?;
            if agents::is_paused(self.hub.store().read(), &agent).await? {
                return Err(Error::Conflict(format!(
                    "{name} is paused by your person and takes nothing up. Go on without, or say that you need it."
                )));
            }
            if !asked.contains(&agent) {
                asked.push(agent);
            }
        }
        let mut made = Vec::new();
        for agent in &asked {
            let mut tx = self.hub.store().write().await?;
            agents::lock(&mut tx, agent).await?;
            let id = match same_task_of(&mut tx, asking.run, agent, text).await? {
                Some(same) => same.id,
                None => {
                    asking.require_room(&mut tx).await?;
                    let conversation = self.conversation_between(&mut tx, caller, agent).await?;
                    let place =
                        EntryScope { agent: agent.clone(), conversation: Some(conversation), run: None };
                    asking.insert(&mut tx, DelegationKind::Agent, &place, text, self.hub.now()).await?
                }
            };
            tx.commit().await?;
            made.push(id);
        }
        self.begin_queued(caller.owner).await?;
        let mut all = Vec::new();
        for id in &made {
            all.push(self.require(id).await?);
        }
        Ok(all)
    }

    pub(super) async fn asking<'a>(self, caller: &'a Caller<'a>, minutes: i64) -> Result<Asking<'a>> {
        let run = caller.run().ok_or_else(|| Error::invalid("Only a run can ask other agents."))?;
        let mut connection = self.hub.store().reader().await?;
        let (chain, depth) = rows::chain_of(&mut connection, run).await?;
        let marks = marks::of(&mut connection, caller.agent).await?;
        let depth = depth + 1;
        if depth > DEPTH {
            return Err(too_deep());
        }
        let own = rows::carried_out_by(&mut connection, run).await?;
        let ends = own.filter(|own| own.kind == DelegationKind::SubAgent).map(|own| own.until);
        Ok(Asking { caller, run, chain, depth, marks, minutes, ends })
    }

    /// The agent of the caller's person with this name or id.
    pub(crate) async fn named(self, caller: &Caller<'_>, name: &str) -> Result<AgentId> {
        let found: Vec<AgentId> = query(
            "SELECT id FROM agents
             WHERE user_id = $1 AND parent_id IS NULL AND id <> $3 AND (id = $2 OR LOWER(name) = LOWER($2))
             ORDER BY id LIMIT 2",
            (caller.owner, name.trim(), caller.agent),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        match found.as_slice() {
            [one] => Ok(one.clone()),
            [] => Err(Error::invalid(format!("There is no other agent {name}. agent_list names them."))),
            _ => Err(Error::invalid(format!("Several agents are called {name}. Use an id of agent_list."))),
        }
    }

    /// Fails if the agent waits for this very run, for then nobody would ever answer.
    pub(super) async fn require_no_circle(
        self,
        asking: &Asking<'_>,
        agent: &AgentId,
        name: &str,
    ) -> Result<()> {
        let waits = query(
            "SELECT 1 FROM delegations WHERE chain = $1 AND asker_id = $2 AND state = 'running'",
            (&asking.chain, agent),
        )
        .exists(self.hub.store().read())
        .await?;
        if waits {
            return Err(Error::invalid(format!("{name} waits for what you are asked here. Answer it.")));
        }
        Ok(())
    }

    /// Where the two have talked before in this conversation of the caller's, or a new one.
    pub(super) async fn conversation_between(
        self,
        tx: &mut Transaction,
        caller: &Caller<'_>,
        agent: &AgentId,
    ) -> Result<ConversationId> {
        let former: Option<ConversationId> = query(
            "SELECT d.conversation_id FROM delegations d JOIN conversations c ON c.id = d.conversation_id
             WHERE d.asker_conversation = $1 AND d.agent_id = $2 AND c.deleted_at IS NULL
             ORDER BY d.created_at DESC, d.id DESC LIMIT 1",
            (caller.conversation, agent),
        )
        .fetch_optional(&mut **tx)
        .await?;
        match former {
            Some(former) => Ok(former),
            None => {
                let conversations = self.hub.conversations();
                let begun = conversations.insert(tx, agent).await?;
                conversations.be_as_temporary(tx, &begun, caller.conversation).await?;
                Ok(begun)
            }
        }
    }

    pub(super) async fn require(self, id: &DelegationId) -> Result<Delegation> {
        query([DELEGATIONS, "d.id = $1"], (id,))
            .fetch_optional(self.hub.store().read())
            .await?
            .ok_or(Error::NotFound("delegation"))
    }
}

impl Asking<'_> {
    /// Fails if the run is over, or its chain has had its share.
    pub(super) async fn require_room(&self, tx: &mut Transaction) -> Result<()> {
        let row: Option<Row> = query(
            "SELECT (SELECT COUNT(*) FROM delegations d WHERE d.chain = $2) AS made
             FROM runs WHERE id = $1 AND running = 1",
            (self.run, &self.chain),
        )
        .fetch_optional(&mut **tx)
        .await?;
        let row =
            row.ok_or_else(|| Error::Conflict("The run is over: nobody is asked any more.".to_owned()))?;
        if row.get::<i64>("made")? >= PER_CHAIN {
            return Err(Error::Limit(format!(
                "{PER_CHAIN} times agents were asked for this one request, and no more are. Go on with what there is."
            )));
        }
        Ok(())
    }

    pub(super) async fn insert(
        &self,
        tx: &mut Transaction,
        kind: DelegationKind,
        to: &EntryScope,
        task: &str,
        now: i64,
    ) -> Result<DelegationId> {
        let id = DelegationId(new_id());
        let until = queued_until(now, self.minutes);
        query(
            "INSERT INTO delegations (id, user_id, kind, asker_id, asker_run, asker_conversation, agent_id,
                                      conversation_id, chain, depth, task, untrusted, private, state,
                                      created_at, until, minutes)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, CAST($12 AS BIGINT), CAST($13 AS BIGINT),
                     'queued', $14, $15, $16)",
            (
                &id,
                self.caller.owner,
                kind,
                self.caller.agent,
                self.run,
                self.caller.conversation,
                &to.agent,
                &to.conversation,
                &self.chain,
                self.depth,
                task,
                i64::from(self.marks.untrusted),
                i64::from(self.marks.private),
                now,
                self.ends.map_or(until, |ends| until.min(ends)),
                self.minutes,
            ),
        )
        .execute(&mut **tx)
        .await?;
        tx.changes(self.caller.owner, Noun::Delegations);
        Ok(id)
    }
}

async fn same_task(
    tx: &mut Transaction,
    run: &RunId,
    asker: &AgentId,
    task: &str,
    name: &str,
) -> Result<Option<Delegation>> {
    query(
        [
            DELEGATIONS,
            "d.asker_run = $1 AND d.asker_id = $2 AND d.task = $3 AND a.name = $4 AND d.kind = 'sub_agent' LIMIT 1",
        ],
        (run, asker, task, name),
    )
    .fetch_optional(&mut **tx)
    .await
}

async fn same_task_of(
    tx: &mut Transaction,
    run: &RunId,
    agent: &AgentId,
    task: &str,
) -> Result<Option<Delegation>> {
    query(
        [
            DELEGATIONS,
            "d.asker_run = $1 AND d.agent_id = $2 AND d.task = $3 AND d.state IN ('queued', 'running') LIMIT 1",
        ],
        (run, agent, task),
    )
    .fetch_optional(&mut **tx)
    .await
}
