//! What commands try that do not stay in their room. Each is tried for real.

mod marks_of_files;
mod neighbours;

use super::Scene;
use crate::world::{World, on_postgres, on_sqlite};
use hub::FileListing;
use serde_json::{Value, json};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};

/// What comes of an attempt.
enum Outcome {
    /// It says so itself: the output is this.
    Says(&'static str),
    /// The command is ended, with these words among what is told.
    Ended(&'static str),
}
use Outcome::{Ended, Says};

/// Makes a call of the system by its number, and says what the kernel answers.
const CALL: &str = "import ctypes,os,sys
libc=ctypes.CDLL(None,use_errno=True)
def call(*a):
    r=libc.syscall(*a); print(os.strerror(ctypes.get_errno()) if r<0 else 'DONE')
";
const REFUSED: Outcome = Says("Operation not permitted\n");

/// Calls that lead out of a room: name, and numbers of x86-64 with arguments.
#[cfg(target_arch = "x86_64")]
const CALLS: [(&str, &str); 30] = [
    ("ptrace of the first process", "101,16,1,0,0"),
    ("process_vm_readv of the first process", "310,1,0,0,0,0,0"),
    ("kcmp", "312,1,1,0,0,0"),
    ("io_uring", "425,1,0"),
    ("a key left in the kernel", "248,b'user',b'a',b'b',1,-2"),
    ("keyctl", "250,0,-3,1"),
    ("userfaultfd", "323,0"),
    ("bpf", "321,0,0,0"),
    ("perf_event_open", "298,0,0,-1,-1,0"),
    ("fanotify", "300,0,0"),
    ("memfd_secret", "447,0"),
    ("a queue in the kernel", "68,0,0o1600"),
    ("a queue with a name", "240,b'a',0o102,0o600,0"),
    ("semaphores in the kernel", "64,0,1000,0o1600"),
    ("memory that no process has", "29,0,4096,0o1600"),
    ("mount", "165,0,b'/tmp',b'tmpfs',0,0"),
    ("umount", "166,b'/proc',2"),
    ("pivot_root", "155,b'/tmp',b'/tmp'"),
    ("chroot", "161,b'/tmp'"),
    ("unshare of users", "272,0x10000000"),
    ("unshare of mounts", "272,0x20000"),
    ("setns", "308,0,0"),
    ("clone into new users", "56,0x10000011,0,0,0,0"),
    ("open_by_handle_at", "304,-100,0,0"),
    ("personality that fixes addresses", "135,0x40000"),
    ("a module", "175,0,0,0"),
    ("kexec", "246,0,0,0,0"),
    ("reboot", "169,0,0,0,0"),
    ("the clock", "227,0,0"),
    ("sethostname", "170,b'a',1"),
];
#[cfg(target_arch = "x86_64")]
const NOT_THERE: [(&str, &str); 7] = [
    ("clone3", "435,0,0"),
    ("open_tree", "428,-100,b'/',0"),
    ("fsopen", "430,b'tmpfs',0"),
    ("move_mount", "429,0,0,0,0,0"),
    ("mount_setattr", "442,-100,b'/',0,0,0"),
    ("a file in memory alone", "319,b'a',0"),
    ("the other numbers of x32", "0x40000000+39"),
];

/// Name, command, and what comes of it.
const ATTEMPTS: [(&str, &str, Outcome); 41] = [
    // Files of the machine and of the hub.
    ("the hub's data", "ls /work /root /home /var /srv /opt /mnt 2>/dev/null | wc -l", Says("0\n")),
    ("a way up", "cat ../../../../etc/shadow 2>/dev/null || echo no", Says("no\n")),
    (
        "the root of the first process",
        "ls /proc/1/root/work /proc/1/cwd/work 2>/dev/null || echo no",
        Says("no\n"),
    ),
    ("people of the machine", "wc -l < /etc/passwd", Says("1\n")),
    ("its own settings", "(echo x >> /etc/passwd) 2>/dev/null || echo no", Says("no\n")),
    ("programs of the machine", "touch /usr/bin/x 2>/dev/null || echo no", Says("no\n")),
    ("links of the root", "rm /bin 2>/dev/null || echo no", Says("no\n")),
    ("new folders at the root", "mkdir /x 2>/dev/null || echo no", Says("no\n")),
    ("uploads", "touch /uploads/x 2>/dev/null || echo no", Says("no\n")),
    ("skills", "touch /skills/x 2>/dev/null || echo no", Says("no\n")),
    ("memory behind /dev", "touch /dev/x 2>/dev/null || echo no", Says("no\n")),
    ("the program in the room", "(echo x > /run/vivarium) 2>/dev/null || echo no", Says("no\n")),
    ("disks", "ls /dev | grep -cE '^(sd|vd|nvme|mem|kmem|kvm)'", Says("0\n")),
    ("a device", "mknod d b 8 0 2>/dev/null || echo no", Says("no\n")),
    (
        "settings of the kernel",
        "(echo x > /proc/sys/kernel/core_pattern) 2>/dev/null || echo no",
        Says("no\n"),
    ),
    ("sysrq", "(echo b > /proc/sysrq-trigger) 2>/dev/null || echo no", Says("no\n")),
    ("the kernel's tree", "ls /sys 2>/dev/null | wc -l", Says("0\n")),
    ("control groups", "ls /sys/fs/cgroup 2>/dev/null | wc -l", Says("0\n")),
    // What the hub knows.
    (
        "variables of the hub",
        "env | grep -v ^GIT_CONFIG_KEY_0= | grep -ciE 'vivarium|database|key|secret|token'",
        Says("0\n"),
    ),
    (
        "variables of the first process",
        "tr '\\0' '\\n' < /proc/1/environ 2>/dev/null | grep -ciE 'vivarium_|database|secret'",
        Says("0\n"),
    ),
    ("descriptors that were left open", "ls /proc/self/fd | wc -l", Says("4\n")),
    ("processes of the machine", "ls /proc | grep -cE '^[0-9]{3,}$'", Says("0\n")),
    ("a process of the hub", "kill -9 $(seq 100 4000) 2>/dev/null; echo alive", Says("alive\n")),
    (
        "a first process with more rights",
        "readlink /proc/1/exe; grep Seccomp: /proc/1/status | cut -f2",
        Says("/usr/bin/bash\n2\n"),
    ),
    // Rights.
    (
        "capabilities",
        "grep -E 'CapEff|CapBnd|CapPrm' /proc/self/status | grep -vc 0000000000000000",
        Says("0\n"),
    ),
    ("new rights", "grep NoNewPrivs /proc/self/status | cut -f2", Says("1\n")),
    ("another user", "chown 0 . 2>/dev/null || echo no", Says("no\n")),
    ("bounds lifted again", "ulimit -n 100000 2>/dev/null || echo no", Says("no\n")),
    ("giving less way", "nice -n -20 true 2>/dev/null; nice", Says("10\n")),
    // The network.
    ("an address", "timeout 2 bash -c 'exec 3<>/dev/tcp/1.1.1.1/80' 2>/dev/null || echo no", Says("no\n")),
    (
        "the hub on loopback",
        "for p in 22 80 3000 5432; do (exec 3<>/dev/tcp/127.0.0.1/$p) 2>/dev/null && echo $p; done; echo no",
        Says("no\n"),
    ),
    ("names", "getent hosts example.com || echo no", Says("no\n")),
    ("sockets of the machine", "ls /run /var/run 2>/dev/null | grep -v vivarium | wc -l", Says("1\n")),
    ("network devices", "grep -c : /proc/net/dev", Says("1\n")),
    // More than there is.
    (
        "a file without end",
        "exec 2>/dev/null; head -c 400M /dev/zero > big; stat -c %s big",
        Says("268435456\n"),
    ),
    ("a fork bomb", "bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 1; echo alive", Says("alive\n")),
    ("memory of one process", "python3 -c 'a=bytearray(3<<30)' 2>&1 | tail -1", Says("MemoryError\n")),
    (
        "memory of many",
        "for i in 1 2 3 4 5; do python3 -c 'import time; a=b\"x\"*(400<<20); time.sleep(30)' & done; wait",
        Ended("more than 1 GB of memory"),
    ),
    (
        "a full disk",
        "for i in 1 2 3 4; do head -c 250M /dev/zero > /tmp/$i; done; sleep 30",
        Ended("more than 512 MB of disk"),
    ),
    (
        "files without number",
        "mkdir d; cd d; seq 70000 | xargs touch; sleep 30",
        Ended("more than 60,000 files"),
    ),
    (
        "folders without end",
        "python3 -c 'import os\nfor i in range(3000): os.mkdir(\"d\"); os.chdir(\"d\")'; sleep 30",
        Ended("deeper than 64"),
    ),
];

#[tokio::test]
async fn no_command_gets_out_of_its_room_or_takes_more_than_it_may_have() {
    on_postgres(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let mut got_out = Vec::new();
        for (name, command, outcome) in &ATTEMPTS {
            let [told] = scene.run(&scoped, [command]).await;
            let is_contained = match outcome {
                Says(expected) => told["output"] == *expected,
                Ended(expected) => told["ended"].as_str().unwrap_or_default().contains(expected),
            };
            if !is_contained {
                got_out.push(format!("{name}: {told}"));
            }
        }
        assert!(got_out.is_empty(), "{}", got_out.join("\n"));
    })
    .await;
}

#[cfg(target_arch = "x86_64")]
#[tokio::test]
async fn calls_of_the_system_that_lead_out_are_refused() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let script = |calls: &[(&str, &str)]| {
            let lines: Vec<String> = calls.iter().map(|(_, call)| format!("call({call})")).collect();
            format!("python3 - <<'END'\n{CALL}{}\nEND", lines.join("\n"))
        };
        let sockets = "import socket\n\
            for kind in [(40, 1), (38, 5), (17, 3), (2, 3, 1), (16, 3, 9)]:\n    \
            try: socket.socket(*kind); print('DONE', kind)\n    \
            except OSError as error: print(error.strerror)";
        let [refused, not_there, sockets, typing]: [Value; 4] = scene
            .run(
                &scoped,
                [
                    &script(&CALLS),
                    &script(&NOT_THERE),
                    &format!("python3 - <<'END'\n{sockets}\nEND"),
                    "python3 -c 'import fcntl; fcntl.ioctl(0, 0x5412, b\"x\")' 2>&1 | tail -1",
                ],
            )
            .await;
        let Says(expected) = REFUSED else { panic!("it says so") };
        for (told, calls, expected) in
            [(refused, &CALLS[..], expected), (not_there, &NOT_THERE[..], "Function not implemented\n")]
        {
            let output = told["output"].as_str().unwrap();
            assert_eq!(output.lines().count(), calls.len(), "{told}");
            for ((name, _), line) in calls.iter().zip(output.lines()) {
                assert_eq!(format!("{line}\n"), expected, "{name}");
            }
        }
        assert_eq!(sockets["output"], "Operation not permitted\n".repeat(5));
        assert_eq!(typing["output"], "PermissionError: [Errno 1] Operation not permitted\n");
    })
    .await;
}

/// Asks who it is, as a program of 32 bits does, in a process that this one then waits for.
#[cfg(target_arch = "x86_64")]
const OF_32_BITS: &str = r"import ctypes, mmap, os
page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
page.write(b'\xb8\x14\0\0\0\xcd\x80\xc3')
code = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
child = os.fork()
if child == 0:
    code(); os._exit(0)
print('ended' if os.WIFSIGNALED(os.waitpid(child, 0)[1]) else 'DONE')";

#[cfg(target_arch = "x86_64")]
#[tokio::test]
async fn a_call_of_the_system_as_programs_of_32_bits_make_it_ends_its_process() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let [told] = scene.run(&scoped, [&format!("python3 - <<'END'\n{OF_32_BITS}\nEND")]).await;
        assert_eq!(told["output"], "ended\n", "{told}");
    })
    .await;
}

#[tokio::test]
async fn nothing_of_a_command_outlives_it_or_reaches_another_room() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let [left, found] = scene
            .run(
                &scoped,
                [
                    "(trap '' TERM HUP; setsid sh -c 'while :; do echo x >> /agent/late; sleep 0.1; done') >/dev/null 2>&1 & \
                     echo moss > /tmp/left; echo moss > /dev/shm/left; sleep 0.3; echo left",
                    "ls /tmp /dev/shm; ps ax 2>/dev/null | grep -c 'echo x'; echo end",
                ],
            )
            .await;
        assert_eq!(left["output"], "left\n");
        assert!(found["output"].as_str().unwrap().ends_with("end\n"), "{found}");
        assert!(!found["output"].as_str().unwrap().contains("left"), "{found}");
        let bytes = scoped.files().read(&scene.agent.id, "late").await.unwrap();
        let [later] = scene.run(&scoped, ["sleep 0.5; wc -c < late"]).await;
        assert_eq!(later["output"], format!("{}\n", bytes.len()));
    })
    .await;
}

/// What a job tries with what is looked at while it runs: command, and files that come of it.
const TRICKS: [(&str, &str, &[&str]); 6] = [
    ("a link to a file of the machine", "ln -s /etc/shadow shadow", &[]),
    ("a link to a folder of the machine", "ln -s / root", &[]),
    ("a link out of its files", "ln -s /tmp out; echo x > /tmp/x", &[]),
    ("a pipe that nobody writes to", "mkfifo pipe", &[]),
    ("a socket", "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"socket\")'", &[]),
    (
        "a hard link to what it may not change",
        "ln /uploads/* /usr/bin/bash . 2>/dev/null; echo x > own",
        &["own"],
    ),
];

#[tokio::test]
async fn a_look_at_a_job_that_plays_tricks_brings_nothing_of_the_machine_and_waits_for_nothing() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let mut expected = Vec::new();
        for (name, command, files) in TRICKS {
            let swap = "while :; do mv a b; ln -sfn /etc a; rm -f a; mv b a; done 2>/dev/null &";
            let command = format!("mkdir -p a; echo x > a/passwd; {command}; {swap} echo {name}; wait");
            let job = scene.begin_job(&scoped, &command).await;
            let look = json!({ "action": "output", "job": job, "wait_s": 60 });
            assert_eq!(scene.told(&scoped, look.clone()).await["output"], format!("{name}\n"));
            for _ in 0..3 {
                scene.told(&scoped, json!({ "action": "output", "job": job })).await;
            }
            scene.told(&scoped, json!({ "action": "stop", "job": job })).await;
            expected.extend(files.iter().map(|file| (*file).to_owned()));
        }
        for file in scoped.files().list(&scene.agent.id, &FileListing::default()).await.unwrap() {
            let bytes = scoped.files().read(&scene.agent.id, &file.path).await.unwrap();
            assert_eq!(bytes, b"x\n", "{}", file.path);
            let is_own = file.path.ends_with("/passwd") || expected.contains(&file.path);
            assert!(is_own, "{}", file.path);
        }
    })
    .await;
}

#[tokio::test]
async fn a_socket_of_the_machine_without_a_path_is_not_there_in_a_room() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let name = format!("vivarium-test-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let _listener = UnixListener::bind_addr(&address).unwrap();
        UnixStream::connect_addr(&address).expect("outside of a room it is there");
        let connect = format!(
            "python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"\\0{name}\")' 2>&1 | tail -1"
        );
        let [told] = scene.run(&scoped, [connect.as_str()]).await;
        assert_eq!(told["output"], "ConnectionRefusedError: [Errno 111] Connection refused\n", "{told}");
    })
    .await;
}

#[tokio::test]
async fn an_agent_whose_command_made_folders_without_end_is_deleted_like_any() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let dig =
            "python3 -c 'import os\nfor _ in range(100000): os.mkdir(\"d\"); os.chdir(\"d\")'; sleep 60";
        let [told] = scene.run(&scoped, [dig]).await;
        assert!(told["ended"].as_str().unwrap_or_default().contains("deeper than 64"), "{told}");
        let [after] = scene.run(&scoped, ["ls | wc -l"]).await;
        assert_eq!(after["output"], "0\n", "{after}");
        scoped.agents().delete(&scene.agent.id).await.unwrap();
    })
    .await;
}
