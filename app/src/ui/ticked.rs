//! What somebody ticked before the browser's program was there. On a slow network that takes seconds, and whoever was
//! quicker keeps what they did.

/// Whether the box of this name and value is ticked in the document that is being taken over; `None` where the page is
/// drawn anew. The value has letters of identifiers alone.
#[cfg(feature = "hydrate")]
pub fn ticked_before(name: &str, value: &str) -> Option<bool> {
    use leptos::prelude::{Owner, document};
    if !Owner::current_shared_context().is_some_and(|context| context.during_hydration()) {
        return None;
    }
    let boxes = format!(r#"input[name="{name}"][value="{value}"]"#);
    let is_there = |selector: &str| document().query_selector(selector).is_ok_and(|found| found.is_some());
    is_there(&boxes).then(|| is_there(&format!("{boxes}:checked")))
}

#[cfg(not(feature = "hydrate"))]
pub fn ticked_before(_name: &str, _value: &str) -> Option<bool> {
    None
}
