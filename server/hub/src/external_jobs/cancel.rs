//! Having a job end before its time, whoever wants that.

use super::failure::JobFailure;
use super::rows::{self, JobRow};
use super::{ExternalJobs, github, shape};
use crate::error::{Error, Result};
use crate::store::query;
use protocol::hub::Noun;
use protocol::view::JobServiceKind;

impl ExternalJobs<'_> {
    /// Asks its service to end it. That it has ended shows when it is looked at, which is soon.
    pub(super) async fn cancel_row(self, row: &JobRow) -> Result<()> {
        let name = row.name();
        if row.state.is_over() {
            return Err(Error::Conflict(format!("{name} has ended already.")));
        }
        if row.handle.is_empty() {
            return Err(Error::Conflict(format!(
                "The service has not shown {name} yet, so there is nothing to cancel there. Try again in a moment."
            )));
        }
        let service = rows::service(self.hub.store().read(), &row.owner.0, &row.service_id).await?;
        let service = service.ok_or(Error::NotFound("job service"))?;
        let cancelling = async {
            let client = self.client(&row.owner, &service).await?;
            match service.view.kind {
                JobServiceKind::Github => github::cancel(&client, &service, row).await,
                JobServiceKind::Http => shape::cancel(&client, row).await,
            }
        };
        let cancelled: std::result::Result<(), JobFailure> = cancelling.await;
        cancelled.map_err(|failure| Error::Upstream(format!("{name} was not cancelled. {failure}")))?;
        let now = self.hub.now();
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE external_jobs SET cancelled_at = $2, next_at = $2 WHERE id = $1 AND ended_at IS NULL",
            (&row.id, now),
        )
        .execute(&mut *tx)
        .await?;
        tx.changes(&row.owner, Noun::ExternalJobs);
        tx.commit().await?;
        self.changed();
        Ok(())
    }
}
