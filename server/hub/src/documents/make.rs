//! Documents as they are made of what somebody wrote: what is Markdown or parts by the engine, and what is cells on a thread
//! of its own, because their writer begins threads, and has nothing to read that is nested.

use super::draft::{Draft, Format};
use super::{csv, workbook};
use crate::Hub;
use crate::engine::{EngineError, Made, PicturesOf};
use crate::fair_queue::{FairQueue, QueueFull};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::UserId;
use std::time::Duration;

/// The processor time of the process ends it long before, unless the machine has none to spare for it.
const MAKE_TIMEOUT: Duration = Duration::from_secs(60);
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

/// A document that was made.
pub(crate) struct Document {
    pub(crate) bytes: Vec<u8>,
    /// How many it has, where that is known.
    pub(crate) pages: Option<usize>,
    /// What of the draft is not in it as it was meant.
    pub(crate) notes: Vec<String>,
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
    pub(crate) async fn make_document(&self, person: &UserId, draft: Draft) -> Result<Document, Unmade> {
        match draft {
            Draft::Text(draft) => decoded(self.engine().perform(person, draft, MAKE_TIMEOUT).await?),
            Draft::Parts(draft) => decoded(self.engine().perform(person, draft, MAKE_TIMEOUT).await?),
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
                        Format::Xlsx | Format::Docx | Format::Pptx | Format::Pdf => {
                            workbook::write(&sheets, now)
                        }
                    };
                    drop(turn);
                    made
                });
                let made = made.await.map_err(|error| Unmade::Draft(error.to_string()))?;
                Ok(Document { bytes: made.map_err(Unmade::Draft)?, pages: None, notes: Vec::new() })
            }
        }
    }

    /// What pictures a text in Markdown shows, each once, as it names them.
    pub(crate) async fn pictures_of(&self, person: &UserId, markdown: &str) -> Result<Vec<String>, Unmade> {
        let task = PicturesOf { markdown: markdown.to_owned() };
        Ok(self.engine().perform(person, task, MAKE_TIMEOUT).await?)
    }
}

fn decoded(made: Result<Made, String>) -> Result<Document, Unmade> {
    let Made { bytes, pages, notes } = made.map_err(Unmade::Draft)?;
    let bytes = STANDARD.decode(bytes).map_err(|error| Unmade::Draft(error.to_string()))?;
    Ok(Document { bytes, pages, notes })
}
