//! What of the web an agent may reach: a form of its own, for it holds from the next call on.

use super::api::{FollowRobots, LetCommandsOut, SetNetwork};
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Choice, Done, FormAction, Section, TextArea};
use protocol::AgentId;
use protocol::view::Network;
use serde::{Deserialize, Serialize};

/// The policy as the form sends it, beside the hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkPolicy {
    Off,
    AllowList,
    Public,
}

impl NetworkPolicy {
    pub fn with(self, hosts: &str) -> Network {
        match self {
            Self::Off => Network::Off,
            Self::AllowList => {
                let hosts = hosts.split(|c: char| c == ',' || c.is_whitespace());
                Network::AllowList {
                    hosts: hosts.filter(|host| !host.is_empty()).map(str::to_owned).collect(),
                }
            }
            Self::Public => Network::Public,
        }
    }
}

#[component]
pub fn NetworkSection(
    id: AgentId,
    network: Network,
    follows_robots: bool,
    commands_reach: bool,
) -> impl IntoView {
    let action = FormAction::<SetNetwork>::new();
    let robots = FormAction::<FollowRobots>::new();
    let commands = FormAction::<LetCommandsOut>::new();
    let (reading, commanding) = (id.clone(), id.clone());
    let (policy, hosts) = match network {
        Network::Off => (NetworkPolicy::Off, Vec::new()),
        Network::AllowList { hosts } => (NetworkPolicy::AllowList, hosts),
        Network::Public => (NetworkPolicy::Public, Vec::new()),
    };
    view! {
        <Section
            id="network"
            title="What it may reach of the web"
            lead="With anything but the first, it has the tools fetch, web_search, research_topic, weather and exchange_rates. Whatever it knows can leave with a request."
        >
            <Done what="network" words="What it reaches is set."/>
            <ActionFailure value=action.value()/>
            <ActionForm action attr:class="form">
                <input type="hidden" name="id" value=id.0/>
                <fieldset class="choices">
                    <legend class="field-label">"It reaches"</legend>
                    <Choice name="policy" value="off" checked=policy == NetworkPolicy::Off words="Nothing" hint="It has no way to the web."/>
                    <Choice name="policy" value="allow_list" checked=policy == NetworkPolicy::AllowList words="These hosts" hint="Those on the list below, and no others."/>
                    <Choice name="policy" value="public" checked=policy == NetworkPolicy::Public words="Everything public" hint="Never this network or this machine."/>
                    <div class="field">
                        <label class="field-label" for="network-hosts">"Hosts"</label>
                        <TextArea
                            text=hosts.join("\n")
                            attr:class="input"
                            attr:id="network-hosts"
                            attr:name="hosts"
                            attr:rows="3"
                            attr:spellcheck="false"
                            attr:autocomplete="off"
                        />
                        <p class="field-hint">
                            "One on each line: example.org, or *.example.org for all names below it. Add a port, example.org:8000, if it is an unusual one."
                        </p>
                    </div>
                </fieldset>
                <div class="form-end">
                    <button type="submit" class="button">"Set what it reaches"</button>
                </div>
            </ActionForm>
            <Done what="robots" words="How it reads is set."/>
            <ActionFailure value=robots.value()/>
            <ActionForm action=robots attr:class="form">
                <input type="hidden" name="id" value=reading.0/>
                <label class="choice" data-edge="">
                    <input type="checkbox" name="follows" value="true" checked=follows_robots/>
                    <span>"It follows robots.txt"</span>
                    <span class="choice-hint">
                        "It reads only what servers let programs read. Without it, it reads what you or a search point it to, like a browser, and takes a no for one."
                    </span>
                </label>
                <div class="form-end">
                    <button type="submit" class="button">"Set how it reads"</button>
                </div>
            </ActionForm>
            <Done what="commands" words="What its commands reach is set."/>
            <ActionFailure value=commands.value()/>
            <ActionForm action=commands attr:class="form">
                <input type="hidden" name="id" value=commanding.0/>
                <label class="choice" data-edge="">
                    <input type="checkbox" name="allowed" value="true" checked=commands_reach/>
                    <span>"Its commands reach these hosts too"</span>
                    <span class="choice-hint">
                        "Only where it reaches a list of hosts. A command sees all files of the agent and can send any of them there, and nobody sees what it sends. Each command says afterwards what it reached."
                    </span>
                </label>
                <div class="form-end">
                    <button type="submit" class="button">"Set what its commands reach"</button>
                </div>
            </ActionForm>
            <p><a href="/web-search">"Where your agents search the web"</a></p>
        </Section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_however_they_are_set_apart() {
        for (text, expected) in [
            ("", vec![]),
            ("a.example, b.example\r\n *.c.example", vec!["a.example", "b.example", "*.c.example"]),
        ] {
            let hosts = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(NetworkPolicy::AllowList.with(text), Network::AllowList { hosts });
        }
        assert_eq!(NetworkPolicy::Off.with("a.example"), Network::Off);
    }
}
