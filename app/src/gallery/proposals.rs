//! What an archive proposes that its agent may do: shown whole, and nothing of it holds unless its person ticks it.

use crate::policy::verdict_words;
use crate::prelude::*;
use crate::ui::Spelled;
use protocol::approval::Asker;
use protocol::view::{CarriedRule, Network};

/// Nothing where it proposes nothing.
#[component]
pub fn Proposals(network: Network, rules: Vec<CarriedRule>, conversations: u32) -> impl IntoView {
    let reach = match network {
        Network::Off => None,
        Network::AllowList { hosts } => Some(say!("These hosts: {hosts}", hosts = hosts.join(", "))),
        Network::Public => Some(t("Everything that is public").to_owned()),
    };
    let said = (conversations > 0).then(|| {
        view! {
            <label class="choice" data-edge="">
                <input type="checkbox" name="accept_conversations" value="true"/>
                <span>"Bring in its conversations"</span>
                <span class="choice-hint">"What stands in them counts as words of strangers: nobody here saw who said it."</span>
            </label>
        }
    });
    let allowed = (reach.is_some() || !rules.is_empty()).then(|| {
        view! {
            <fieldset class="field">
                <legend class="field-label">"What it had been allowed"</legend>
                <p class="field-hint">"Whoever made the archive proposes this. Without a tick nothing of it holds here."</p>
                {reach.map(|reach| view! {
                    <label class="choice" data-edge="">
                        <input type="checkbox" name="accept_network" value="true"/>
                        <span>"Let it reach this of the web"</span>
                        <span class="choice-hint">{reach}</span>
                    </label>
                })}
                {(!rules.is_empty()).then(|| view! {
                    <label class="choice" data-edge="">
                        <input type="checkbox" name="accept_rules" value="true"/>
                        <span>"Take these rules about its calls"</span>
                    </label>
                    <ul>{rules.into_iter().map(rule).collect_view()}</ul>
                })}
            </fieldset>
        }
    });
    view! {
        {allowed}
        {said}
    }
}

fn rule(rule: CarriedRule) -> impl IntoView {
    let CarriedRule { asker, tool, about, verdict } = rule;
    let whose = asker.map(|asker| match asker {
        Asker::Model => t(", of its model"),
        Asker::Page => t(", of its page"),
    });
    view! {
        <li>
            {verdict_words(verdict)} " " <code>{tool}</code>
            {about.map(|about| view! { " about " <code><Spelled text=about/></code> })}
            {whose}
        </li>
    }
}
