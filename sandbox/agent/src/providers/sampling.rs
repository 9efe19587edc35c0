//! Where each wire has what a program says of sampling.

use protocol::model::{Sampling, Verbosity};
use serde_json::{Map, Value, json};

/// What the fields are called, and how warm the wire lets a model be. `None`: the wire has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Names {
    pub(super) temperature: &'static str,
    pub(super) warmest: f64,
    pub(super) top_p: &'static str,
    /// The wire takes only one of both, and the second one does nothing at 1.
    pub(super) one_of_both: bool,
    pub(super) top_k: Option<&'static str>,
    pub(super) presence_penalty: Option<&'static str>,
    pub(super) frequency_penalty: Option<&'static str>,
    pub(super) logit_bias: Option<&'static str>,
    pub(super) seed: Option<&'static str>,
    pub(super) stop: Option<&'static str>,
    pub(super) verbosity: Option<&'static str>,
}

impl Eq for Names {}

impl Names {
    /// No more than every wire has.
    pub(super) const FEW: Self = Self {
        temperature: "temperature",
        warmest: 2.0,
        top_p: "top_p",
        one_of_both: false,
        top_k: None,
        presence_penalty: None,
        frequency_penalty: None,
        logit_bias: None,
        seed: None,
        stop: None,
        verbosity: None,
    };

    /// What of it the wire has no field for, in OpenAI's words.
    pub(super) fn lack(&self, sampling: &Sampling) -> Option<&'static str> {
        let Sampling {
            temperature: _,
            top_p: _,
            top_k,
            presence_penalty,
            frequency_penalty,
            logit_bias,
            // It promises nothing.
            seed: _,
            // Whoever asked ends the answer there too.
            stop: _,
            verbosity,
            form: _,
            one_call: _,
            extra: _,
        } = sampling;
        let asked = [
            ("top_k", top_k.is_some(), self.top_k),
            ("presence_penalty", presence_penalty.is_some(), self.presence_penalty),
            ("frequency_penalty", frequency_penalty.is_some(), self.frequency_penalty),
            ("logit_bias", !logit_bias.is_empty(), self.logit_bias),
            ("verbosity", verbosity.is_some(), self.verbosity),
        ];
        asked.into_iter().find(|(_, is_asked, own)| *is_asked && own.is_none()).map(|(name, _, _)| name)
    }
}

pub(super) fn fields(sampling: &Sampling, names: &Names) -> Map<String, Value> {
    let Sampling {
        temperature,
        top_p,
        top_k,
        presence_penalty,
        frequency_penalty,
        logit_bias,
        seed,
        stop,
        verbosity,
        form: _,
        one_call: _,
        extra: _,
    } = sampling;
    let is_idle = names.one_of_both && temperature.is_some() && *top_p == Some(1.0);
    let all = [
        (Some(names.temperature), temperature.map(|warmth| json!(warmth.min(names.warmest)))),
        (Some(names.top_p), top_p.filter(|_| !is_idle).map(|part| json!(part))),
        (names.top_k, top_k.map(|count| json!(count))),
        (names.presence_penalty, presence_penalty.map(|penalty| json!(penalty))),
        (names.frequency_penalty, frequency_penalty.map(|penalty| json!(penalty))),
        (names.logit_bias, (!logit_bias.is_empty()).then(|| json!(logit_bias))),
        (names.seed, seed.map(|seed| json!(seed))),
        (names.stop, (!stop.is_empty()).then(|| json!(stop))),
        (names.verbosity, verbosity.map(|verbosity| json!(word(verbosity)))),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name?.to_owned(), value?))).collect()
}

/// The same within an object of the wire's.
pub(super) fn add(to: &mut Value, sampling: &Sampling, names: &Names) {
    if let Value::Object(to) = to {
        to.extend(fields(sampling, names));
    }
}

fn word(verbosity: Verbosity) -> &'static str {
    match verbosity {
        Verbosity::Low => "low",
        Verbosity::Medium => "medium",
        Verbosity::High => "high",
    }
}
