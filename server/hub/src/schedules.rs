//! Clockwork: what an agent is told by itself, and when. Here is what people and agents do with them;
//! [`fire`] has the clock, [`due`] the calendar.

mod archived;
mod breaker;
mod changed_files;
mod condition;
mod devices;
mod draft;
mod due;
mod feeds;
mod finished;
mod fire;
mod firings;
mod history;
mod idle;
mod left_out;
mod looking;
mod mail;
mod preview;
mod rows;
mod set_back;
mod standing;
mod state;
mod triggers;
mod webhooks;

pub(crate) use archived::check as check_archived;
pub(crate) use finished::EndNews;
pub(crate) use fire::{Clockwork, Due};
pub use webhooks::{Delivered, DeliveryHeaders, LARGEST_DELIVERY, Webhooks};

use crate::Hub;
use crate::access::Scoped;
use crate::audit::{Actor, AuditEvent};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::ledger::given_up;
use crate::log::{Appending, EntryScope};
use crate::store::{Json, Row, query};
use draft::Checked;
use protocol::Caps;
use protocol::log::EntryBody;
use protocol::schedule::{Author, FiringCause, ScheduleDraft, ScheduleEvent, ScheduleView, Timing};
use protocol::view::AuditAction;
use protocol::{AgentId, ScheduleId};
use rows::ScheduleRow;

/// When the viewer's agents are told something by themselves.
#[derive(Clone, Copy, Debug)]
pub struct OwnSchedules<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn schedules(&self) -> OwnSchedules<'a> {
        OwnSchedules { scoped: *self }
    }
}

/// When agents are told something by themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedules<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn schedules(&self) -> Schedules<'_> {
        Schedules { hub: self }
    }

    fn clockwork(&self) -> &Clockwork {
        &self.0.schedules
    }
}

/// Clockwork of one agent.
const MAX_SCHEDULES_PER_AGENT: i64 = 20;

impl OwnSchedules<'_> {
    /// The schedules of an agent, those that are due next first.
    pub async fn of_agent(self, agent: &AgentId) -> Result<Vec<ScheduleView>> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.schedules().schedules_of(agent).await
    }

    /// The schedules of all agents, those that are due next first.
    pub async fn list(self) -> Result<Vec<ScheduleView>> {
        let rows = query([rows::SCHEDULES, "a.user_id = $1"], (self.scoped.owner(),))
            .fetch_all::<Row>(self.scoped.hub.store().read())
            .await?;
        self.scoped.hub.schedules().views(fire::readable(&rows)).await
    }

    pub async fn create(self, agent: &AgentId, draft: &ScheduleDraft) -> Result<ScheduleId> {
        let checked = draft::check(draft, self.scoped.hub.now())?;
        self.scoped.require_agent(agent).await?;
        self.scoped.require_counted().await?;
        let place = self.scoped.hub.schedules().place_of(agent).await?;
        let feed = self.look_first(agent, &checked.timing, None).await?;
        let mut appending = self.scoped.hub.log().appending().await?;
        let id = insert(&mut appending, &place, &checked, Author::Person).await?;
        if let Some(mailbox) = &checked.mailbox {
            mail::put(&self.scoped, &mut appending.tx, &id, agent, mailbox, None).await?;
        }
        if feed.is_some() {
            feeds::put(&self.scoped, &mut appending.tx, &id, &checked.timing, feed).await?;
        }
        triggers::put(&mut appending.tx, &id, agent, &checked.timing, checked.counted_from).await?;
        self.note_schedule(&mut appending, AuditAction::ScheduleMade, &checked.name).await?;
        self.scoped.hub.log().commit(appending).await?;
        self.scoped.hub.schedules().look_soon();
        Ok(id)
    }

    /// Its times are counted anew from now. Gives the agent.
    pub async fn edit(self, id: &ScheduleId, draft: &ScheduleDraft) -> Result<AgentId> {
        let checked = draft::check(draft, self.scoped.hub.now())?;
        let ScheduleRow { place, paused, timing: before, .. } = self.known_schedule(id).await?;
        self.scoped.require_counted().await?;
        let feed = self.look_first(&place.agent, &checked.timing, Some(&before)).await?;
        let mut appending = self.scoped.hub.log().appending().await?;
        let next = if paused { None } else { checked.next(id) };
        let changed = query(
            "UPDATE schedules SET name = $2, message = $3, timing = $4, counted_from = $5, missed = $6,
             next_at = $7, rules = $8
             WHERE id = $1",
            (
                id,
                &checked.name,
                &checked.message,
                Json(&checked.timing),
                checked.counted_from,
                checked.missed,
                next,
                Json(&checked.rules),
            ),
        )
        .execute(&mut *appending.tx)
        .await?;
        if changed == 0 {
            return Err(Error::NotFound("schedule"));
        }
        match &checked.mailbox {
            Some(entered) => {
                let agent = &place.agent;
                mail::put(&self.scoped, &mut appending.tx, id, agent, entered, Some(&before)).await?;
            }
            None => mail::forget(&mut appending.tx, self.scoped.owner(), id).await?,
        }
        feeds::put(&self.scoped, &mut appending.tx, id, &checked.timing, feed).await?;
        triggers::put(&mut appending.tx, id, &place.agent, &checked.timing, checked.counted_from).await?;
        appending.tell(&place, id, &checked.name, ScheduleEvent::Changed).await?;
        self.note_schedule(&mut appending, AuditAction::ScheduleChanged, &checked.name).await?;
        self.scoped.hub.log().commit(appending).await?;
        self.scoped.hub.schedules().look_soon();
        Ok(place.agent)
    }

    /// What is due while it rests is not made up for.
    pub async fn pause(self, id: &ScheduleId) -> Result<()> {
        let ScheduleRow { place, name, paused, .. } = self.known_schedule(id).await?;
        if paused {
            return Ok(());
        }
        let mut appending = self.scoped.hub.log().appending().await?;
        // First, as where a run begins: who stopped is locked before what is due.
        appending.give_up_for_schedule(id, &given_up::paused(&name)).await?;
        query("UPDATE schedules SET paused = 1, next_at = NULL WHERE id = $1", (id,))
            .execute(&mut *appending.tx)
            .await?;
        query("DELETE FROM schedule_firings WHERE schedule_id = $1 AND state = 'waiting'", (id,))
            .execute(&mut *appending.tx)
            .await?;
        appending.tell(&place, id, &name, ScheduleEvent::Paused).await?;
        self.note_schedule(&mut appending, AuditAction::ScheduleChanged, &name).await?;
        self.scoped.hub.log().commit(appending).await?;
        Ok(())
    }

    pub async fn resume(self, id: &ScheduleId) -> Result<()> {
        let ScheduleRow { place, name, paused, times, timing, broken, .. } = self.known_schedule(id).await?;
        self.scoped.require_counted().await?;
        if !paused {
            return Ok(());
        }
        let next = times.after(self.scoped.hub.now());
        if next.is_none() && !times.are_events() {
            return Err(Error::Conflict("Its time has passed. Give it another one.".to_owned()));
        }
        let mut appending = self.scoped.hub.log().appending().await?;
        query(
            "UPDATE schedules SET paused = 0, next_at = $2, broken = NULL, forgiven_at = $3 WHERE id = $1",
            (id, next, self.scoped.hub.now()),
        )
        .execute(&mut *appending.tx)
        .await?;
        if matches!(timing, Timing::Mail(_)) {
            mail::resume(&mut appending.tx, id, broken.is_some(), self.scoped.hub.now()).await?;
        }
        if matches!(timing, Timing::Feed { .. }) {
            feeds::resume(&self.scoped, &mut appending.tx, id, broken.is_some()).await?;
        }
        triggers::resume(&mut appending.tx, id, &timing, self.scoped.hub.now()).await?;
        appending.tell(&place, id, &name, ScheduleEvent::Resumed).await?;
        self.note_schedule(&mut appending, AuditAction::ScheduleChanged, &name).await?;
        self.scoped.hub.log().commit(appending).await?;
        self.scoped.hub.schedules().look_soon();
        Ok(())
    }

    /// Its next times stay what they are.
    pub async fn run_now(self, id: &ScheduleId) -> Result<()> {
        let ScheduleRow { place, timing, .. } = self.known_schedule(id).await?;
        self.scoped.require_counted().await?;
        let (mut tx, now) = (self.scoped.hub.store().write().await?, self.scoped.hub.now());
        match timing {
            // What waits there has something to say, and comes once.
            Timing::Webhook
            | Timing::Mail(_)
            | Timing::Feed { .. }
            | Timing::Finished { .. }
            | Timing::File { .. }
            | Timing::Device => {
                firings::queue_behind(&mut tx, id, now, FiringCause::Person).await?;
            }
            Timing::Once { .. } | Timing::Every { .. } | Timing::Days { .. } | Timing::Cron { .. } => {
                firings::queue(&mut tx, id, now, FiringCause::Person).await?;
            }
        }
        tx.commit().await?;
        self.scoped.hub.schedules().fire_waiting_of(&place.agent).await
    }

    /// Gives the agent that it was of. What it began and is under way ends: no limit of its holds any more.
    pub async fn delete(self, id: &ScheduleId) -> Result<AgentId> {
        let ScheduleRow { place, name, .. } = self.known_schedule(id).await?;
        let mut appending = self.scoped.hub.log().appending().await?;
        delete(&mut appending, &place, id, &name, Author::Person).await?;
        mail::forget(&mut appending.tx, self.scoped.owner(), id).await?;
        self.note_schedule(&mut appending, AuditAction::ScheduleDeleted, &name).await?;
        self.scoped.hub.log().commit(appending).await?;
        self.scoped.hub.runs().stop_of_person(id).await?;
        Ok(place.agent)
    }

    /// What it begins goes on if this limit had stopped it.
    pub async fn limit(self, id: &ScheduleId, caps: &Caps) -> Result<()> {
        self.known_schedule(id).await?;
        self.scoped.hub.ledger().limit_schedule(self.scoped.viewer, id, caps).await
    }

    async fn known_schedule(self, id: &ScheduleId) -> Result<ScheduleRow> {
        query([rows::SCHEDULES, "s.id = $1 AND a.user_id = $2"], (id, self.scoped.owner()))
            .fetch_optional(self.scoped.hub.store().read())
            .await?
            .ok_or(Error::NotFound("schedule"))
    }

    async fn note_schedule(self, appending: &mut Appending, action: AuditAction, name: &str) -> Result<()> {
        self.scoped
            .hub
            .audit()
            .note(&mut appending.tx, AuditEvent::done(action, self.scoped.viewer).object(name))
            .await
    }
}

/// What an agent does with its own schedules.
impl Schedules<'_> {
    pub(crate) async fn schedules_of(self, agent: &AgentId) -> Result<Vec<ScheduleView>> {
        let rows = query([rows::SCHEDULES, "s.agent_id = $1"], (agent,))
            .fetch_all::<Row>(self.hub.store().read())
            .await?;
        self.views(fire::readable(&rows)).await
    }

    /// Those that are due next first.
    async fn views(self, schedules: Vec<ScheduleRow>) -> Result<Vec<ScheduleView>> {
        let mut views = Vec::new();
        for known in schedules {
            views.push(self.schedule_view(known).await?);
        }
        views.sort_by_key(|view| (view.paused, view.next_at.is_none(), view.next_at));
        Ok(views)
    }

    /// The call of the tool was permitted; nobody is in between any more.
    pub(crate) async fn schedule_for_itself(
        self,
        place: &EntryScope,
        draft: &ScheduleDraft,
    ) -> Result<ScheduleId> {
        let checked = draft::check(draft, self.hub.now())?;
        if checked.mailbox.is_some() {
            return Err(Error::invalid("Only your person names a mailbox. Ask them."));
        }
        // Each look is a request, which no rule about its calls would weigh.
        if matches!(checked.timing, Timing::Feed { .. }) {
            return Err(Error::invalid("Only your person names a feed. Ask them."));
        }
        let mut appending = self.hub.log().appending().await?;
        let id = insert(&mut appending, place, &checked, Author::Agent).await?;
        triggers::put(&mut appending.tx, &id, &place.agent, &checked.timing, checked.counted_from).await?;
        self.note_own(&mut appending, place, AuditAction::ScheduleMade, &checked.name).await?;
        self.hub.log().commit(appending).await?;
        self.hub.clockwork().changed();
        Ok(id)
    }

    /// Only one that it made itself.
    pub(crate) async fn unschedule_for_itself(self, place: &EntryScope, id: &ScheduleId) -> Result<()> {
        let ScheduleRow { name, by, .. } =
            query([rows::SCHEDULES, "s.id = $1 AND s.agent_id = $2"], (id, &place.agent))
                .fetch_optional(self.hub.store().read())
                .await?
                .ok_or(Error::NotFound("schedule"))?;
        if by == Author::Person {
            return Err(Error::invalid(format!(
                "Your person made {name}, and only they delete it. Ask them."
            )));
        }
        let mut appending = self.hub.log().appending().await?;
        if rows::has_begun(&mut appending.tx, id).await? {
            return Err(Error::Conflict(format!(
                "{name} began the run that is under way, under its limits. Delete it another time, or ask your person."
            )));
        }
        delete(&mut appending, place, id, &name, Author::Agent).await?;
        self.note_own(&mut appending, place, AuditAction::ScheduleDeleted, &name).await?;
        self.hub.log().commit(appending).await?;
        Ok(())
    }

    async fn note_own(
        self,
        appending: &mut Appending,
        place: &EntryScope,
        action: AuditAction,
        name: &str,
    ) -> Result<()> {
        let row = query(
            "SELECT u.id, u.name, a.name AS agent FROM agents a JOIN users u ON u.id = a.user_id
             WHERE a.id = $1",
            (&place.agent,),
        )
        .fetch_one::<Row>(&mut *appending.tx)
        .await?;
        let (id, person): (String, String) = (row.get("id")?, row.get("name")?);
        let object = format!("{name}, by {}", row.get::<String>("agent")?);
        let line = AuditEvent::done(action, Actor::hub()).about(&id, &person).object(&object);
        self.hub.audit().note(&mut appending.tx, line).await
    }

    async fn place_of(self, agent: &AgentId) -> Result<EntryScope> {
        let conversation = Some(self.hub.conversations().current(agent).await?);
        Ok(EntryScope { agent: agent.clone(), conversation, run: None })
    }
}

async fn insert(
    appending: &mut Appending,
    place: &EntryScope,
    checked: &Checked,
    by: Author,
) -> Result<ScheduleId> {
    let id = ScheduleId(new_id());
    let count = rows::count(&mut appending.tx, &place.agent).await?;
    if count >= MAX_SCHEDULES_PER_AGENT {
        return Err(Error::Limit(format!(
            "The agent has {MAX_SCHEDULES_PER_AGENT} schedules. Delete one first."
        )));
    }
    query(
        "INSERT INTO schedules (id, agent_id, name, message, timing, counted_from, missed, paused, made_by,
                                created_at, next_at, seen_at, rules)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $6, $9, $6, $10)",
        (
            &id,
            &place.agent,
            &checked.name,
            &checked.message,
            Json(&checked.timing),
            checked.counted_from,
            checked.missed,
            by,
            checked.next(&id),
            Json(&checked.rules),
        ),
    )
    .execute(&mut *appending.tx)
    .await?;
    appending.tell(place, &id, &checked.name, ScheduleEvent::Made { by }).await?;
    Ok(id)
}

async fn delete(
    appending: &mut Appending,
    place: &EntryScope,
    id: &ScheduleId,
    name: &str,
    by: Author,
) -> Result<()> {
    appending.give_up_for_schedule(id, &given_up::deleted(name)).await?;
    query("DELETE FROM schedules WHERE id = $1", (id,)).execute(&mut *appending.tx).await?;
    query("DELETE FROM caps WHERE scope = 'schedule' AND owner = $1", (id,))
        .execute(&mut *appending.tx)
        .await?;
    appending.tell(place, id, name, ScheduleEvent::Deleted { by }).await
}

impl Appending {
    async fn tell(
        &mut self,
        place: &EntryScope,
        id: &ScheduleId,
        name: &str,
        news: ScheduleEvent,
    ) -> Result<()> {
        let (schedule, name) = (id.clone(), name.to_owned());
        self.append(place, EntryBody::Schedule { schedule, name, news }).await?;
        Ok(())
    }
}
