//! How the hub is, gathered for administrators and for scrapers: what each noun counts, and what the machine says.

use crate::Hub;
use crate::access::{Admin, Viewer};
use crate::error::Result;
use protocol::view::{DiskRoom, DiskStatus, HubStatus, Right, WorkStatus};

/// How the whole hub is.
#[derive(Clone, Copy, Debug)]
pub struct WholeStatus<'a> {
    hub: &'a Hub,
}

impl<'a> Admin<'a> {
    pub fn hub_status(&self) -> WholeStatus<'a> {
        WholeStatus { hub: self.hub }
    }
}

impl WholeStatus<'_> {
    pub async fn read(self) -> Result<HubStatus> {
        let hub = self.hub;
        let (Waiting { questions, deliveries }, UnderWay { runs, tasks, connections }) =
            (hub.waiting().await?, hub.work_under_way());
        Ok(HubStatus {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            began_at: hub.0.began_at,
            database: hub.store().status().await?,
            disk: hub.disk().look(),
            work: WorkStatus { runs, questions, deliveries, tasks, connections },
            schedules: hub.schedules().status().await?,
            providers: hub.models().health(),
            tools: hub.counters().tool_calls(),
            backups: hub.backups().status(),
            keys: hub.secrets().status().await?,
            log: hub.log_status(),
            nodes: hub.cluster().nodes().await?,
        })
    }
}

/// What waits and is kept in the database.
pub(crate) struct Waiting {
    pub(crate) questions: u64,
    pub(crate) deliveries: u64,
}

/// What this process does.
pub(crate) struct UnderWay {
    pub(crate) runs: u64,
    pub(crate) tasks: u64,
    pub(crate) connections: u64,
}

impl Hub {
    pub(crate) async fn waiting(&self) -> Result<Waiting> {
        let (questions, deliveries) =
            (self.approvals().waiting().await?, self.notifications().waiting().await?);
        Ok(Waiting { questions, deliveries })
    }

    pub(crate) fn work_under_way(&self) -> UnderWay {
        UnderWay {
            runs: self.runs().count(),
            tasks: self.tasks().count() as u64,
            connections: self.live().tabs(),
        }
    }

    /// The disk of the hub's files. `None`: it cannot be looked at.
    pub fn look_at_disk(&self) -> Option<DiskStatus> {
        self.disk().look()
    }

    /// What somebody who can make room is told on every page. `None`: there is enough, or they cannot.
    pub fn disk_warning(&self, viewer: &Viewer) -> Option<DiskRoom> {
        if !viewer.me.rights.contains(&Right::RunTheHub) {
            return None;
        }
        self.disk().look().map(|disk| disk.room).filter(|room| *room != DiskRoom::Enough)
    }
}
