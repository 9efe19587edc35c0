//! How much of its own model this browser has fetched, for whoever shows it.

use leptos::prelude::*;

thread_local! {
    static FETCHED: ArcRwSignal<Option<u32>> = ArcRwSignal::new(None);
}

/// In percent, while the model is being fetched.
pub fn fetched() -> ArcRwSignal<Option<u32>> {
    FETCHED.with(Clone::clone)
}

pub fn tell(part: Option<f64>) {
    let percent = part.map(|part| (part.clamp(0.0, 1.0) * 100.0) as u32);
    let signal = fetched();
    if signal.get_untracked() != percent {
        signal.set(percent);
    }
}
