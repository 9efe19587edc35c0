//! What happened, in the words in which a person is told.

use protocol::agent::ToolRisk;
use protocol::approval::{Approval, ApprovalReason};
use protocol::log::{DeviceWanted, Outcome};
use protocol::model::{ModelFailureKind, ToolCall};
use protocol::question::{Question, Wanted};
use protocol::view::{NotificationKind, PipelineState};
use protocol::{ApprovalId, PipelineId, told, words};

/// Characters of a title and of what stands below it.
const TITLE: usize = 120;
const BODY: usize = 280;

/// Stands at the end of what was longer.
const CUT: char = '…';

/// Buttons that every browser has room for.
const BUTTONS: usize = 2;

/// What the person can do about it where it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answerable {
    Nothing,
    /// A yes or no to this one call, all of which is shown. A yes is given without looking at more: not where it can
    /// do much harm, or strangers may be behind it.
    Call,
    /// One answer in words.
    Question,
    /// What they say next to the agent.
    Message,
    /// A no to this one call or task.
    Denial,
}

impl Answerable {
    const ALL: [Self; 5] = [Self::Nothing, Self::Call, Self::Question, Self::Message, Self::Denial];

    /// As its column has it.
    pub(super) fn number(self) -> i64 {
        match self {
            Self::Nothing => 0,
            Self::Call => 1,
            Self::Question => 2,
            Self::Message => 3,
            Self::Denial => 4,
        }
    }

    /// What an older program does not know of, nothing can be done about.
    pub(super) fn numbered(number: i64) -> Self {
        Self::ALL.into_iter().find(|one| one.number() == number).unwrap_or(Self::Nothing)
    }
}

/// Something that an agent's person may want to know.
#[derive(Clone, Copy, Debug)]
pub(crate) enum News<'a> {
    Asked(&'a Approval),
    Device(&'a DeviceWanted),
    Ended(&'a Outcome),
    /// What the agent says of its own accord.
    Said {
        text: &'a str,
    },
    /// A schedule of this name was due.
    NotBegun {
        schedule: &'a str,
        why: &'a str,
    },
    /// A schedule of this name failed again and again.
    SwitchedOff {
        schedule: &'a str,
        why: &'a str,
    },
    /// An administrator took back a skill that its person gave to it.
    SkillRevoked {
        skill: &'a str,
    },
    /// A pipeline of this title has a task that the person does with a yes or no.
    TaskAsks {
        pipeline: &'a PipelineId,
        title: &'a str,
        task_id: &'a str,
        task: &'a str,
    },
    /// A pipeline that the person started has ended.
    PipelineOver {
        pipeline: &'a PipelineId,
        title: &'a str,
        state: PipelineState,
        /// How many of its tasks were done.
        done: usize,
        tasks: usize,
    },
}

impl News<'_> {
    /// `None`: the person knows.
    pub(super) fn kind(&self) -> Option<NotificationKind> {
        Some(match self {
            Self::Asked(approval) if approval.question.is_some() => NotificationKind::Question,
            Self::Asked(_) => NotificationKind::Approval,
            Self::Device(_) => NotificationKind::Device,
            Self::Ended(Outcome::Stopped) => return None,
            Self::Ended(Outcome::Completed) => NotificationKind::Finished,
            Self::Ended(Outcome::Failed { failure }) if failure.kind == ModelFailureKind::OverBudget => {
                NotificationKind::Limit
            }
            Self::Ended(Outcome::RoundLimit | Outcome::Failed { .. } | Outcome::Interrupted { .. }) => {
                NotificationKind::Failed
            }
            Self::NotBegun { .. } | Self::SwitchedOff { .. } => NotificationKind::Schedule,
            Self::Said { .. } | Self::SkillRevoked { .. } => NotificationKind::Message,
            Self::TaskAsks { .. } => NotificationKind::Question,
            Self::PipelineOver { state: PipelineState::Completed, .. } => NotificationKind::Finished,
            Self::PipelineOver { state: PipelineState::OverBudget | PipelineState::Unpriced, .. } => {
                NotificationKind::Limit
            }
            Self::PipelineOver { .. } => NotificationKind::Failed,
        })
    }

    /// What waits for an answer of the person's, where it can be given elsewhere than on a page.
    fn asked(&self) -> Option<&Approval> {
        match self {
            Self::Asked(approval) => Some(approval),
            Self::Device(_)
            | Self::Ended(_)
            | Self::Said { .. }
            | Self::NotBegun { .. }
            | Self::SwitchedOff { .. }
            | Self::SkillRevoked { .. }
            | Self::TaskAsks { .. }
            | Self::PipelineOver { .. } => None,
        }
    }

    pub(super) fn approval(&self) -> Option<&ApprovalId> {
        self.asked().map(|approval| &approval.id)
    }

    /// The pipeline whose page shows it, instead of the agent's.
    pub(super) fn pipeline(&self) -> Option<&PipelineId> {
        match self {
            Self::TaskAsks { pipeline, .. } | Self::PipelineOver { pipeline, .. } => Some(pipeline),
            Self::Asked(_)
            | Self::Device(_)
            | Self::Ended(_)
            | Self::Said { .. }
            | Self::NotBegun { .. }
            | Self::SwitchedOff { .. }
            | Self::SkillRevoked { .. } => None,
        }
    }

    /// The task of that pipeline that waits for them.
    pub(super) fn task(&self) -> Option<&str> {
        match self {
            Self::TaskAsks { task_id, .. } => Some(task_id),
            Self::Asked(_)
            | Self::Device(_)
            | Self::Ended(_)
            | Self::Said { .. }
            | Self::NotBegun { .. }
            | Self::SwitchedOff { .. }
            | Self::SkillRevoked { .. }
            | Self::PipelineOver { .. } => None,
        }
    }

    /// Until when the person can do something about it.
    pub(super) fn expires_at(&self) -> Option<i64> {
        self.asked().map(|approval| approval.expires_at)
    }

    /// Where it stands under this title.
    pub(super) fn answerable(&self, title: &str) -> Answerable {
        match self {
            Self::Asked(approval) => match approval.question.as_deref() {
                Some(question) if is_asked_in_full(approval, question) => Answerable::Question,
                None if is_harmless(approval) && !is_cut(title) && whole(&approval.call).is_some() => {
                    Answerable::Call
                }
                None => Answerable::Denial,
                Some(_) => Answerable::Nothing,
            },
            Self::Ended(Outcome::Completed) | Self::Said { .. } => Answerable::Message,
            // What it is about stands on the page of its pipeline.
            Self::TaskAsks { .. } => Answerable::Denial,
            Self::Device(_)
            | Self::Ended(_)
            | Self::NotBegun { .. }
            | Self::SwitchedOff { .. }
            | Self::SkillRevoked { .. }
            | Self::PipelineOver { .. } => Answerable::Nothing,
        }
    }

    pub(super) fn title(&self, agent: &str) -> String {
        let title = match self {
            Self::Asked(Approval { why: ApprovalReason::Unknown, .. }) => {
                told!("{agent} does not know what came of a call")
            }
            Self::Asked(Approval { question: Some(question), .. }) => match &question.server {
                Some(server) => told!("{server} asks you something, for {agent}"),
                None => told!("{agent} asks you something"),
            },
            Self::Asked(Approval { page_of: Some(server), call, .. }) => {
                told!("A page of {server} wants to use {}, for {agent}", call.name)
            }
            Self::Asked(approval) => told!("{agent} wants to use {}", approval.call.name),
            Self::Device(wanted) => told!("{agent} waits for {}", wanted.in_words()),
            Self::Ended(Outcome::Completed) => told!("{agent} is done"),
            Self::Ended(Outcome::Failed { failure }) if failure.kind == ModelFailureKind::OverBudget => {
                told!("{agent} has reached a limit")
            }
            Self::Ended(_) => told!("{agent} could not go on"),
            Self::Said { .. } => told!("{agent} tells you something"),
            Self::NotBegun { schedule, .. } => told!("{agent} did not begin {schedule}"),
            Self::SwitchedOff { schedule, .. } => told!("{schedule} of {agent} was switched off"),
            Self::SkillRevoked { skill } => told!("{agent} has the skill {skill} no more"),
            Self::TaskAsks { title, .. } => told!("{title} waits for your yes"),
            Self::PipelineOver { title, state: PipelineState::Completed, .. } => told!("{title} is done"),
            Self::PipelineOver { title, state: PipelineState::OverBudget, .. } => {
                told!("{title} has used up its budget")
            }
            Self::PipelineOver { title, state: PipelineState::Unpriced, .. } => {
                told!("{title} does not go on: nobody knows what its model costs")
            }
            Self::PipelineOver { title, .. } => told!("{title} is over, and not all of it is done"),
        };
        cut(&title, TITLE)
    }

    /// `last_line` is what the agent said last.
    pub(super) fn body(&self, last_line: &str) -> String {
        let made_with = self.asked().and_then(|approval| whole(&approval.call)).unwrap_or_default();
        let body = match self {
            Self::Asked(Approval { question: Some(question), .. }) => question.text.as_str(),
            Self::Asked(_) if !made_with.is_empty() => made_with.as_str(),
            Self::Asked(approval) => approval.about.as_deref().unwrap_or(words!("It waits for your yes.")),
            Self::Device(_) => words!("Open it on one that has it."),
            Self::Ended(Outcome::Completed | Outcome::Stopped) => last_line,
            Self::Ended(Outcome::RoundLimit) => words!("It has made as many calls in a row as it may."),
            Self::Ended(Outcome::Failed { failure }) => failure.message.as_str(),
            Self::Ended(Outcome::Interrupted { why }) => why.as_str(),
            Self::NotBegun { why, .. } | Self::SwitchedOff { why, .. } => why,
            Self::SkillRevoked { .. } => {
                words!("An administrator of this hub took it back: no agent is given any of it.")
            }
            Self::TaskAsks { task, .. } => task,
            Self::Said { text } => text,
            Self::PipelineOver { done, tasks, .. } => &told!("{done} of {tasks} tasks are done."),
        };
        cut(body, BODY)
    }
}

fn is_harmless(approval: &Approval) -> bool {
    approval.risk < ToolRisk::High && !approval.once && !approval.strangers && approval.reaches.is_empty()
}

/// What the call is made with, on one line. `None`: a notification does not show all of it as it is.
fn whole(call: &ToolCall) -> Option<String> {
    let is_plain =
        |name: &str| name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter));
    let input = call.input.as_object().filter(|input| input.keys().all(|name| is_plain(name)))?;
    let line = input.iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join(", ");
    (cut(&line, BODY) == line && !line.chars().any(is_hidden)).then_some(line)
}

/// Whether it is not seen, or makes others stand elsewhere.
fn is_hidden(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{e0000}'..='\u{e0fff}'
    ) || letter.is_control()
}

/// Whether a notification shows all that the agent asks, and one answer in words is one to it.
fn is_asked_in_full(approval: &Approval, question: &Question) -> bool {
    let is_asked_in_words = match &question.wanted {
        Wanted::Choice { .. } => !options_of(question).is_empty(),
        Wanted::Text { .. } | Wanted::Number { .. } | Wanted::Date => true,
        Wanted::Several { .. }
        | Wanted::File
        | Wanted::Secret { .. }
        | Wanted::Form { .. }
        | Wanted::Visit { .. } => false,
    };
    is_asked_in_words
        && approval.why == ApprovalReason::Question
        && question.server.is_none()
        && question.text.chars().count() <= BODY
}

/// The labels among which it has its person choose, where there is a button for each.
pub(super) fn options_of(question: &Question) -> Vec<&str> {
    match &question.wanted {
        Wanted::Choice { options, .. } if options.len() <= BUTTONS => {
            options.iter().map(|option| option.label.as_str()).collect()
        }
        Wanted::Choice { .. }
        | Wanted::Several { .. }
        | Wanted::Text { .. }
        | Wanted::Number { .. }
        | Wanted::Date
        | Wanted::File
        | Wanted::Secret { .. }
        | Wanted::Form { .. }
        | Wanted::Visit { .. } => Vec::new(),
    }
}

pub(super) fn cut(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}{CUT}", &line[..end]),
        None => line,
    }
}

fn is_cut(text: &str) -> bool {
    text.ends_with(CUT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_one_line_of_a_bounded_length() {
        for (text, expected) in [("a\n  b", "a b"), ("äöü", "äöü"), ("abcde", "abcd…"), ("", "")] {
            assert_eq!(cut(text, 4), expected);
        }
    }

    #[test]
    fn who_stopped_an_agent_is_not_told_that_it_stopped() {
        assert_eq!(News::Ended(&Outcome::Stopped).kind(), None);
        assert_eq!(News::Ended(&Outcome::RoundLimit).kind(), Some(NotificationKind::Failed));
    }
}
