//! The fields of a schedule. All ways to say when are there; the styles show those of the one that is
//! chosen.

use super::extras::{Extras, word};
use super::feed::FeedFields;
use super::finished::{FinishedFields, OtherAgent};
use super::mailbox::{MailboxFields, with_mailbox};
use super::words;
use crate::browser::clock;
use crate::prelude::*;
use crate::ui::{Choice, Field, TextArea};
use protocol::schedule::{Days, ScheduleDraft, ScheduleView, StateCondition, Timing, TimingKind};

#[component]
pub fn ScheduleFields(
    draft: ScheduleDraft,
    /// Whose end may make it due.
    others: Vec<OtherAgent>,
    /// Whether the person may give the hub a mailbox to look into.
    may_mail: bool,
) -> impl IntoView {
    let (extras, mailbox, feed) = (draft.clone(), draft.clone(), draft.clone());
    let ScheduleDraft {
        name,
        message,
        kind,
        at,
        time,
        days,
        minutes,
        delay,
        cron,
        zone,
        after_agent,
        after_pipelines,
        file_path,
        ..
    } = draft;
    let finished = (!others.is_empty() || kind == TimingKind::Finished).then(|| {
        view! {
            <Kind value=TimingKind::Finished kind words="When another agent has finished"/>
            <FinishedFields after=after_agent pipelines=after_pipelines others/>
        }
    });
    let mail = (may_mail || kind == TimingKind::Mail).then(|| {
        view! {
            <Kind value=TimingKind::Mail kind words="When a mail comes"/>
            <MailboxFields draft=mailbox/>
        }
    });
    let zone = RwSignal::new(zone);
    own_zone(zone);
    let every_day = Days::ALL.map(|each| {
        view! { <option value=word(&each) selected=each == days>{words::days(each)}</option> }
    });
    view! {
        <Field id="schedule-name" label="Name">
            <input class="input" id="schedule-name" name="draft[name]" required maxlength="80" autocomplete="off" value=name/>
        </Field>
        <Field id="schedule-message" label="What it is told">
            <TextArea
                text=message
                attr:class="input"
                attr:id="schedule-message"
                attr:name="draft[message]"
                attr:rows="3"
                attr:required
            />
        </Field>
        <fieldset class="choices timing">
            <legend class="field-label">"When"</legend>
            <Kind value=TimingKind::Days kind words="On days, at a time"/>
            <Kind value=TimingKind::Once kind words="Once"/>
            <Kind value=TimingKind::After kind words="Once, some minutes from now"/>
            <Kind value=TimingKind::Every kind words="Every so many minutes"/>
            <Kind value=TimingKind::Cron kind words="By a cron expression"/>
            <Kind value=TimingKind::Webhook kind words="When something is delivered to its address"/>
            <p class="field-hint" data-for="webhook">
                "Another program sends it there, and the agent is told it as words of strangers. The address and its secret are under Edit."
            </p>
            {mail}
            <Kind value=TimingKind::Feed kind words="When a feed has something new"/>
            <FeedFields draft=feed/>
            {finished}
            <Kind value=TimingKind::File kind words="When files have changed"/>
            <Field
                id="schedule-file-path"
                label="Which files"
                hint="A file, a folder or a pattern below /agent, /workspace or /uploads, like /workspace/*.md. What the agent changes itself does not count. It is told which, once a minute at most."
                attr:data-for="file"
            >
                <input
                    class="input"
                    id="schedule-file-path"
                    name="draft[file_path]"
                    maxlength="220"
                    autocomplete="off"
                    autocapitalize="none"
                    spellcheck="false"
                    placeholder={"/workspace/*.md"}
                    aria-describedby="schedule-file-path-hint"
                    value=file_path
                />
            </Field>
            <Kind value=TimingKind::Device kind words="When I come back"/>
            <p class="field-hint" data-for="device">
                "Whenever you have a page of the hub open on a device after there was none for an hour."
            </p>
            <div class="form-group" data-for="days">
                <Field id="schedule-days" label="Days">
                    <select class="input" id="schedule-days" name="draft[days]">{every_day}</select>
                </Field>
                <Field id="schedule-time" label="Time">
                    <input class="input num" id="schedule-time" name="draft[time]" type="time" value=time/>
                </Field>
            </div>
            <Field id="schedule-at" label="Date and time" attr:data-for="once">
                <input class="input num" id="schedule-at" name="draft[at]" type="datetime-local" value=at/>
            </Field>
            <Field id="schedule-delay" label="Minutes from now" attr:data-for="after">
                <input class="input num" id="schedule-delay" name="draft[delay]" type="number" min="1" max="527040" value=delay/>
            </Field>
            <Field id="schedule-minutes" label="Minutes" attr:data-for="every">
                <input class="input num" id="schedule-minutes" name="draft[minutes]" type="number" min="1" max="527040" value=minutes/>
            </Field>
            <Field id="schedule-cron" label="Minute, hour, day, month, day of the week" attr:data-for="cron">
                <input class="input num" id="schedule-cron" name="draft[cron]" maxlength="200" autocomplete="off" placeholder="0 8 * * 1-5" value=cron/>
            </Field>
        </fieldset>
        <Field
            id="schedule-zone"
            label="Time zone"
            hint="Where its clock hangs, like Europe/Berlin. A time that the clocks leave out in spring is due when they leap, one that comes twice in autumn the first time."
            attr:data-for="zone"
        >
            <input
                class="input"
                id="schedule-zone"
                name="draft[zone]"
                maxlength="60"
                autocomplete="off"
                placeholder={"UTC"}
                aria-describedby="schedule-zone-hint"
                prop:value=move || zone.get()
                value=move || zone.get()
            />
        </Field>
        <Extras draft=extras/>
    }
}

#[component]
fn Kind(value: TimingKind, kind: TimingKind, words: &'static str) -> impl IntoView {
    view! {
        <Choice name="draft[kind]" value=word(&value) words checked=value == kind/>
    }
}

/// The same schedule as a form would send it.
pub fn draft_of(schedule: &ScheduleView) -> ScheduleDraft {
    let (name, message, missed) = (schedule.name.clone(), schedule.message.clone(), schedule.missed);
    let rules = schedule.rules.clone();
    let StateCondition { key: only_if_key, when: only_if } =
        rules.only_if.unwrap_or(StateCondition { key: String::new(), when: String::new() });
    let draft = ScheduleDraft {
        name,
        message,
        missed,
        overlap: rules.overlap,
        jitter: rules.jitter_s.to_string(),
        breaker: rules.breaker.to_string(),
        only_if_key,
        only_if,
        ..ScheduleDraft::default()
    };
    match schedule.timing.clone() {
        Timing::Once { at, zone } => ScheduleDraft { kind: TimingKind::Once, at, zone, ..draft },
        Timing::Every { minutes } => {
            ScheduleDraft { kind: TimingKind::Every, minutes: minutes.to_string(), ..draft }
        }
        Timing::Days { days, time, zone } => {
            ScheduleDraft { kind: TimingKind::Days, days, time, zone, ..draft }
        }
        Timing::Webhook => ScheduleDraft { kind: TimingKind::Webhook, ..draft },
        Timing::Mail(mailbox) => with_mailbox(draft, mailbox),
        Timing::Device => ScheduleDraft { kind: TimingKind::Device, ..draft },
        Timing::File { path } => ScheduleDraft { kind: TimingKind::File, file_path: path, ..draft },
        Timing::Finished { agent, pipelines } => ScheduleDraft {
            kind: TimingKind::Finished,
            after_agent: agent.0,
            after_pipelines: pipelines,
            ..draft
        },
        Timing::Feed { url, minutes } => ScheduleDraft {
            kind: TimingKind::Feed,
            feed_url: url,
            feed_minutes: minutes.to_string(),
            ..draft
        },
        Timing::Cron { expression, zone } => {
            ScheduleDraft { kind: TimingKind::Cron, cron: expression, zone, ..draft }
        }
    }
}

/// The browser knows where its person is.
fn own_zone(zone: RwSignal<String>) {
    Effect::new(move |_| {
        if !zone.get_untracked().is_empty() {
            return;
        }
        if let Some(name) = clock::zone() {
            zone.set(name);
        }
    });
}
