//! A mailbox whose mails make a schedule due: its fields, and how it stands.

use super::extras::word;
use crate::prelude::*;
use crate::ui::{Field, Icon, Section, When};
use protocol::schedule::{LookState, MailSeal, Mailbox, ScheduleDraft, TimingKind};

#[component]
pub fn MailboxFields(draft: ScheduleDraft) -> impl IntoView {
    let ScheduleDraft {
        mail_server,
        mail_seal,
        mail_user,
        mail_folder,
        mail_from,
        mail_subject,
        mail_minutes,
        ..
    } = draft;
    let is_known = !mail_user.is_empty();
    let password_hint = t(if is_known {
        "Empty: the one that is kept. Enter it again where the server or the account changes."
    } else {
        "It is sealed and shown to nobody again. Many services want one that is made for programs (an app password)."
    });
    let seals = [
        (MailSeal::Tls, t("TLS from the beginning (port 993)")),
        (MailSeal::Starttls, t("STARTTLS (port 143)")),
        (MailSeal::None, t("None, for a server on the hub's machine")),
    ]
    .map(|(each, text)| view! { <option value=word(&each) selected=each == mail_seal>{text}</option> });
    view! {
        <div class="form mailbox-fields" data-for="mail">
            <p class="field-hint">
                "The hub looks into a folder by IMAP. The agent is told each new mail as words of strangers, and its attachments by name only. It is marked as read."
            </p>
            <div class="form-group">
                <Field id="schedule-mail-server" label="Server for mail">
                    <input
                        class="input"
                        id="schedule-mail-server"
                        name="draft[mail_server]"
                        maxlength="255"
                        autocomplete="off"
                        autocapitalize="none"
                        spellcheck="false"
                        placeholder={"imap.example.org"}
                        value=mail_server
                    />
                </Field>
                <Field id="schedule-mail-seal" label="Sealed by">
                    <select class="input" id="schedule-mail-seal" name="draft[mail_seal]">{seals}</select>
                </Field>
            </div>
            <div class="form-group">
                <Field id="schedule-mail-user" label="Account there">
                    <input
                        class="input"
                        id="schedule-mail-user"
                        name="draft[mail_user]"
                        maxlength="255"
                        autocomplete="off"
                        autocapitalize="none"
                        spellcheck="false"
                        placeholder={"ada@example.org"}
                        value=mail_user
                    />
                </Field>
                <Field id="schedule-mail-password" label="Password there" hint=password_hint>
                    <input
                        class="input"
                        id="schedule-mail-password"
                        name="draft[mail_password]"
                        type="password"
                        maxlength="255"
                        autocomplete="new-password"
                        aria-describedby="schedule-mail-password-hint"
                    />
                </Field>
            </div>
            <div class="form-group">
                <Field id="schedule-mail-folder" label="Folder">
                    <input
                        class="input"
                        id="schedule-mail-folder"
                        name="draft[mail_folder]"
                        maxlength="255"
                        autocomplete="off"
                        placeholder={"INBOX"}
                        value=mail_folder
                    />
                </Field>
                <Field id="schedule-mail-minutes" label="Minutes from look to look">
                    <input
                        class="input num"
                        id="schedule-mail-minutes"
                        name="draft[mail_minutes]"
                        type="number"
                        min="1"
                        max="1440"
                        placeholder="5"
                        value=mail_minutes
                    />
                </Field>
            </div>
            <div class="form-group">
                <Field
                    id="schedule-mail-from"
                    label="Only from"
                    hint="Addresses with commas in between, or @example.org for all of a domain. Empty: everybody. Who writes a mail can put any sender into it."
                >
                    <input
                        class="input"
                        id="schedule-mail-from"
                        name="draft[mail_from]"
                        maxlength="4000"
                        autocomplete="off"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby="schedule-mail-from-hint"
                        value=mail_from
                    />
                </Field>
                <Field id="schedule-mail-subject" label="Only with this in the subject" hint="Empty: any.">
                    <input
                        class="input"
                        id="schedule-mail-subject"
                        name="draft[mail_subject]"
                        maxlength="255"
                        autocomplete="off"
                        aria-describedby="schedule-mail-subject-hint"
                        value=mail_subject
                    />
                </Field>
            </div>
        </div>
    }
}

/// The same mailbox as a form would send it, without its password.
pub fn with_mailbox(draft: ScheduleDraft, mailbox: Mailbox) -> ScheduleDraft {
    let Mailbox { server, seal, user, folder, from, subject, minutes } = mailbox;
    ScheduleDraft {
        kind: TimingKind::Mail,
        mail_server: server,
        mail_seal: seal,
        mail_user: user,
        mail_folder: folder,
        mail_from: from.join(", "),
        mail_subject: subject,
        mail_minutes: minutes.to_string(),
        ..draft
    }
}

/// What is in the way of a mailbox or a feed, if something is.
#[component]
pub fn LookProblem(looked: LookState) -> impl IntoView {
    looked.problem.map(|problem| {
        let problem = language::sentence(&problem).into_owned();
        view! {
            <div class="banner" data-kind="error" role="note">
                <Icon name="warn"/>
                <p class="banner-text">{problem}</p>
            </div>
        }
    })
}

/// How the mailbox of a schedule stands; absent: nothing opens it yet.
#[component]
pub fn MailboxSection(mailbox: Option<LookState>) -> impl IntoView {
    let state = match mailbox {
        None => view! { <p>"Its password is not kept here. Enter it above, and save."</p> }.into_any(),
        Some(mailbox) => {
            let looked = match mailbox.checked_at {
                Some(at) => view! { <p>"The hub last looked into it " <When at/> "."</p> }.into_any(),
                None => view! { <p>"The hub has not looked into it yet. Mail that comes from then on counts."</p> }
                    .into_any(),
            };
            view! {
                <LookProblem looked=mailbox/>
                {looked}
            }
            .into_any()
        }
    };
    view! {
        <Section
            id="mailbox"
            title="Mailbox"
            lead="What a mail says is a stranger's: the agent is told so, and what could carry something out because of it asks you. To have it looked into at once, save."
        >
            {state}
        </Section>
    }
}
