//! What agents are told about their person.

use crate::golden::{Section, every, section};
use crate::samples::{AT, agent};
use protocol::ContextSource;
use protocol::view::{ContextAgent, ContextKey, ContextSourceView, PersonContext, Saying};

pub fn sections() -> Vec<Section> {
    vec![
        section("PersonContext", &[person_context()]),
        every!(ContextSource {
            ContextSource::Time => [ContextSource::Time],
            ContextSource::Device => [ContextSource::Device],
            ContextSource::Place => [ContextSource::Place],
            ContextSource::Calendar => [ContextSource::Calendar],
            ContextSource::Activity => [ContextSource::Activity],
            ContextSource::Keys => [ContextSource::Keys],
            ContextSource::Agents => [ContextSource::Agents],
        }),
    ]
}

pub fn person_context() -> PersonContext {
    PersonContext {
        sources: vec![ContextSourceView {
            source: ContextSource::Place,
            on: true,
            told: "Vienna".to_owned(),
            entered: "Vienna".to_owned(),
            problem: "It did not answer.".to_owned(),
        }],
        keys: vec![ContextKey {
            name: "mood".to_owned(),
            value: "calm".to_owned(),
            writer: Some(agent()),
            writer_name: Some("Fern".to_owned()),
            untrusted: true,
            changed_at: AT,
        }],
        said: vec![Saying {
            id: "saying-1".into(),
            agent: agent(),
            agent_name: "Fern".to_owned(),
            text: "The moss is watered.".to_owned(),
            untrusted: false,
            at: AT,
        }],
        agents: vec![ContextAgent { agent: agent(), name: "Fern".to_owned(), sees: true, hears: false }],
    }
}
