//! Where an answer leads a call: to another host it goes only as a call of its own could, with nobody asked.

use super::Caller;
use super::consent;
use super::permit::for_hooks;
use crate::error::Result;
use crate::outbound::Target;
use crate::policy::{Ruling, Subject};
use agent::hooks;
use agent::tools::find;
use protocol::approval::WhyAsked;
use protocol::hub::HookEvent;
use protocol::model::ToolCall;
use serde_json::json;

pub(crate) enum Led {
    On,
    /// The person would have to be asked, in these words.
    NoFurther(String),
}

impl Caller<'_> {
    /// Whether the call may go on to this address; an error in words if something forbids it.
    pub(crate) async fn is_led(
        &self,
        call: &ToolCall,
        target: &Target,
    ) -> Result<std::result::Result<Led, String>> {
        let led = ToolCall { input: json!({ "url": target.url().as_str() }), ..call.clone() };
        let tool = find(&call.name);
        let (first, about) = (Subject::of(tool, call), Subject::of(tool, &led));
        if first.text() == about.text() {
            return Ok(Ok(Led::On));
        }
        let (event, text) = (HookEvent::PreToolUse, for_hooks(&led));
        if let Some(reason) = hooks::evaluate(&self.spec.hooks, event, Some(&led.name), &text).denied {
            return Ok(Err(format!("Not allowed: {reason}")));
        }
        let asked = consent::asked(self, &led, &about).await?;
        Ok(match self.hub.ruling(self.owner, self.agent, &asked).await? {
            Ruling::Deny { why, .. } => Err(why),
            Ruling::Ask(WhyAsked::Rule | WhyAsked::WayOut) => Ok(Led::NoFurther(
                "It leads to another server, for which your person has to be asked. Call that address itself if it is right."
                    .to_owned(),
            )),
            // That the tool is used at all was asked, or needed no word.
            Ruling::Ask(WhyAsked::Risk | WhyAsked::Page | WhyAsked::Denials) | Ruling::Allow { .. } => Ok(Led::On),
        })
    }
}
