//! How much room a person's agents take, and have.

use crate::prelude::*;
use crate::ui::Section;
use protocol::view::Space;

const MEGABYTE: u64 = 1024 * 1024;

#[component]
pub(super) fn SpaceSection(space: Space) -> impl IntoView {
    let kept = crate::ui::grouped(space.kept.div_ceil(MEGABYTE));
    let words = match space.most {
        Some(most) => {
            say!("Your agents keep {kept} of {most} MB.", most = crate::ui::grouped(most / MEGABYTE))
        }
        None => say!("Your agents keep {kept} MB."),
    };
    let full = space.most.is_some_and(|most| space.kept >= most).then(|| view! {
        <p class="field-error" role="alert">
            "That is all that you may keep. Nothing is lost, but nobody can talk to your agents until you delete some, or whoever runs this hub lets everybody keep more."
        </p>
    });
    view! {
        <Section id="space" title="Space" lead=view! { {words} " Conversations, versions of pages and files count." }.into_any()>
            {full}
        </Section>
    }
}
