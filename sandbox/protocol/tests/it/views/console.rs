//! The console of all agents.

use super::delegations::delegation;
use crate::golden::{Section, section};
use crate::samples::{agent, conversation};
use protocol::Micros;
use protocol::view::{
    ConsoleAnswer, ConsoleDevice, ConsoleFlow, ConsoleSent, ConsoleView, DelegationKind, DelegationState,
    Status,
};

pub fn sections() -> Vec<Section> {
    vec![
        section("ConsoleView", &[console()]),
        section("ConsoleAnswer", &[console_answer()]),
        section("ConsoleSent", &[ConsoleSent { agent: agent(), conversation: conversation(), seq: 7 }]),
    ]
}

pub fn console() -> ConsoleView {
    let flow = ConsoleFlow {
        kind: DelegationKind::Agent,
        from: "agent-1".into(),
        from_name: "Ada".to_owned(),
        to: "agent-2".into(),
        to_name: "Bo".to_owned(),
        count: 3,
        open: 1,
        failed: 1,
        cost: Micros(1_200),
    };
    let below = ConsoleFlow {
        kind: DelegationKind::SubAgent,
        to: "agent-1".into(),
        to_name: String::new(),
        ..flow.clone()
    };
    let device = ConsoleDevice {
        device: Some("device-1".into()),
        name: "Firefox on Linux".to_owned(),
        tabs: 2,
        visible: true,
        agents: vec!["agent-1".into()],
    };
    let program = ConsoleDevice {
        device: None,
        name: "A program".to_owned(),
        tabs: 1,
        visible: false,
        agents: Vec::new(),
    };
    ConsoleView {
        flows: vec![flow, below],
        lately: vec![delegation(DelegationState::Running)],
        devices: vec![program, device],
    }
}

pub fn console_answer() -> ConsoleAnswer {
    ConsoleAnswer {
        agent: agent(),
        name: "Ada".to_owned(),
        colour: "#3d7a4f".to_owned(),
        status: Status::Idle,
        paused: true,
        conversation: conversation(),
        asked: "Water the ferns.".to_owned(),
        answer: "They are **wet**.".to_owned(),
        cut: true,
    }
}
