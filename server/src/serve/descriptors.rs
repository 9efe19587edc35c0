//! File descriptors: what every connection, file and database takes one of.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// More than this the hub has no use for.
const MAX_DESCRIPTORS: u64 = 65_536;
/// What some systems let one process have, whatever they say that it may.
const CAUTIOUS: u64 = 10_240;
/// With fewer a busy household can run out of them.
const MIN_DESCRIPTORS: u64 = 4_096;

/// Takes as many as the system lets this process have, and gives their number.
pub(super) fn raise() -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let granted = current.unwrap_or(u64::MAX);
    let allowed = maximum.unwrap_or(u64::MAX).min(MAX_DESCRIPTORS);
    let raised = [allowed, allowed.min(CAUTIOUS)].into_iter().find(|wanted| {
        *wanted > granted && setrlimit(Resource::Nofile, Rlimit { current: Some(*wanted), maximum }).is_ok()
    });
    let have = raised.unwrap_or(granted);
    if have < MIN_DESCRIPTORS {
        tracing::warn!(
            "{have} file descriptors are few: connections are refused when they are used up. Let the service have more (LimitNOFILE, ulimit -n)."
        );
    } else {
        tracing::info!("{have} file descriptors");
    }
    usize::try_from(have).unwrap_or(usize::MAX)
}
