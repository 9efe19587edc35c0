//! What a call of a tool of the product is about, in words: while it is made, and when it was.

use crate::prelude::*;

/// A tool; the actions of it that the words are for, or none for all others; and the words. What the call acts on follows them.
type Words = (&'static str, &'static [&'static str], &'static str, &'static str);

const WORDS: &[Words] = &[
    (
        "dom",
        &["query", "get_listeners", "wait_for", "screenshot"],
        key!("Looks at the page"),
        key!("Looked at the page"),
    ),
    ("dom", &[], key!("Draws the page"), key!("Drew the page")),
    ("runjs", &[], key!("Runs a script in the page"), key!("Ran a script in the page")),
    ("skins", &["save"], key!("Keeps the page as"), key!("Kept the page as")),
    ("skins", &["load"], key!("Changes to the page"), key!("Changed to the page")),
    ("skins", &["delete"], key!("Deletes the page"), key!("Deleted the page")),
    ("skins", &[], key!("Looks at its pages"), key!("Looked at its pages")),
    ("state", &["get", "list", "rules"], key!("Reads its state"), key!("Read its state")),
    ("state", &[], key!("Changes its state"), key!("Changed its state")),
    ("storage", &["get", "list"], key!("Reads its notes"), key!("Read its notes")),
    ("storage", &[], key!("Changes its notes"), key!("Changed its notes")),
    ("capabilities", &[], key!("Looks where it runs"), key!("Looked where it runs")),
    ("datetime", &[], key!("Reads the clock"), key!("Read the clock")),
    ("location", &[], key!("Asks where you are"), key!("Asked where you are")),
    ("clipboard", &["read"], key!("Reads your clipboard"), key!("Read your clipboard")),
    ("clipboard", &[], key!("Fills your clipboard"), key!("Filled your clipboard")),
    ("calc", &[], key!("Reckons"), key!("Reckoned")),
    ("read", &[], key!("Reads the file"), key!("Read the file")),
    ("write", &[], key!("Writes"), key!("Wrote")),
    ("edit", &[], key!("Changes"), key!("Changed")),
    ("document", &[], key!("Makes the document"), key!("Made the document")),
    ("convert", &[], key!("Converts"), key!("Converted")),
    ("chart", &[], key!("Draws the chart"), key!("Drew the chart")),
    ("glob", &[], key!("Looks for files"), key!("Looked for files")),
    ("grep", &[], key!("Looks in files for"), key!("Looked in files for")),
    ("diagnostics", &[], key!("Checks code"), key!("Checked code")),
    ("symbols", &["outline"], key!("Looks at the outline of"), key!("Looked at the outline of")),
    ("symbols", &[], key!("Looks in code for"), key!("Looked in code for")),
    ("files", &["copy"], key!("Makes a copy of"), key!("Made a copy of")),
    ("files", &["move"], key!("Moves"), key!("Moved")),
    ("files", &["delete"], key!("Takes away"), key!("Took away")),
    ("files", &["restore"], key!("Restores"), key!("Restored")),
    ("files", &["mkdir"], key!("Makes the folder"), key!("Made the folder")),
    ("files", &["touch"], key!("Makes the file"), key!("Made the file")),
    ("files", &["versions"], key!("Looks at the versions of"), key!("Looked at the versions of")),
    ("files", &["diff"], key!("Compares"), key!("Compared")),
    ("files", &[], key!("Looks at files"), key!("Looked at files")),
    ("terminal", &["output"], key!("Reads what a command said"), key!("Read what a command said")),
    ("terminal", &["input"], key!("Types into a command"), key!("Typed into a command")),
    ("terminal", &["stop"], key!("Stops a command"), key!("Stopped a command")),
    ("terminal", &["list"], key!("Looks at its commands"), key!("Looked at its commands")),
    ("terminal", &[], key!("Runs the command"), key!("Ran the command")),
    ("context_search", &[], key!("Looks up"), key!("Looked up")),
    ("memory", &["write"], key!("Remembers something"), key!("Remembered something")),
    ("memory", &["forget"], key!("Forgets something"), key!("Forgot something")),
    ("memory", &[], key!("Looks in its memory"), key!("Looked in its memory")),
    ("set_context", &[], key!("Notes keys of your context"), key!("Noted keys of your context")),
    ("list_skills", &[], key!("Looks at its skills"), key!("Looked at its skills")),
    ("get_skill", &[], key!("Reads the skill"), key!("Read the skill")),
    ("skill_write", &[], key!("Proposes the skill"), key!("Proposed the skill")),
    ("schedule", &["create"], key!("Makes the schedule"), key!("Made the schedule")),
    ("schedule", &["delete"], key!("Deletes a schedule"), key!("Deleted a schedule")),
    ("schedule", &[], key!("Looks at its schedules"), key!("Looked at its schedules")),
    ("ask_user", &[], key!("Asks you"), key!("Asked you")),
    ("notify", &[], key!("Notifies you"), key!("Notified you")),
    ("todo", &["list"], key!("Looks at the tasks"), key!("Looked at the tasks")),
    ("todo", &[], key!("Changes the tasks"), key!("Changed the tasks")),
    ("agent_spawn", &[], key!("Makes a sub-agent"), key!("Made a sub-agent")),
    ("agent_ask", &[], key!("Asks other agents"), key!("Asked other agents")),
    ("agent_wait", &[], key!("Waits for other agents"), key!("Waited for other agents")),
    ("agent_result", &[], key!("Reads on in an answer"), key!("Read on in an answer")),
    ("agent_send", &[], key!("Tells an agent more"), key!("Told an agent more")),
    ("agent_stop", &[], key!("Stops an agent"), key!("Stopped an agent")),
    ("agent_list", &[], key!("Looks at the other agents"), key!("Looked at the other agents")),
    ("pipeline_create", &[], key!("Makes the pipeline"), key!("Made the pipeline")),
    ("pipeline_status", &[], key!("Looks at its pipelines"), key!("Looked at its pipelines")),
    ("pipeline_cancel", &[], key!("Stops a pipeline"), key!("Stopped a pipeline")),
    ("external_job", &["start"], key!("Starts a job elsewhere"), key!("Started a job elsewhere")),
    ("external_job", &["cancel"], key!("Cancels a job elsewhere"), key!("Cancelled a job elsewhere")),
    ("external_job", &[], key!("Looks at jobs elsewhere"), key!("Looked at jobs elsewhere")),
    ("publish_topic", &[], key!("Publishes under a topic"), key!("Published under a topic")),
    ("subscribe_topic", &[], key!("Subscribes to a topic"), key!("Subscribed to a topic")),
    ("unsubscribe_topic", &[], key!("Leaves a topic"), key!("Left a topic")),
    ("list_topics", &[], key!("Looks at topics"), key!("Looked at topics")),
    ("update_self", &[], key!("Changes its instructions"), key!("Changed its instructions")),
    ("web_search", &[], key!("Searches the web for"), key!("Searched the web for")),
    ("research_topic", &[], key!("Researches"), key!("Researched")),
    ("fetch", &[], key!("Fetches"), key!("Fetched")),
    ("weather", &[], key!("Looks up the weather"), key!("Looked up the weather")),
    ("exchange_rates", &[], key!("Looks up exchange rates"), key!("Looked up exchange rates")),
    ("list_tools", &[], key!("Looks at its tools"), key!("Looked at its tools")),
    ("tool_search", &[], key!("Looks for tools"), key!("Looked for tools")),
    ("create_tool", &[], key!("Makes the tool"), key!("Made the tool")),
    ("delete_tool", &[], key!("Takes away the tool"), key!("Took away the tool")),
    ("agent_respond", &[], key!("Answers its page"), key!("Answered its page")),
    ("view_state", &[], key!("Offers a view of its page"), key!("Offered a view of its page")),
    ("audit_log", &[], key!("Looks at its calls"), key!("Looked at its calls")),
];

/// `None` for a tool of somebody else's, whose name says most.
pub fn verb(tool: &str, action: Option<&str>, is_done: bool) -> Option<&'static str> {
    let is_meant = |actions: &[&str]| actions.is_empty() || action.is_some_and(|it| actions.contains(&it));
    let words = WORDS.iter().find(|&&(name, actions, ..)| name == tool && is_meant(actions));
    words.map(|&(.., doing, done)| t(if is_done { done } else { doing }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_told_by_what_it_does_and_whether_it_is_done() {
        for (tool, action, is_done, words) in [
            ("dom", Some("create"), false, Some("Draws the page")),
            ("dom", Some("create"), true, Some("Drew the page")),
            ("dom", Some("query"), true, Some("Looked at the page")),
            ("web_search", None, true, Some("Searched the web for")),
            ("files", Some("delete"), true, Some("Took away")),
            ("files", Some("unheard of"), false, Some("Looks at files")),
            ("water_the_moss", None, true, None),
        ] {
            assert_eq!(verb(tool, action, is_done), words, "{tool} {action:?}");
        }
    }
}
