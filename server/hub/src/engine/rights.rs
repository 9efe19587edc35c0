//! What the child may still do once it has read its command: compute, and write its answer. Whoever gets
//! hold of it through a fault in the interpreter has nothing more than that either.

use rustix::process::{Resource, Rlimit, setrlimit};
use std::error::Error;

/// Processor time, in seconds: the end of a script that outlives the hub.
const SECONDS: u64 = 10;
/// Address space, in bytes. The program itself counts, too.
const MEMORY: u64 = 1024 * 1024 * 1024;

/// What the process may have of each. With no file number left it opens neither file nor socket, and
/// it reads and writes only the pipes that it came with.
const LIMITS: [(Resource, u64); 5] = [
    (Resource::Nofile, 0),
    (Resource::Fsize, 0),
    (Resource::Core, 0),
    (Resource::Cpu, SECONDS),
    (Resource::As, MEMORY),
];

/// Takes them away from this process, for good.
pub fn give_up() -> Result<(), Box<dyn Error>> {
    for (resource, most) in LIMITS {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    #[cfg(target_os = "linux")]
    calls::restrict()?;
    Ok(())
}

/// Limits say nothing of another process's memory, for which no file is needed.
#[cfg(target_os = "linux")]
mod calls {
    use seccompiler::{
        BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule, apply_filter_all_threads,
    };
    use std::env::consts::ARCH;

    /// Calls of the system that are left: of its own memory, its pipes, the time, chance, and its end. Every
    /// other one fails as not permitted.
    const LEFT: [i64; 18] = [
        libc::SYS_read,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_close,
        libc::SYS_brk,
        libc::SYS_mremap,
        libc::SYS_munmap,
        libc::SYS_madvise,
        libc::SYS_futex,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_clock_gettime,
        libc::SYS_getrandom,
        libc::SYS_sched_yield,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];

    /// The same for memory that holds no code: the third argument of these says what the memory is for.
    const WITHOUT_CODE: [i64; 2] = [libc::SYS_mmap, libc::SYS_mprotect];
    const PURPOSE: u8 = 2;

    pub(super) fn restrict() -> Result<(), Error> {
        let not_permitted = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let code = libc::PROT_EXEC.unsigned_abs().into();
        let holds_no_code =
            SeccompCondition::new(PURPOSE, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(code), 0)?;
        let always = LEFT.into_iter().map(|call| (call, Vec::new()));
        let without_code = WITHOUT_CODE
            .into_iter()
            .map(|call| SeccompRule::new(vec![holds_no_code.clone()]).map(|rule| (call, vec![rule])));
        let rules = always.map(Ok).chain(without_code).collect::<Result<_, _>>()?;
        let filter = SeccompFilter::new(rules, not_permitted, SeccompAction::Allow, ARCH.try_into()?)?;
        apply_filter_all_threads(&BpfProgram::try_from(filter)?)
    }
}
