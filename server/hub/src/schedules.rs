//! Schedules: what an agent is told by itself, and when. Here is what people and agents do with them;
//! [`fire`] has the clock, [`due`] the calendar.

mod archived;
mod draft;
mod due;
mod fire;
mod idle;
mod rows;
mod state;

pub(crate) use archived::check as check_archived;
pub(crate) use fire::{Due, Schedules};

use crate::Hub;
use crate::access::Scoped;
use crate::audit::{Actor, Line};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::ledger::given_up;
use crate::log::{Appending, Place};
use crate::store::Row;
use draft::Checked;
use protocol::log::EntryBody;
use protocol::schedule::{Author, News, ScheduleDraft, ScheduleView};
use protocol::view::AuditAction;
use protocol::{AgentId, ScheduleId};
use rows::Known;
use sqlx::Row as _;

/// Schedules of one agent.
const MOST: i64 = 20;

impl Scoped<'_> {
    /// The schedules of an agent, those that are due next first.
    pub async fn schedules(&self, agent: &AgentId) -> Result<Vec<ScheduleView>> {
        self.require_agent(agent).await?;
        self.hub.schedules_of(agent).await
    }

    /// The schedules of all agents, those that are due next first.
    pub async fn all_schedules(&self) -> Result<Vec<ScheduleView>> {
        let query = sqlx::query(rows::select!("a.user_id = $1")).bind(self.owner());
        self.hub.views(&query.fetch_all(self.hub.store.read()).await?).await
    }

    pub async fn create_schedule(&self, agent: &AgentId, draft: &ScheduleDraft) -> Result<ScheduleId> {
        let checked = draft::check(draft, self.hub.now())?;
        self.require_agent(agent).await?;
        let place = self.hub.place_of(agent).await?;
        let mut appending = self.hub.appending().await?;
        let id = insert(&mut appending, &place, &checked, Author::Person).await?;
        self.note_schedule(&mut appending, AuditAction::ScheduleMade, &checked.name).await?;
        self.hub.commit(appending).await?;
        self.hub.schedules.changed();
        Ok(id)
    }

    /// Its times are counted anew from now. Gives the agent.
    pub async fn edit_schedule(&self, id: &ScheduleId, draft: &ScheduleDraft) -> Result<AgentId> {
        let checked = draft::check(draft, self.hub.now())?;
        let Known { place, paused, .. } = self.known_schedule(id).await?;
        let mut appending = self.hub.appending().await?;
        let next = if paused { None } else { checked.next };
        let changed = sqlx::query(
            "UPDATE schedules SET name = $2, message = $3, timing = $4, counted_from = $5, missed = $6, next_at = $7
             WHERE id = $1",
        )
        .bind(&id.0)
        .bind(&checked.name)
        .bind(&checked.message)
        .bind(serde_json::to_string(&checked.timing)?)
        .bind(checked.counted_from)
        .bind(rows::missed_text(checked.missed))
        .bind(next)
        .execute(&mut *appending.tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(Error::NotFound("schedule"));
        }
        appending.tell(&place, id, &checked.name, News::Changed).await?;
        self.note_schedule(&mut appending, AuditAction::ScheduleChanged, &checked.name).await?;
        self.hub.commit(appending).await?;
        self.hub.schedules.changed();
        Ok(place.agent)
    }

    /// What is due while it rests is not made up for.
    pub async fn pause_schedule(&self, id: &ScheduleId) -> Result<()> {
        let Known { place, name, paused, .. } = self.known_schedule(id).await?;
        if paused {
            return Ok(());
        }
        let mut appending = self.hub.appending().await?;
        // First, as where a run begins: who stopped is locked before what is due.
        appending.give_up_for_schedule(id, &given_up::paused(&name)).await?;
        sqlx::query("UPDATE schedules SET paused = 1, next_at = NULL WHERE id = $1")
            .bind(&id.0)
            .execute(&mut *appending.tx)
            .await?;
        sqlx::query("DELETE FROM schedule_firings WHERE schedule_id = $1 AND state = 'waiting'")
            .bind(&id.0)
            .execute(&mut *appending.tx)
            .await?;
        appending.tell(&place, id, &name, News::Paused).await?;
        self.note_schedule(&mut appending, AuditAction::ScheduleChanged, &name).await?;
        self.hub.commit(appending).await?;
        Ok(())
    }

    pub async fn resume_schedule(&self, id: &ScheduleId) -> Result<()> {
        let Known { place, name, paused, times, .. } = self.known_schedule(id).await?;
        if !paused {
            return Ok(());
        }
        let Some(next) = times.after(self.hub.now()) else {
            return Err(Error::Conflict("Its time has passed. Give it another one.".to_owned()));
        };
        let mut appending = self.hub.appending().await?;
        sqlx::query("UPDATE schedules SET paused = 0, next_at = $2 WHERE id = $1")
            .bind(&id.0)
            .bind(next)
            .execute(&mut *appending.tx)
            .await?;
        appending.tell(&place, id, &name, News::Resumed).await?;
        self.note_schedule(&mut appending, AuditAction::ScheduleChanged, &name).await?;
        self.hub.commit(appending).await?;
        self.hub.schedules.changed();
        Ok(())
    }

    /// Its next times stay what they are.
    pub async fn run_schedule_now(&self, id: &ScheduleId) -> Result<()> {
        let Known { place, .. } = self.known_schedule(id).await?;
        let mut tx = self.hub.store.write().await?;
        fire::queue(&mut tx, id, self.hub.now()).await?;
        tx.commit().await?;
        self.hub.fire_waiting_of(&place.agent).await
    }

    /// Gives the agent that it was of. What it began and is under way ends: no limit of its holds any more.
    pub async fn delete_schedule(&self, id: &ScheduleId) -> Result<AgentId> {
        let Known { place, name, .. } = self.known_schedule(id).await?;
        let mut appending = self.hub.appending().await?;
        delete(&mut appending, &place, id, &name, Author::Person).await?;
        self.note_schedule(&mut appending, AuditAction::ScheduleDeleted, &name).await?;
        self.hub.commit(appending).await?;
        self.hub.stop_runs_of(id).await;
        Ok(place.agent)
    }

    /// Fails unless the schedule is there and the viewer's.
    pub(crate) async fn require_schedule(&self, id: &ScheduleId) -> Result<()> {
        self.known_schedule(id).await.map(|_| ())
    }

    async fn known_schedule(&self, id: &ScheduleId) -> Result<Known> {
        let row = sqlx::query(rows::select!("s.id = $1 AND a.user_id = $2"))
            .bind(&id.0)
            .bind(self.owner())
            .fetch_optional(self.hub.store.read())
            .await?
            .ok_or(Error::NotFound("schedule"))?;
        rows::known(&row)
    }

    async fn note_schedule(&self, appending: &mut Appending, action: AuditAction, name: &str) -> Result<()> {
        self.hub.note(&mut appending.tx, Line::done(action, self.viewer).object(name)).await
    }
}

/// What an agent does with its own schedules.
impl Hub {
    pub(crate) async fn schedules_of(&self, agent: &AgentId) -> Result<Vec<ScheduleView>> {
        let query = sqlx::query(rows::select!("s.agent_id = $1")).bind(&agent.0);
        self.views(&query.fetch_all(self.store.read()).await?).await
    }

    /// Those that are due next first.
    async fn views(&self, rows: &[Row]) -> Result<Vec<ScheduleView>> {
        let mut views = Vec::new();
        for row in rows {
            views.push(self.schedule_view(rows::known(row)?).await?);
        }
        views.sort_by_key(|view| (view.paused, view.next_at.is_none(), view.next_at));
        Ok(views)
    }

    /// The call of the tool was permitted; nobody is in between any more.
    pub(crate) async fn schedule_for_itself(
        &self,
        place: &Place,
        draft: &ScheduleDraft,
    ) -> Result<ScheduleId> {
        let checked = draft::check(draft, self.now())?;
        let mut appending = self.appending().await?;
        let id = insert(&mut appending, place, &checked, Author::Agent).await?;
        self.note_own(&mut appending, place, AuditAction::ScheduleMade, &checked.name).await?;
        self.commit(appending).await?;
        self.schedules.changed();
        Ok(id)
    }

    /// Only one that it made itself.
    pub(crate) async fn unschedule_for_itself(&self, place: &Place, id: &ScheduleId) -> Result<()> {
        let row = sqlx::query(rows::select!("s.id = $1 AND s.agent_id = $2"))
            .bind(&id.0)
            .bind(&place.agent.0)
            .fetch_optional(self.store.read())
            .await?
            .ok_or(Error::NotFound("schedule"))?;
        let Known { name, by, .. } = rows::known(&row)?;
        if by == Author::Person {
            return Err(Error::invalid(format!(
                "Your person made {name}, and only they delete it. Ask them."
            )));
        }
        let mut appending = self.appending().await?;
        if rows::has_begun(&mut appending.tx, id).await? {
            return Err(Error::Conflict(format!(
                "{name} began the run that is under way, under its limits. Delete it another time, or ask your person."
            )));
        }
        delete(&mut appending, place, id, &name, Author::Agent).await?;
        self.note_own(&mut appending, place, AuditAction::ScheduleDeleted, &name).await?;
        self.commit(appending).await?;
        Ok(())
    }

    async fn note_own(
        &self,
        appending: &mut Appending,
        place: &Place,
        action: AuditAction,
        name: &str,
    ) -> Result<()> {
        let row = sqlx::query(
            "SELECT u.id, u.name, a.name AS agent FROM agents a JOIN users u ON u.id = a.user_id WHERE a.id = $1",
        )
        .bind(&place.agent.0)
        .fetch_one(&mut *appending.tx)
        .await?;
        let (id, person): (String, String) = (row.try_get("id")?, row.try_get("name")?);
        let object = format!("{name}, by {}", row.try_get::<String, _>("agent")?);
        let line = Line::done(action, Actor::hub()).about(&id, &person).object(&object);
        self.note(&mut appending.tx, line).await
    }

    async fn place_of(&self, agent: &AgentId) -> Result<Place> {
        let conversation = Some(self.conversation_of(agent).await?);
        Ok(Place { agent: agent.clone(), conversation, run: None })
    }
}

async fn insert(
    appending: &mut Appending,
    place: &Place,
    checked: &Checked,
    by: Author,
) -> Result<ScheduleId> {
    let id = ScheduleId(new_id());
    let count = rows::count(&mut appending.tx, &place.agent).await?;
    if count >= MOST {
        return Err(Error::Limit(format!("The agent has {MOST} schedules. Delete one first.")));
    }
    sqlx::query(
        "INSERT INTO schedules (id, agent_id, name, message, timing, counted_from, missed, paused, made_by,
                                created_at, next_at, seen_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $6, $9, $6)",
    )
    .bind(&id.0)
    .bind(&place.agent.0)
    .bind(&checked.name)
    .bind(&checked.message)
    .bind(serde_json::to_string(&checked.timing)?)
    .bind(checked.counted_from)
    .bind(rows::missed_text(checked.missed))
    .bind(rows::author_text(by))
    .bind(checked.next)
    .execute(&mut *appending.tx)
    .await?;
    appending.tell(place, &id, &checked.name, News::Made { by }).await?;
    Ok(id)
}

async fn delete(
    appending: &mut Appending,
    place: &Place,
    id: &ScheduleId,
    name: &str,
    by: Author,
) -> Result<()> {
    appending.give_up_for_schedule(id, &given_up::deleted(name)).await?;
    sqlx::query("DELETE FROM schedules WHERE id = $1").bind(&id.0).execute(&mut *appending.tx).await?;
    sqlx::query("DELETE FROM caps WHERE scope = 'schedule' AND owner = $1")
        .bind(&id.0)
        .execute(&mut *appending.tx)
        .await?;
    appending.tell(place, id, name, News::Deleted { by }).await
}

impl Appending {
    async fn tell(&mut self, place: &Place, id: &ScheduleId, name: &str, news: News) -> Result<()> {
        let (schedule, name) = (id.clone(), name.to_owned());
        self.append(place, EntryBody::Schedule { schedule, name, news }).await?;
        Ok(())
    }
}
