//! A pipeline, started and followed to its end.

use super::{Caller, Run, STOPPED, json};
use protocol::view::{PipelineCard, PipelineState, PipelineView, TaskState};
use serde_json::{Value, json as body};
use std::collections::HashMap;
use std::process::ExitCode;
use std::time::Duration;

const LOOKS: Duration = Duration::from_millis(500);

pub(super) async fn run(asked: Run) -> Result<ExitCode, String> {
    let caller = asked.place.client()?;
    let pipeline = named(&caller, &asked.pipeline).await?;
    let id = body!({ "id": pipeline.id });
    json(caller.post("/api/pipelines/start", &id)?).await?;
    tokio::select! {
        ended = follow(&caller, &pipeline) => ended,
        _ = tokio::signal::ctrl_c() => {
            json(caller.post("/api/pipelines/stop", &id)?).await?;
            eprintln!("vivarium: Stopped.");
            Ok(ExitCode::from(STOPPED))
        }
    }
}

/// The one of this title or id.
async fn named(caller: &Caller<'_>, name: &str) -> Result<PipelineCard, String> {
    let all: Vec<PipelineCard> = read(json(caller.get("/api/pipelines/list")?).await?)?;
    let is_meant = |one: &PipelineCard| one.id.0 == name || one.title.to_lowercase() == name.to_lowercase();
    let mut meant: Vec<PipelineCard> = all.into_iter().filter(is_meant).collect();
    match (meant.pop(), meant.is_empty()) {
        (Some(one), true) => Ok(one),
        (Some(_), false) => Err(format!("Several pipelines are called {name}. Use an id.")),
        (None, _) => Err(format!("There is no pipeline {name}.")),
    }
}

/// Tells of each task that comes further.
async fn follow(caller: &Caller<'_>, pipeline: &PipelineCard) -> Result<ExitCode, String> {
    let mut told: HashMap<String, (TaskState, String)> = HashMap::new();
    loop {
        let view: PipelineView =
            read(json(caller.get(&format!("/api/pipelines/get?id={}", pipeline.id))?).await?)?;
        for task in &view.tasks {
            let now = (task.state, task.activity.clone());
            if told.get(&task.id) == Some(&now) {
                continue;
            }
            match caller.place.json {
                true => println!("{}", body!(task)),
                false => println!("{}: {}", task.title, task.activity),
            }
            told.insert(task.id.clone(), now);
        }
        match view.card.state {
            PipelineState::Running | PipelineState::Ready => tokio::time::sleep(LOOKS).await,
            PipelineState::Completed => return Ok(ExitCode::SUCCESS),
            PipelineState::Failed
            | PipelineState::OverBudget
            | PipelineState::Unpriced
            | PipelineState::Stopped => {
                return Ok(ExitCode::FAILURE);
            }
        }
    }
}

fn read<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| format!("The hub's answer cannot be read: {error}"))
}
