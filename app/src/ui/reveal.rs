//! What is folded and has to be seen.

use leptos::web_sys::Element;

/// Opens every fold around the element, itself among them.
pub fn reveal(element: &Element) {
    let around = |element: &Element| element.closest("details").ok().flatten();
    let mut fold = around(element);
    while let Some(open) = fold {
        // An attribute of this name can be set on any element.
        let _ = open.set_attribute("open", "");
        fold = open.parent_element().as_ref().and_then(around);
    }
}
