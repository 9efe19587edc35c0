//! The process's memory: whose eyes it is for, and what becomes of it when it is not needed any more.

/// Keys are in it: no other process of the same user may look into it, and no dump of it is left behind.
pub fn keep_private() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        set_dumpable_behavior(DumpableBehavior::NotDumpable).expect("a process may always say so of itself");
    }
}

/// Large pieces go back to the system when they are let go. The C library would take the first of them for
/// the usual size, and keep what is smaller than the largest that it has seen.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Bytes that are no large piece; the C library's own beginning.
        const LARGE: libc::c_int = 128 * 1024;
        for setting in [libc::M_MMAP_THRESHOLD, libc::M_TRIM_THRESHOLD] {
            #[expect(unsafe_code, reason = "nobody offers it otherwise")]
            // SAFETY: there are no threads yet, and a number that it does not like it leaves aside.
            unsafe {
                libc::mallopt(setting, LARGE);
            }
        }
    }
}
