//! The child's half: takes its own rights away, does one piece of work, and ends.

use super::dom::document;
use super::job::{Done, Job, Work};
use super::{
    archive, calculate, calendar, chart, convert, documents, dom, feed, fit, mail, page_links, page_metadata,
    page_part, picture, readable, rights, script, symbols, syntax,
};
use crate::skins::still;
use protocol::page::SkinCommand;
use rustix::process::nice;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::time::Duration;

/// How much the process gives way.
const BEHIND_THE_HUB: i32 = 10;

/// Does the work on standard input and writes what came of it to standard output.
pub fn perform_one() -> ExitCode {
    match answer() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn answer() -> Result<(), Box<dyn Error>> {
    let mut job = Vec::new();
    io::stdin().read_to_end(&mut job)?;
    // Whoever waits for the hub itself comes first.
    nice(BEHIND_THE_HUB)?;
    rights::give_up()?;
    let done = perform(serde_json::from_slice(&job)?)?;
    io::stdout().write_all(&done)?;
    Ok(())
}

fn perform(work: Work) -> serde_json::Result<Vec<u8>> {
    match work {
        Work::Command(job) => serde_json::to_vec(&command(job)),
        Work::Read(reading) => serde_json::to_vec(&document::read(reading)),
        Work::Servers(servers) => serde_json::to_vec(&document::servers(&servers.page)),
        Work::Still(of) => serde_json::to_vec(&still::document(&of.page).ok()),
        Work::Picture(file) => serde_json::to_vec(&picture::prepare(&file)),
        Work::Readable(page) => serde_json::to_vec(&readable::read(&page)),
        Work::Links(of) => serde_json::to_vec(&page_links::read(&of.0)),
        Work::Metadata(of) => serde_json::to_vec(&page_metadata::read(&of.0)),
        Work::Part(of) => serde_json::to_vec(&page_part::read(&of)),
        Work::Document(file) => serde_json::to_vec(&documents::read(&file)),
        Work::Sheet(of) => serde_json::to_vec(&documents::records(&of)),
        Work::Draw(of) => serde_json::to_vec(&documents::draw(&of)),
        Work::Make(draft) => serde_json::to_vec(&documents::make(&draft)),
        Work::MakeOfParts(draft) => serde_json::to_vec(&documents::make_of_parts(&draft)),
        Work::PicturesOf(text) => serde_json::to_vec(&documents::pictures_of(&text.markdown)),
        Work::CheckSyntax(check) => serde_json::to_vec(&syntax::check(&check)),
        Work::Symbols(search) => serde_json::to_vec(&symbols::find(&search)),
        Work::Convert(conversion) => serde_json::to_vec(&convert::convert(&conversion)),
        Work::Archive(file) => serde_json::to_vec(&archive::open(&file)),
        Work::Chart(draft) => serde_json::to_vec(&chart::draw(&draft)),
        Work::Mail(file) => serde_json::to_vec(&mail::read(&file)),
        Work::Feed(file) => serde_json::to_vec(&feed::read(&file)),
        Work::Calendar(file) => serde_json::to_vec(&calendar::read(&file)),
        Work::Calculate(expression) => serde_json::to_vec(&calculate::calculate(&expression)),
        Work::Fit(fit) => serde_json::to_vec(&fit::check(&fit)),
    }
}

fn command(Job { command, page, state }: Job) -> Done {
    match command {
        SkinCommand::Dom { input } => {
            let (page, outcome) = dom::perform(page, &input);
            let is_error = outcome.is_err();
            let result = outcome.unwrap_or_else(|fault| fault.into_result());
            Done { result, is_error, page, set: BTreeMap::new() }
        }
        // There is no page in either context.
        SkinCommand::RunJs { code, timeout_ms, context: _ } => {
            let ran = script::run(&code, Duration::from_millis(timeout_ms.into()), &state);
            Done { result: ran.result, is_error: ran.is_error, page, set: ran.set }
        }
    }
}
