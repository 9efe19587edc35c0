//! Calls of the system that commands cannot make: ways to other processes, to more rights, and to parts of the kernel
//! that namespaces do not cut off. All others they can.

use std::error::Error;

#[cfg(not(target_os = "linux"))]
pub(super) fn refuse(_shared_user: bool) -> Result<(), Box<dyn Error>> {
    Err("commands are confined on Linux only".into())
}

/// `shared_user`: other rooms belong to the same user of the machine, so what the kernel counts for a user they have
/// together.
#[cfg(target_os = "linux")]
pub(super) fn refuse(shared_user: bool) -> Result<(), Box<dyn Error>> {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
    use std::env::consts::ARCH;
    let arch = ARCH.try_into()?;
    let mut refused = vec![(calls::not_permitted()?, libc::EPERM), (calls::not_there(), libc::ENOSYS)];
    if shared_user {
        refused.push((calls::counted_for_a_user(), libc::EMFILE));
    }
    for (rules, error) in refused {
        let refused = SeccompAction::Errno(error.unsigned_abs());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, arch)?;
        apply_filter(&BpfProgram::try_from(filter)?)?;
    }
    #[cfg(target_arch = "x86_64")]
    apply_filter(&calls::other_numbers())?;
    Ok(())
}

#[cfg(target_os = "linux")]
mod calls {
    use seccompiler::{BackendError, SeccompCmpArgLen::Dword, SeccompCmpOp, SeccompCondition, SeccompRule};
    #[cfg(target_arch = "x86_64")]
    use seccompiler::{BpfProgram, sock_filter};
    use std::collections::BTreeMap;

    type Rules = BTreeMap<i64, Vec<SeccompRule>>;

    const NEVER: &[i64] = &[
        // Other processes.
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_kcmp,
        libc::SYS_pidfd_getfd,
        // The kernel's own machinery.
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_keyctl,
        libc::SYS_userfaultfd,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_fanotify_init,
        libc::SYS_memfd_secret,
        libc::SYS_vmsplice,
        // Memory of the kernel's that no process has, so that no limit counts it.
        libc::SYS_msgget,
        libc::SYS_semget,
        libc::SYS_shmget,
        libc::SYS_mq_open,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_kexec_load,
        libc::SYS_syslog,
        // What is mounted, and other namespaces.
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_open_by_handle_at,
        libc::SYS_name_to_handle_at,
        libc::SYS_quotactl,
        libc::SYS_swapon,
        libc::SYS_swapoff,
        libc::SYS_acct,
        // The machine.
        libc::SYS_reboot,
        libc::SYS_vhangup,
        libc::SYS_sethostname,
        libc::SYS_setdomainname,
        libc::SYS_settimeofday,
        libc::SYS_clock_settime,
        libc::SYS_clock_adjtime,
        libc::SYS_adjtimex,
        libc::SYS_mbind,
        libc::SYS_move_pages,
        libc::SYS_migrate_pages,
        libc::SYS_set_mempolicy,
        libc::SYS_get_mempolicy,
    ];
    #[cfg(target_arch = "x86_64")]
    const NEVER_HERE: &[i64] = &[
        libc::SYS_iopl,
        libc::SYS_ioperm,
        libc::SYS_modify_ldt,
        libc::SYS_uselib,
        libc::SYS_kexec_file_load,
    ];
    #[cfg(not(target_arch = "x86_64"))]
    const NEVER_HERE: &[i64] = &[];

    /// New namespaces, one bit each.
    const NAMESPACES: [i32; 8] = [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWCGROUP,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        // CLONE_NEWTIME shares its bit with a signal's number.
        libc::CLONE_PTRACE,
    ];
    /// They type into a terminal as if its person did.
    const TYPING: [u64; 2] = [libc::TIOCSTI, libc::TIOCLINUX];
    /// Kinds of sockets that are no way to the machine or what runs it.
    const SOCKETS: [i32; 4] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

    pub(super) fn not_permitted() -> Result<Rules, BackendError> {
        let mut rules: Rules = NEVER.iter().chain(NEVER_HERE).map(|call| (*call, Vec::new())).collect();
        let bit =
            |flag: i32| is(0, SeccompCmpOp::MaskedEq(flag.unsigned_abs().into()), flag.unsigned_abs().into());
        let namespaces = NAMESPACES.into_iter().map(|flag| SeccompRule::new(vec![bit(flag)?]));
        rules.insert(libc::SYS_clone, namespaces.collect::<Result<_, _>>()?);
        let typing = TYPING.into_iter().map(|call| SeccompRule::new(vec![is(1, SeccompCmpOp::Eq, call)?]));
        rules.insert(libc::SYS_ioctl, typing.collect::<Result<_, _>>()?);
        let other = SOCKETS.into_iter().map(|kind| is(0, SeccompCmpOp::Ne, kind.unsigned_abs().into()));
        // What Node asks which addresses the machine has.
        let netlink = vec![
            is(0, SeccompCmpOp::Eq, libc::AF_NETLINK.unsigned_abs().into())?,
            is(2, SeccompCmpOp::Ne, 0)?,
        ];
        let sockets = vec![SeccompRule::new(other.collect::<Result<_, _>>()?)?, SeccompRule::new(netlink)?];
        rules.insert(libc::SYS_socket, sockets);
        let pair = vec![is(0, SeccompCmpOp::Ne, libc::AF_UNIX.unsigned_abs().into())?];
        rules.insert(libc::SYS_socketpair, vec![SeccompRule::new(pair)?]);
        let persona = vec![is(0, SeccompCmpOp::Ne, 0)?, is(0, SeccompCmpOp::Ne, u32::MAX.into())?];
        rules.insert(libc::SYS_personality, vec![SeccompRule::new(persona)?]);
        Ok(rules)
    }

    /// Said not to be there, so that libraries take the older call, whose arguments can be looked at.
    pub(super) fn not_there() -> Rules {
        let newer = [
            libc::SYS_clone3,
            libc::SYS_open_tree,
            libc::SYS_move_mount,
            libc::SYS_fsopen,
            libc::SYS_fsconfig,
            libc::SYS_fsmount,
            libc::SYS_fspick,
            libc::SYS_mount_setattr,
            // A file that is in no folder, whose memory nobody counts.
            libc::SYS_memfd_create,
        ];
        newer.into_iter().map(|call| (call, Vec::new())).collect()
    }

    /// Watches of files: who takes all that a user may have leaves none for others. Programs look again and again then.
    pub(super) fn counted_for_a_user() -> Rules {
        #[cfg(target_arch = "x86_64")]
        const WATCHES: &[i64] = &[libc::SYS_inotify_init, libc::SYS_inotify_init1];
        #[cfg(not(target_arch = "x86_64"))]
        const WATCHES: &[i64] = &[libc::SYS_inotify_init1];
        WATCHES.iter().map(|call| (*call, Vec::new())).collect()
    }

    /// The same calls have other numbers under the ABI called x32, which filters by number do not see.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn other_numbers() -> BpfProgram {
        const X32: u32 = 0x4000_0000;
        let allow = 0x7fff_0000;
        let not_there = 0x0005_0000 | libc::ENOSYS.unsigned_abs();
        // Load the number; from X32 on the next, else the last.
        [(0x20, 0, 0, 0), (0x35, 0, 1, X32), (0x06, 0, 0, not_there), (0x06, 0, 0, allow)]
            .map(|(code, jt, jf, k)| sock_filter { code, jt, jf, k })
            .to_vec()
    }

    fn is(argument: u8, how: SeccompCmpOp, value: u64) -> Result<SeccompCondition, BackendError> {
        SeccompCondition::new(argument, Dword, how, value)
    }
}
