//! What a call changed in a file on a device: the difference, and where that is. Nothing there brings back what was.

use super::answer;
use super::file_change::CHANGES_FILES;
use crate::prelude::*;
use crate::ui::Diff;
use serde::Deserialize;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct ChangedOnDevice {
    path: String,
    device: String,
    #[serde(default)]
    diff: String,
}

impl ChangedOnDevice {
    /// None: the call changed no such file.
    pub(super) fn of(tool: &str, result: &str) -> Option<Self> {
        if !CHANGES_FILES.contains(&tool) {
            return None;
        }
        answer::read(result)
    }
}

#[component]
pub(super) fn DeviceChange(changed: ChangedOnDevice) -> impl IntoView {
    let ChangedOnDevice { path, device, diff } = changed;
    let shown = (!diff.is_empty()).then(|| view! { <Diff text=diff/> });
    view! {
        <div class="file-change">
            {shown}
            <p class="field-hint">{say!("{path} is on {device}, where nothing keeps versions.")}</p>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_call_that_changed_a_file_on_a_device_shows_one() {
        let result =
            r#"{"ok":true,"path":"/opfs/a.md","device":"Firefox on Linux","bytes":2,"diff":"-a\n+b"}"#;
        let changed = ChangedOnDevice {
            path: "/opfs/a.md".to_owned(),
            device: "Firefox on Linux".to_owned(),
            diff: "-a\n+b".to_owned(),
        };
        assert_eq!(ChangedOnDevice::of("edit", result), Some(changed.clone()));
        let hooked = format!("{result}\n\nA hook says so.");
        assert_eq!(ChangedOnDevice::of("edit", &hooked), Some(changed));
        for (tool, result) in [
            ("state", result),
            ("edit", r#"{"ok":true,"path":"/agent/a.md","version":3}"#),
            ("write", "There is nothing at /opfs/a."),
        ] {
            assert_eq!(ChangedOnDevice::of(tool, result), None, "{tool} {result}");
        }
    }
}
