//! Schedules: when they fire, and what became of it.

use super::money::budget;
use crate::golden::{Section, every, section};
use crate::samples::{AT, agent};
use protocol::schedule::{
    Author, Days, Firing, FiringCause, FiringRules, FiringState, Idle, LookState, MailSeal, Mailbox, Missed,
    Overlap, ScheduleDraft, SchedulePreview, ScheduleView, StateCondition, Timing, TimingKind,
};
use protocol::{Budget, Micros};

pub fn sections() -> Vec<Section> {
    vec![
        section("ScheduleView", &schedules()),
        section(
            "ScheduleDraft",
            &[ScheduleDraft {
                name: "Morning".to_owned(),
                message: "Say what the day brings.".to_owned(),
                kind: TimingKind::Days,
                time: "08:00".to_owned(),
                days: Days::Workdays,
                zone: "Europe/Berlin".to_owned(),
                ..ScheduleDraft::default()
            }],
        ),
        every!(Timing {
            Timing::Once { .. } => [Timing::Once { at: "2026-11-23T08:00".to_owned(), zone: zone() }],
            Timing::Every { .. } => [Timing::Every { minutes: 90 }],
            Timing::Days { .. } => [Timing::Days { days: Days::Sunday, time: "08:00".to_owned(), zone: zone() }],
            Timing::Webhook => [Timing::Webhook],
            Timing::Mail(_) => [Timing::Mail(mailbox())],
            Timing::Finished { .. } => [
                Timing::Finished { agent: agent(), pipelines: false },
                Timing::Finished { agent: agent(), pipelines: true },
            ],
            Timing::Device => [Timing::Device],
            Timing::File { .. } => [Timing::File { path: "/workspace/*.md".to_owned() }],
            Timing::Feed { .. } => [Timing::Feed { url: "https://example.org/feed.xml".to_owned(), minutes: 30 }],
            Timing::Cron { .. } => [Timing::Cron { expression: "0 8 * * 1-5".to_owned(), zone: zone() }],
        }),
        every!(Overlap {
            Overlap::Newest => [Overlap::Newest],
            Overlap::Skip => [Overlap::Skip],
            Overlap::Each => [Overlap::Each],
        }),
        every!(FiringCause {
            FiringCause::Time => [FiringCause::Time],
            FiringCause::Person => [FiringCause::Person],
            FiringCause::Webhook => [FiringCause::Webhook],
            FiringCause::Mail => [FiringCause::Mail],
            FiringCause::Feed => [FiringCause::Feed],
            FiringCause::Finished => [FiringCause::Finished],
            FiringCause::File => [FiringCause::File],
            FiringCause::Device => [FiringCause::Device],
        }),
        every!(MailSeal {
            MailSeal::Tls => [MailSeal::Tls],
            MailSeal::Starttls => [MailSeal::Starttls],
            MailSeal::None => [MailSeal::None],
        }),
        section(
            "SchedulePreview",
            &[SchedulePreview { text: "Rounds.".to_owned(), condition: Some(true), next: vec![AT] }],
        ),
        every!(FiringState {
            FiringState::Queued => [FiringState::Queued],
            FiringState::Paused => [FiringState::Paused],
            FiringState::NoPage => [FiringState::NoPage],
            FiringState::Running => [FiringState::Running],
            FiringState::WaitsForYou => [FiringState::WaitsForYou],
            FiringState::Done => [FiringState::Done],
            FiringState::Failed { .. } => [FiringState::Failed { why: "The run was stopped.".to_owned() }],
            FiringState::Missed => [FiringState::Missed],
            FiringState::Overtaken => [FiringState::Overtaken],
            FiringState::OverLimit => [FiringState::OverLimit],
            FiringState::Skipped => [FiringState::Skipped],
            FiringState::Unmet => [FiringState::Unmet],
        }),
    ]
}

pub fn zone() -> String {
    "Europe/Berlin".to_owned()
}

pub fn schedules() -> [ScheduleView; 2] {
    let plain = ScheduleView {
        id: "schedule-1".into(),
        agent: agent(),
        name: "Morning".to_owned(),
        message: "Say what the day brings.".to_owned(),
        timing: Timing::Every { minutes: 60 },
        missed: Missed::CatchUp,
        rules: FiringRules::default(),
        paused: true,
        broken: Some("It failed 5 times in a row.".to_owned()),
        secret_made_at: Some(AT),
        mailbox: Some(LookState { checked_at: Some(AT), problem: Some("Nothing answers there.".to_owned()) }),
        feed: Some(LookState { checked_at: Some(AT), problem: None }),
        after: Some("Ada".to_owned()),
        by: Author::Person,
        next_at: None,
        last: None,
        budget: Budget::default(),
        idle: None,
    };
    let full = ScheduleView {
        timing: Timing::Days { days: Days::All, time: "08:00".to_owned(), zone: zone() },
        missed: Missed::Skip,
        rules: FiringRules {
            overlap: Overlap::Each,
            jitter_s: 90,
            breaker: 3,
            only_if: Some(StateCondition { key: "open".to_owned(), when: "> 0".to_owned() }),
        },
        paused: false,
        broken: None,
        secret_made_at: None,
        mailbox: None,
        feed: None,
        after: None,
        by: Author::Agent,
        next_at: Some(AT),
        last: Some(firing()),
        budget: budget(),
        idle: Some(Idle { times: 7, cost: Micros(2100) }),
        ..plain.clone()
    };
    [plain, full]
}

pub fn mailbox() -> Mailbox {
    Mailbox {
        server: "imap.example.org:993".to_owned(),
        seal: MailSeal::Tls,
        user: "ada@example.org".to_owned(),
        folder: "INBOX".to_owned(),
        from: vec!["@example.org".to_owned()],
        subject: "order".to_owned(),
        minutes: 5,
    }
}

pub fn firing() -> Firing {
    Firing {
        due: AT,
        cause: FiringCause::Person,
        state: FiringState::Done,
        cost: Micros(2100),
        conversation: Some("conversation-1".into()),
    }
}
