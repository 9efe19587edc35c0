//! How the hub is, and what it says before somebody signs in.

use crate::golden::{Section, every, section};
use crate::samples::AT;
use protocol::agent::ProviderKind;
use protocol::model::ModelFailureKind;
use protocol::view::{
    BackupFailure, BackupStatus, BusyPerson, DatabaseStatus, DiskRoom, DiskStatus, HubStatus, KeyStatus,
    LogStatus, NodeStatus, ProviderFailure, ProviderHealth, ScheduleStatus, SignUpMode, SlowStatement,
    ToolCallStatus, Welcome, WorkStatus,
};

pub fn status() -> Vec<Section> {
    vec![section("HubStatus", &[hub_status()])]
}

pub fn room_and_welcome() -> Vec<Section> {
    vec![
        every!(DiskRoom {
            DiskRoom::Enough => [DiskRoom::Enough],
            DiskRoom::Little => [DiskRoom::Little],
            DiskRoom::Full => [DiskRoom::Full],
        }),
        section("Welcome", &[Welcome { needs_setup: true, sign_up: SignUpMode::Invite, insecure: false }]),
    ]
}

pub fn hub_status() -> HubStatus {
    HubStatus {
        version: "0.1.0".to_owned(),
        began_at: AT,
        database: DatabaseStatus {
            kind: "SQLite".to_owned(),
            bytes: 1_048_576,
            migration: 130,
            slow: 3,
            slowest: Some(SlowStatement { ms: 2_400, what: "SELECT entries".to_owned() }),
        },
        disk: Some(DiskStatus { free: 1_000_000_000, whole: 64_000_000_000, room: DiskRoom::Enough }),
        work: WorkStatus { runs: 2, questions: 1, deliveries: 3, tasks: 9, connections: 4 },
        schedules: ScheduleStatus { active: 5, overdue: 0, next_at: Some(AT) },
        providers: vec![ProviderHealth {
            kind: ProviderKind::Anthropic,
            answered: 12,
            failed: 1,
            last_answer_at: Some(AT),
            last_failure: Some(ProviderFailure { at: AT, kind: ModelFailureKind::Overloaded }),
            slow: 1,
            slowest_ms: Some(93_000),
        }],
        tools: ToolCallStatus { ended: 40, slow: 2 },
        backups: Some(BackupStatus {
            every_hours: 24,
            newest_at: Some(AT),
            newest_bytes: Some(2_000_000),
            failure: Some(BackupFailure { at: AT, why: "The disk is full.".to_owned() }),
            under_way_since: Some(AT),
        }),
        keys: KeyStatus { in_file: true, rotating: false, secrets: 7 },
        log: Some(LogStatus { filter: "hub=debug".to_owned(), usual: "warn".to_owned(), until: Some(AT) }),
        nodes: vec![NodeStatus {
            id: "node-1".to_owned(),
            version: "0.1.0".to_owned(),
            began_at: AT,
            silent_ms: 400,
            people: 12,
            runs: 3,
            busiest: vec![BusyPerson { id: "user-1".into(), name: "Ada".to_owned(), runs: 3 }],
            nats_us: Some(420),
            hands_over: false,
            is_this: true,
        }],
    }
}
