//! A part of a page under a heading of its own.

use super::text::Text;
use crate::prelude::*;

#[component]
pub fn Section(
    /// Of the heading; addresses lead here.
    id: &'static str,
    #[prop(into)] title: Text,
    /// What the part is for.
    #[prop(optional, into)]
    lead: Text,
    children: Children,
) -> impl IntoView {
    let lead = lead.into_view().map(|lead| view! { <p>{lead}</p> });
    view! {
        <section class="section" aria-labelledby=id>
            <div class="section-head">
                <h2 id=id>{title.into_view()}</h2>
                {lead}
            </div>
            {children()}
        </section>
    }
}
