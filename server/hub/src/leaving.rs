//! Before the process stops: replies under way are given time, and who follows none is sent away at once.

use crate::Hub;
use crate::live::TabKey;
use futures_util::future::join_all;
use protocol::AgentId;
use std::collections::HashSet;
use std::time::Duration;
use tokio::time::timeout;

/// What telling the last tabs may take.
const FAREWELL: Duration = Duration::from_secs(1);

impl Hub {
    /// Returns when no reply is under way, or when the time is over, and every tab knows.
    pub async fn drain(&self, limit: Duration) {
        self.schedules().close();
        self.cluster().begin_to_leave();
        // What is not done by then is interrupted, and can be retried.
        let leaving = async { tokio::join!(self.cluster().tell_of_leaving(), self.let_replies_end()) };
        let _ = timeout(limit, leaving).await;
        self.live().end_all_but(&HashSet::new(), &HashSet::new());
        self.cluster().end_streams();
        // Whoever does not listen goes without a farewell.
        let _ = timeout(FAREWELL, self.live().emptied()).await;
    }

    async fn let_replies_end(&self) {
        loop {
            let runs = self.runs().under_way().await;
            let agents: HashSet<AgentId> = runs.iter().map(|run| run.agent.clone()).collect();
            let drivers: HashSet<TabKey> = runs.iter().filter_map(|run| run.driving_tab()).collect();
            self.live().end_all_but(&agents, &drivers);
            if runs.is_empty() {
                return;
            }
            join_all(runs.iter().map(|run| run.ended())).await;
        }
    }
}
