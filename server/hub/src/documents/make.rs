//! Documents as they are made of what somebody wrote: what is Markdown by the engine, and what is cells on a thread
//! of its own, because their writer begins threads, and has nothing to read that is nested.

use super::draft::{Draft, Format};
use super::{csv, workbook};
use crate::Hub;
use crate::engine::{EngineError, TextDraft};
use crate::fair_queue::{FairQueue, QueueFull};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::UserId;
use std::time::Duration;

const MAKE_TIMEOUT: Duration = Duration::from_secs(15);
/// Tables that are made at a time, half of them one person's, and those of one person that may wait.
const CONCURRENT_SHEETS: usize = 2;
const WAITING: usize = 8;

/// Tables that are being made.
pub(crate) struct SheetQueue(FairQueue<UserId>);

impl Default for SheetQueue {
    fn default() -> Self {
        Self(FairQueue::new(CONCURRENT_SHEETS, WAITING))
    }
}

/// Why a document was not made, in words for whoever wrote what it is made of.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unmade {
    #[error("It could not be made: {0}.")]
    Engine(#[from] EngineError),
    #[error("{0}")]
    Draft(String),
}

impl Hub {
    pub(crate) async fn make_document(&self, person: &UserId, draft: Draft) -> Result<Vec<u8>, Unmade> {
        match draft {
            Draft::Text { format, markdown } => {
                let task = TextDraft { is_deck: format == Format::Pptx, markdown };
                let made = self.engine().perform(person, task, MAKE_TIMEOUT).await?.map_err(Unmade::Draft)?;
                STANDARD.decode(made).map_err(|error| Unmade::Draft(error.to_string()))
            }
            Draft::Sheets { format, sheets } => {
                let turn = self.0.sheets.0.enter(person).await.map_err(|QueueFull| {
                    Unmade::Draft(
                        "Too many tables are being made for this person. Try again in a moment.".to_owned(),
                    )
                })?;
                let now = self.now();
                let made = tokio::task::spawn_blocking(move || {
                    let made = match format {
                        Format::Csv => csv::write(&sheets),
                        Format::Xlsx | Format::Docx | Format::Pptx => workbook::write(&sheets, now),
                    };
                    drop(turn);
                    made
                });
                made.await.map_err(|error| Unmade::Draft(error.to_string()))?.map_err(Unmade::Draft)
            }
        }
    }
}
