//! What `deploy/package.sh` makes of the program: one file that runs from any folder, a Debian package, and a
//! container's steps.

use crate::assets::{built, compressed_and_kept};
use crate::live::agent;
use crate::parked::finished;
use crate::world::{Endpoint, PASSWORD, PROGRAM, Program, Who, session_cookie};
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const SETTING: &str = "VIVARIUM_PERSON_REQUESTS=3\n";

#[tokio::test]
async fn each_package_has_a_program_that_brings_its_pages_along() {
    let packages = Packages::make();

    let unpacked = packages.unpacked();
    compressed_and_kept(&Program::start_other(&unpacked.join("vivarium"), &[])).await;
    let listed = done(Command::new("python3").args(["-m", "zipfile", "-l"]).arg(unpacked.join("vivarium")));
    assert!(listed.contains("pkg/vivarium.wasm.br"), "{listed}");

    let machine = TempDir::new().unwrap();
    let settings = machine.path().join("etc/vivarium/vivarium.env");
    packages.install(machine.path());
    assert_eq!(fs::metadata(&settings).unwrap().permissions().mode() & 0o777, 0o600);
    let unit = fs::read_to_string(machine.path().join("usr/lib/systemd/system/vivarium.service")).unwrap();
    assert!(unit.contains("\nExecStart=/usr/bin/vivarium serve\n"), "{unit}");
    assert!(machine.path().join("usr/share/doc/vivarium/terminal.conf").is_file());
    compressed_and_kept(&Program::start_other(&machine.path().join("usr/bin/vivarium"), &[])).await;
    // What was set stays: when it is installed again, and when it is taken away.
    fs::write(&settings, SETTING).unwrap();
    packages.install(machine.path());
    assert_eq!(fs::read_to_string(&settings).unwrap(), SETTING);
    packages.dpkg(machine.path(), &["--remove", "vivarium"]);
    assert!(!machine.path().join("usr/bin/vivarium").exists());
    assert_eq!(fs::read_to_string(&settings).unwrap(), SETTING);

    let contained = contained(&unpacked);
    has_a_first_agent(&contained).await;
    compressed_and_kept(&contained).await;
}

/// The link that it wrote down makes the first account, and an agent of that answers.
async fn has_a_first_agent(program: &Program) {
    let endpoint = Endpoint::start();
    let link = fs::read_to_string(program.folder.path().join("var/lib/vivarium/setup-link")).unwrap();
    let set_up = json!({ "code": link.trim().rsplit('/').next(), "name": "root", "password": PASSWORD });
    let stranger = program.stranger();
    let answer = stranger.post("/api/account/set_up", &set_up).await;
    let Some(cookie) = session_cookie(answer.headers()) else {
        panic!("whoever sets it up is signed in: {:?}", answer.text().await)
    };
    let root = stranger.with(Who::Cookie(cookie));
    let agent = agent(&root, &endpoint).await;
    root.call("/api/agents/send", &json!({ "agent": agent, "text": "script: tools" })).await;
    let log = finished(&root, &agent, 1).await;
    assert!(log.iter().any(|body| body["outcome"]["type"] == "completed"), "{log:?}");
}

#[test]
fn a_program_is_packed_once_with_a_site_and_into_no_file_that_is_there() {
    let (site, folder) = (built("one"), TempDir::new().unwrap());
    let (packed, nothing) = (folder.path().join("packed"), TempDir::new().unwrap());
    let pack = |program: &Path, site: &Path, to: &Path| {
        Command::new(program).arg("pack").arg(to).arg("--site").arg(site).output().unwrap()
    };
    let told = |output: Output| {
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let program = Path::new(PROGRAM);
    assert!(told(pack(program, nothing.path(), &packed)).contains("is no site"));
    assert!(!packed.exists());
    assert!(pack(program, site.path(), &packed).status.success());
    assert!(told(pack(program, site.path(), &packed)).contains("File exists"));
    assert!(
        told(pack(&packed, site.path(), &folder.path().join("again"))).contains("carries a site already")
    );
}

/// All that is made, of the program as tests have it and a small site.
struct Packages(TempDir);

impl Packages {
    fn make() -> Self {
        let (site, folder) = (built("one"), TempDir::new().unwrap());
        let program = folder.path().join("vivarium");
        done(Command::new("strip").arg("-o").arg(&program).arg(PROGRAM));
        let mut make = Command::new(format!("{ROOT}/deploy/package.sh"));
        make.arg(folder.path().join("out")).arg(&program).arg(site.path());
        done(make.env("LEVEL", "1"));
        Self(folder)
    }

    fn only(&self, ending: &str) -> PathBuf {
        let files = fs::read_dir(self.0.path().join("out")).unwrap().map(|file| file.unwrap().path());
        let mut files = files.filter(|file| file.to_str().unwrap().ends_with(ending));
        let only = files.next().unwrap();
        assert_eq!(files.next(), None);
        only
    }

    /// The folder that is in the tar file.
    fn unpacked(&self) -> PathBuf {
        let to = self.0.path().join("unpacked");
        fs::create_dir(&to).unwrap();
        done(Command::new("tar").arg("-xzf").arg(self.only(".tar.gz")).arg("-C").arg(&to));
        fs::read_dir(to).unwrap().next().unwrap().unwrap().path()
    }

    fn install(&self, machine: &Path) {
        let package = self.only(".deb");
        self.dpkg(machine, &["--install", package.to_str().unwrap()]);
    }

    fn dpkg(&self, machine: &Path, arguments: &[&str]) {
        let state = machine.join("var/lib/dpkg");
        fs::create_dir_all(state.join("info")).unwrap();
        fs::create_dir_all(state.join("updates")).unwrap();
        let status = fs::OpenOptions::new().create(true).append(true).open(state.join("status"));
        status.unwrap();
        // What it depends on is of the machine around it, and so is the shell of its scripts.
        let forced = ["--force-depends", "--force-script-chrootless", "--force-confold"];
        done(Command::new("dpkg").arg("--root").arg(machine).args(forced).args(arguments));
    }
}

/// The program of the container: its file's steps are taken in a room that has this machine's Debian in
/// the place of the image.
fn contained(context: &Path) -> Program {
    let layer = TempDir::new().unwrap();
    let file = fs::read_to_string(context.join("Containerfile")).unwrap();
    let (mut environment, mut user, mut folder) = (Vec::new(), String::new(), "/".to_owned());
    let (mut entry, mut arguments) = (Vec::new(), Vec::new());
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let (step, what) = line.split_once(' ').unwrap();
        match step {
            "FROM" => assert!(what.starts_with("debian:"), "{what}"),
            "COPY" => {
                let (from, to) = what.split_once(' ').unwrap();
                let to = layer.path().join(to.trim_start_matches('/'));
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                fs::copy(context.join(from), to).unwrap();
            }
            // The machine's own certificates stand for those that are installed.
            "RUN" if what.contains("apt-get install") => {
                assert!(what.contains(" ca-certificates "), "{what}");
                fs::create_dir_all(layer.path().join("etc")).unwrap();
                done(Command::new("cp").args(["-r", "/etc/ssl"]).arg(layer.path().join("etc")));
            }
            "RUN" => {
                done(room(layer.path()).args(["sh", "-c", what]));
            }
            "ENV" => environment.extend(what.split(' ').map(|pair| pair.split_once('=').unwrap())),
            "USER" => user = what.to_owned(),
            "WORKDIR" => folder = what.to_owned(),
            "VOLUME" => assert_eq!(what, folder),
            "ENTRYPOINT" => entry = serde_json::from_str::<Vec<String>>(what).unwrap(),
            "CMD" => arguments = serde_json::from_str::<Vec<String>>(what).unwrap(),
            "EXPOSE" => assert!(environment.contains(&("VIVARIUM_ADDR", &*format!("0.0.0.0:{what}")))),
            "STOPSIGNAL" => assert_eq!(what, "SIGTERM"),
            other => panic!("{other} is not known here"),
        }
    }
    let (user, group) = user.split_once(':').unwrap();
    let mut command = room(layer.path());
    command.args(["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--chdir", &folder]);
    command
        .args(["setpriv", "--reuid", user, "--regid", group, "--clear-groups"])
        // It finds itself and no other program: none of Rust, and none of Node.
        .args(["env", "PATH=/usr/local/bin"])
        .args(entry)
        .args(arguments);
    // Another port than one that may be taken, which others on the network do not get to.
    command.envs(environment).env("VIVARIUM_ADDR", "127.0.0.1:0");
    let kept = layer.path().join(folder.trim_start_matches('/'));
    Program::start_contained(command, layer, &kept)
}

/// This machine's programs, and of its own all that a layer may write.
fn room(layer: &Path) -> Command {
    for folder in ["usr/local", "var", "etc", "tmp"] {
        fs::create_dir_all(layer.join(folder)).unwrap();
    }
    let mut command = Command::new("bwrap");
    command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
    command.args([
        "--die-with-parent",
        "--unshare-pid",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--ro-bind",
        "/usr",
        "/usr",
    ]);
    for (link, to) in
        [("usr/bin", "/bin"), ("usr/sbin", "/sbin"), ("usr/lib", "/lib"), ("usr/lib64", "/lib64")]
    {
        command.args(["--symlink", link, to]);
    }
    for folder in ["usr/local", "var", "etc", "tmp"] {
        command.arg("--bind").arg(layer.join(folder)).arg(format!("/{folder}"));
    }
    command
}

/// What it said. It has done well.
fn done(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
