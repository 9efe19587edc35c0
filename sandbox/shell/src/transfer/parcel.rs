//! What is in a parcel, and what it would change here.

use super::envelope::EnvelopeError;
use language::{say, t};
use protocol::approval::Verdict;
use protocol::view::shell::{Item, ItemStatus, Part};
use protocol::view::{CarriedProvider, OwnPrice, Settings};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parcel {
    pub version: u32,
    /// By chance. A hub takes it in once.
    pub id: String,
    /// Scheme, host and port of the hub that it comes from.
    pub from: String,
    pub made_at: i64,
    pub settings: Settings,
    /// Keys of the device that made it, each with the place of its provider in the list.
    #[serde(default)]
    pub keys: Vec<(usize, String)>,
}

impl Parcel {
    pub fn read(text: &[u8]) -> Result<Self, EnvelopeError> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let text = str::from_utf8(text).map_err(|_| EnvelopeError::Unreadable)?;
        let Versioned { version } = serde_json::from_str(text).map_err(|_| EnvelopeError::Unreadable)?;
        if version > VERSION {
            return Err(EnvelopeError::Newer);
        }
        let parcel: Self = serde_json::from_str(text).map_err(|_| EnvelopeError::Unreadable)?;
        let count = parcel.settings.providers.len();
        match parcel.keys.iter().all(|(place, _)| *place < count) {
            true => Ok(parcel),
            false => Err(EnvelopeError::Unreadable),
        }
    }

    /// What it would bring to a hub that has these settings.
    pub fn items(&self, here: &Settings) -> Vec<Item> {
        let Settings { providers, prices, limits, rules } = &self.settings;
        let mut items = Vec::new();
        for (place, provider) in providers.iter().enumerate() {
            items.push(provider_item(place, provider, here));
            if self.keys.iter().any(|(of, _)| *of == place) {
                items.push(Item {
                    part: Part::Key(place),
                    name: say!("The key of {name}", name = provider.name),
                    about: t("Is sealed on this device, and not sent to the hub.").to_owned(),
                    state: ItemStatus::New,
                });
            }
        }
        for (place, OwnPrice { model, price }) in prices.iter().enumerate() {
            let state = match here.prices.iter().find(|own| own.model == *model) {
                None => ItemStatus::New,
                Some(own) if own.price == *price => ItemStatus::Same,
                Some(own) => ItemStatus::Differs(say!(
                    "Here it is {input} a million in, {output} out. That would be replaced.",
                    input = own.price.input,
                    output = own.price.output
                )),
            };
            let about =
                say!("{input} a million in, {output} out", input = price.input, output = price.output);
            items.push(Item { part: Part::Price(place), name: say!("Price of {model}"), about, state });
        }
        if let Some(caps) = limits {
            let state = match &here.limits {
                None => ItemStatus::New,
                Some(own) if own == caps => ItemStatus::Same,
                Some(_) => {
                    ItemStatus::Differs(t("There are limits here. They would be replaced.").to_owned())
                }
            };
            let limits = [
                caps.per_call.map(|limit| say!("{limit} a call")),
                caps.per_run.map(|limit| say!("{limit} a run")),
                caps.per_day.map(|limit| say!("{limit} a day")),
                caps.per_month.map(|limit| say!("{limit} a month")),
                caps.ever.map(|limit| say!("{limit} in all")),
            ];
            let about: Vec<String> = limits.into_iter().flatten().collect();
            let name = t("Your limits for all agents").to_owned();
            items.push(Item { part: Part::Limits, name, about: about.join(", "), state });
        }
        for (place, rule) in rules.iter().enumerate() {
            let state = if here.rules.contains(rule) { ItemStatus::Same } else { ItemStatus::New };
            let tool = &rule.tool;
            let name = match rule.verdict {
                Verdict::Allow => say!("Rule: allow {tool}"),
                Verdict::Ask => say!("Rule: ask before {tool}"),
                Verdict::Deny => say!("Rule: deny {tool}"),
            };
            let about = rule.about.clone().unwrap_or_default();
            items.push(Item { part: Part::Rule(place), name, about, state });
        }
        items
    }

    /// The settings that were chosen, under names that nothing here has.
    pub fn chosen(&self, parts: &BTreeSet<Part>, here: &Settings) -> Settings {
        let Settings { providers, prices, limits, rules } = &self.settings;
        let mut names: BTreeSet<String> = here.providers.iter().map(|one| one.name.clone()).collect();
        Settings {
            providers: kept(providers, |place| parts.contains(&Part::Provider(place)))
                .map(|provider| {
                    let name = free_name(&provider.name, &names);
                    names.insert(name.clone());
                    CarriedProvider { name, ..provider.clone() }
                })
                .collect(),
            prices: kept(prices, |place| parts.contains(&Part::Price(place))).cloned().collect(),
            limits: limits.filter(|_| parts.contains(&Part::Limits)),
            rules: kept(rules, |place| parts.contains(&Part::Rule(place))).cloned().collect(),
        }
    }

    /// The keys that were chosen, each with its provider's place among those that are taken, or `None`
    /// where the provider is here already.
    pub fn chosen_keys(&self, parts: &BTreeSet<Part>) -> Vec<(usize, Option<usize>, String)> {
        let taken: Vec<usize> = (0..self.settings.providers.len())
            .filter(|place| parts.contains(&Part::Provider(*place)))
            .collect();
        self.keys
            .iter()
            .filter(|(place, _)| parts.contains(&Part::Key(*place)))
            .map(|(place, key)| (*place, taken.iter().position(|one| one == place), key.clone()))
            .collect()
    }
}

/// Whether they are the same server in the same way, whatever they are called.
fn is_same(one: &CarriedProvider, other: &CarriedProvider) -> bool {
    (&one.name, one.kind, &one.base_url, one.reach) == (&other.name, other.kind, &other.base_url, other.reach)
}

fn provider_item(place: usize, provider: &CarriedProvider, here: &Settings) -> Item {
    let state = if here.providers.iter().any(|own| is_same(own, provider)) {
        ItemStatus::Same
    } else if here.providers.iter().any(|own| own.name == provider.name) {
        ItemStatus::Differs(
            t("Another provider here has this name. Both stay: this one gets a number.").to_owned(),
        )
    } else {
        ItemStatus::New
    };
    let about = match provider.had_key {
        true => t("Its key stays in the hub that it comes from: enter it again here."),
        false => "",
    };
    Item { part: Part::Provider(place), name: provider.name.clone(), about: about.to_owned(), state }
}

fn kept<T>(all: &[T], is_kept: impl Fn(usize) -> bool) -> impl Iterator<Item = &T> {
    all.iter().enumerate().filter(move |(place, _)| is_kept(*place)).map(|(_, one)| one)
}

fn free_name(name: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Micros;
    use protocol::agent::ProviderKind;
    use protocol::view::{ModelPrice, ProviderReach};

    fn provider(name: &str, reach: ProviderReach) -> CarriedProvider {
        CarriedProvider {
            name: name.to_owned(),
            kind: ProviderKind::Anthropic,
            base_url: None,
            reach,
            had_key: false,
        }
    }

    fn parcel() -> Parcel {
        let price = |input| ModelPrice { input: Micros(input), output: Micros(2) };
        Parcel {
            version: VERSION,
            id: "p1".to_owned(),
            from: "https://a.example".to_owned(),
            made_at: 7,
            settings: Settings {
                providers: vec![
                    provider("Brook", ProviderReach::Hub),
                    provider("Vault", ProviderReach::DeviceKey),
                ],
                prices: vec![OwnPrice { model: "m".to_owned(), price: price(1) }],
                limits: None,
                rules: Vec::new(),
            },
            keys: vec![(1, "sk-secret".to_owned())],
        }
    }

    #[test]
    fn what_is_here_is_not_taken_again_and_never_replaced_unasked() {
        let parcel = parcel();
        let chosen = |here: &Settings| -> Vec<Part> {
            let items = parcel.items(here).into_iter().filter(|item| item.state.is_chosen());
            items.map(|item| item.part).collect()
        };
        let all = [Part::Provider(0), Part::Provider(1), Part::Key(1), Part::Price(0)];
        assert_eq!(chosen(&Settings::default()), all);
        assert_eq!(chosen(&parcel.settings), [Part::Key(1)]);
        let mut other = parcel.settings.clone();
        other.providers[0].base_url = Some("https://b.example".to_owned());
        other.prices[0].price.input = Micros(9);
        assert_eq!(chosen(&other), [Part::Key(1)]);
    }

    #[test]
    fn two_with_one_name_both_stay() {
        let parcel = parcel();
        let mut here = parcel.settings.clone();
        here.providers[0].base_url = Some("https://b.example".to_owned());
        let taken = parcel.chosen(&BTreeSet::from([Part::Provider(0), Part::Key(1)]), &here);
        assert_eq!(taken.providers.len(), 1);
        assert_eq!(taken.providers[0].name, "Brook (2)");
        assert_eq!((taken.prices.len(), taken.limits), (0, None));
    }

    #[test]
    fn a_key_finds_its_provider_whatever_else_is_taken() {
        let parcel = parcel();
        let keys = |parts: &[Part]| parcel.chosen_keys(&parts.iter().copied().collect());
        let key = || "sk-secret".to_owned();
        assert_eq!(keys(&[Part::Provider(0), Part::Provider(1), Part::Key(1)]), [(1, Some(1), key())]);
        assert_eq!(keys(&[Part::Provider(1), Part::Key(1)]), [(1, Some(0), key())]);
        assert_eq!(keys(&[Part::Key(1)]), [(1, None, key())]);
        assert_eq!(keys(&[Part::Provider(1)]), []);
    }

    #[test]
    fn a_parcel_is_read_as_it_was_written_and_a_newer_one_says_so() {
        let text = serde_json::to_vec(&parcel()).expect("plain fields");
        assert_eq!(Parcel::read(&text), Ok(parcel()));
        let newer = serde_json::to_vec(&Parcel { version: 2, ..parcel() }).expect("plain fields");
        assert_eq!(Parcel::read(&newer), Err(EnvelopeError::Newer));
        let astray = serde_json::to_vec(&Parcel { keys: vec![(2, String::new())], ..parcel() });
        assert_eq!(Parcel::read(&astray.expect("plain fields")), Err(EnvelopeError::Unreadable));
        assert_eq!(Parcel::read(b"{}"), Err(EnvelopeError::Unreadable));
    }
}
