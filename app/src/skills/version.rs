//! A version of a skill: what it wants, where it came from, and every letter of it.

use super::words::source;
use crate::prelude::*;
use crate::ui::{Diff, Section, When, grouped};
use protocol::view::{SkillChange, SkillReport, SkillText};

#[component]
pub(super) fn Wants(report: SkillReport, digest: String, at: i64) -> impl IntoView {
    let SkillReport {
        source: from,
        licence,
        compatibility,
        allowed_tools,
        requires,
        only_hosts,
        only_mounts,
        only_scripts,
        hosts,
        scripts,
        files,
        ..
    } = report;
    let tools = match allowed_tools {
        None => t("Names none: its agent has what it always has.").to_owned(),
        Some(tools) if tools.is_empty() => t("While it is loaded, its agent calls none.").to_owned(),
        Some(tools) => {
            say!("While it is loaded, its agent calls only: {tools}.", tools = tools.join(", "))
        }
    };
    let reaches = match only_hosts {
        None => t("Says nothing of it: its agent reaches what it always may.").to_owned(),
        Some(hosts) if hosts.is_empty() => t("While it is loaded, its agent reaches nothing.").to_owned(),
        Some(hosts) => {
            say!("While it is loaded, its agent reaches only: {hosts}.", hosts = hosts.join(", "))
        }
    };
    let works_on = match only_mounts {
        None => t("Says nothing of it: its agent has the files that it always has.").to_owned(),
        Some(files) if files.is_empty() => {
            t("While it is loaded, its agent reads and changes no files.").to_owned()
        }
        Some(files) => {
            say!("While it is loaded, its agent reads and changes only: {files}.", files = files.join(", "))
        }
    };
    let requires = (!requires.is_empty()).then(|| {
        let words = say!("Only agents that have these are told of it: {tools}.", tools = requires.join(", "));
        view! { <tr><th scope="row">"Requires"</th><td>{words}</td></tr> }
    });
    let runs = only_scripts.map(|scripts| {
        view! { <tr><th scope="row">"Runs of them"</th><td>{listed(scripts)}</td></tr> }
    });
    let bytes: u64 = files.iter().map(|file| file.bytes).sum();
    let count = files.len();
    let files = plural!(count, "{count} file", "{count} files");
    let size = say!("{files}, {bytes} bytes", bytes = grouped(bytes));
    let compatibility =
        compatibility.map(|words| view! { <tr><th scope="row">"Made for"</th><td>{words}</td></tr> });
    view! {
        <Section id="wants" title="What it wants, and where it is from" lead="It gets no tool and no host by saying so. A script of it runs nowhere but in the terminal of an agent that has one.">
            <table class="facts">
                <tbody>
                    <tr><th scope="row">"Tools"</th><td>{tools}</td></tr>
                    {requires}
                    <tr><th scope="row">"Reaches"</th><td>{reaches}</td></tr>
                    <tr><th scope="row">"Works on"</th><td>{works_on}</td></tr>
                    <tr><th scope="row">"Names hosts"</th><td>{listed(hosts)}</td></tr>
                    <tr><th scope="row">"Has scripts"</th><td>{listed(scripts)}</td></tr>
                    {runs}
                    <tr><th scope="row">"Licence"</th><td>{licence.unwrap_or_else(|| t("Says none").to_owned())}</td></tr>
                    {compatibility}
                    <tr><th scope="row">"From"</th><td>{source(from)} ", " <When at/></td></tr>
                    <tr><th scope="row">"Size"</th><td>{size}</td></tr>
                    <tr><th scope="row">{"SHA-256"}</th><td><code class="file-path">{digest}</code></td></tr>
                </tbody>
            </table>
        </Section>
    }
}

#[component]
pub(super) fn Texts(texts: Vec<SkillText>) -> impl IntoView {
    let count = texts.len();
    let files = texts
        .into_iter()
        .map(|SkillText { path, text }| {
            let body = match text {
                Some(text) => view! { <pre class="file-text" tabindex="0">{text}</pre> }.into_any(),
                None => view! { <p>"No text. It is kept, and no model reads it."</p> }.into_any(),
            };
            view! {
                <details class="fold" open=count == 1>
                    <summary><span class="fold-title file-path">{path}</span></summary>
                    <div class="fold-body">{body}</div>
                </details>
            }
        })
        .collect_view();
    view! {
        <Section
            id="texts"
            title="All of it"
            lead="As it came. Letters that nobody would see stand in these brackets: ⟦ ⟧. A model is never given them."
        >
            <div class="folds">{files}</div>
        </Section>
    }
}

#[component]
pub(super) fn Changes(changes: Vec<SkillChange>) -> impl IntoView {
    let changes = changes
        .into_iter()
        .map(|SkillChange { path, difference }| {
            view! {
                <div class="file-change">
                    <h3 class="file-path">{path}</h3>
                    <Diff text=difference wraps=true/>
                </div>
            }
        })
        .collect_view();
    view! {
        <Section id="changes" title="What changes" lead="From what your agents have to what waits, line by line.">
            {changes}
        </Section>
    }
}

fn listed(names: Vec<String>) -> String {
    if names.is_empty() { t("None").to_owned() } else { names.join(", ") }
}
