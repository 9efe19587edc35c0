//! Where a person's agents may have jobs done: added, changed, tried and removed by that person.

use super::client::ServiceClient;
use super::failure::JobFailure;
use super::rows::{self, ServiceRow, token_place};
use super::{ExternalJobs, OwnJobServices, check, github, shape};
use crate::audit::AuditEvent;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::outbound::Target;
use crate::store::query;
use crate::vault::Vault;
use protocol::hub::Noun;
use protocol::view::{
    AuditAction, JobServiceDraft, JobServiceKind, JobServiceView, OfferedJob, Probe, Right,
};
use protocol::{JobServiceId, UserId};

const MOST_SERVICES: usize = 20;

impl OwnJobServices<'_> {
    /// By name.
    pub async fn list(self) -> Result<Vec<JobServiceView>> {
        let rows = rows::services(self.scoped.hub.store().read(), self.scoped.owner()).await?;
        Ok(rows.into_iter().map(|row| row.view).collect())
    }

    pub async fn read(self, id: &JobServiceId) -> Result<JobServiceView> {
        Ok(self.found(id).await?.view)
    }

    /// Adds one, and tries it. One that does not answer is there all the same, with why.
    pub async fn add(self, draft: &JobServiceDraft) -> Result<JobServiceView> {
        self.scoped.require(Right::SaveProviders)?;
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let reach = hub.outbound().reach();
        let token = check::token(&draft.token)?;
        let service = JobServiceView {
            id: JobServiceId(new_id()),
            name: check::name(&draft.name)?.to_owned(),
            kind: draft.kind,
            url: check::url(&draft.url, reach)?,
            repository: check::repository(draft.kind, &draft.repository)?,
            log_url: check::log_url(&draft.log_url, reach)?,
            jobs: check::jobs(draft.kind, &draft.jobs)?,
            has_token: token.is_some(),
            is_on: true,
            failure: None,
            under_way: 0,
        };
        let now = hub.now();
        let mut tx = hub.store().write().await?;
        let existing = rows::services(&mut *tx, owner).await?;
        if existing.len() >= MOST_SERVICES {
            return Err(Error::Limit(format!("You have {MOST_SERVICES} job services. Remove one first.")));
        }
        if existing.iter().any(|known| known.view.name == service.name) {
            let name = &service.name;
            return Err(Error::Conflict(format!(
                "You have a job service {name} already. Take another name."
            )));
        }
        rows::insert_service(&mut tx, owner, &service, now).await?;
        if let Some(token) = &token {
            let place = place_of(&service.url);
            hub.vault().put(&mut tx, token_place(owner, &service.id, &place), token, now).await?;
        }
        let line = AuditEvent::done(AuditAction::JobServiceAdded, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&service.name)).await?;
        tx.commit().await?;
        // What came of it stands with the service.
        let _ = self.tried(&service.id).await;
        self.read(&service.id).await
    }

    /// Says which jobs agents may start there from now on, and where its logs lie.
    pub async fn change(self, id: &JobServiceId, jobs: &str, log_url: &str) -> Result<JobServiceView> {
        self.scoped.require(Right::SaveProviders)?;
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let service = self.found(id).await?.view;
        let jobs = check::jobs(service.kind, jobs)?;
        let log_url = check::log_url(log_url, hub.outbound().reach())?;
        let mut tx = hub.store().write().await?;
        query(
            "UPDATE job_services SET jobs = $3, log_url = $4 WHERE user_id = $1 AND id = $2",
            (owner, id, crate::store::Json(&jobs), &*log_url),
        )
        .execute(&mut *tx)
        .await?;
        let line = AuditEvent::done(AuditAction::JobServiceChanged, self.scoped.viewer);
        let object = format!("{}: {}", service.name, names(&jobs));
        hub.audit().note(&mut tx, line.object(&object)).await?;
        tx.commit().await?;
        self.read(id).await
    }

    /// Says who asks by this token from now on, or by none, and tries the service.
    pub async fn set_token(self, id: &JobServiceId, token: &str) -> Result<JobServiceView> {
        self.scoped.require(Right::SaveProviders)?;
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let token = check::token(token)?;
        let mut tx = hub.store().write().await?;
        let service = rows::service(&mut *tx, owner, id).await?.ok_or(Error::NotFound("job service"))?.view;
        query(
            "UPDATE job_services SET has_token = $3, quiet_until = 0 WHERE user_id = $1 AND id = $2",
            (owner, id, token.is_some()),
        )
        .execute(&mut *tx)
        .await?;
        Vault::forget_one(&mut tx, token_place(owner, id, "")).await?;
        if let Some(token) = &token {
            let place = place_of(&service.url);
            hub.vault().put(&mut tx, token_place(owner, id, &place), token, hub.now()).await?;
        }
        let line = AuditEvent::done(AuditAction::JobServiceTokenSet, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&service.name)).await?;
        tx.commit().await?;
        // What came of it stands with the service.
        let _ = self.tried(id).await;
        self.read(id).await
    }

    /// Asks it whether it is there, and says in words what came of it.
    pub async fn look(self, id: &JobServiceId) -> Result<Probe> {
        self.scoped.require(Right::SaveProviders)?;
        let hub = self.scoped.hub;
        let service = self.found(id).await?.view;
        let before = hub.moment();
        let tried = self.tried(id).await;
        let millis = u64::try_from(hub.moment().ms_since(before)).unwrap_or_default();
        Ok(match tried {
            Ok(()) => Probe { ok: true, message: "It answers.".to_owned(), millis },
            Err(failure) => Probe { ok: false, message: format!("{}: {failure}", service.name), millis },
        })
    }

    /// Switches it on or off. What is under way there goes on, and is looked at when it is on again.
    pub async fn switch(self, id: &JobServiceId, on: bool) -> Result<()> {
        self.scoped.require(Right::SaveProviders)?;
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let mut tx = hub.store().write().await?;
        let service = rows::service(&mut *tx, owner, id).await?.ok_or(Error::NotFound("job service"))?.view;
        query("UPDATE job_services SET is_on = $3 WHERE user_id = $1 AND id = $2", (owner, id, on))
            .execute(&mut *tx)
            .await?;
        let line = AuditEvent::done(AuditAction::JobServiceSwitched, self.scoped.viewer);
        let object = format!("{}, {}", service.name, if on { "on" } else { "off" });
        hub.audit().note(&mut tx, line.object(&object)).await?;
        tx.commit().await
    }

    /// Removes one and its token. What is under way there is not heard of any more.
    pub async fn remove(self, id: &JobServiceId) -> Result<()> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let mut tx = hub.store().write().await?;
        let service = rows::service(&mut *tx, owner, id).await?.ok_or(Error::NotFound("job service"))?.view;
        query("DELETE FROM job_services WHERE user_id = $1 AND id = $2", (owner, id))
            .execute(&mut *tx)
            .await?;
        query(
            "UPDATE external_jobs
             SET state = 'lost', why = 'Its service was removed.', ended_at = $3, next_at = NULL, told = 1
             WHERE user_id = $1 AND service_id = $2 AND ended_at IS NULL",
            (owner, id, hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::ExternalJobs);
        Vault::forget(&mut tx, owner, &id.0).await?;
        let line = AuditEvent::done(AuditAction::JobServiceRemoved, self.scoped.viewer);
        hub.audit().note(&mut tx, line.object(&service.name)).await?;
        tx.commit().await
    }

    async fn found(self, id: &JobServiceId) -> Result<ServiceRow> {
        let found = rows::service(self.scoped.hub.store().read(), self.scoped.owner(), id).await?;
        found.ok_or(Error::NotFound("job service"))
    }

    /// Keeps what is in the way, or that nothing is.
    async fn tried(self, id: &JobServiceId) -> std::result::Result<(), JobFailure> {
        let (hub, owner) = (self.scoped.hub, &self.scoped.viewer.me.id);
        let service = self.found(id).await?;
        let trying = async {
            let client = hub.external_jobs().client(owner, &service).await?;
            match service.view.kind {
                JobServiceKind::Github => github::look_around(&client, &service).await,
                JobServiceKind::Http => shape::look_around(&client).await,
            }
        };
        let tried = trying.await;
        let failure = tried.as_ref().err().map(ToString::to_string);
        let mut tx = hub.store().write().await?;
        rows::asked(&mut tx, &owner.0, id, failure.as_deref()).await?;
        tx.commit().await?;
        tried
    }
}

impl ExternalJobs<'_> {
    /// By name, as far as they are on.
    pub(crate) async fn services(self, owner: &UserId) -> Result<Vec<JobServiceView>> {
        let rows = rows::services(self.hub.store().read(), &owner.0).await?;
        Ok(rows.into_iter().map(|row| row.view).filter(|view| view.is_on).collect())
    }

    /// Where jobs of the service of this name are started, if there is one and it is on.
    pub(crate) async fn address(self, owner: &UserId, service: &str) -> Result<Option<String>> {
        let found = rows::service_named(self.hub.store().read(), &owner.0, service.trim()).await?;
        Ok(found.filter(|row| row.view.is_on).map(|row| row.address()))
    }

    /// Somebody to talk to a service of this person's, who says who asks.
    pub(super) async fn client(
        self,
        owner: &UserId,
        service: &ServiceRow,
    ) -> std::result::Result<ServiceClient, JobFailure> {
        let turn = self.hub.0.external_jobs.requests.enter(owner).await.map_err(|_| JobFailure::Busy)?;
        let place = place_of(&service.view.url);
        let id = &service.view.id;
        let token = self.hub.vault().read(self.hub.store(), token_place(&owner.0, id, &place)).await;
        let token = token.map_err(|error| {
            tracing::warn!("the token of a job service cannot be read: {error:?}");
            JobFailure::NoSecret
        })?;
        ServiceClient::new(self.hub, service, token, turn)
    }
}

/// The one server to which the token goes: scheme, host and port.
fn place_of(url: &str) -> String {
    Target::parse(url).map(|target| target.place()).unwrap_or_default()
}

fn names(jobs: &[OfferedJob]) -> String {
    let names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
    if names.is_empty() { "no jobs".to_owned() } else { names.join(", ") }
}
