//! Lists the migrations, and puts the script of the engine together: below its `host.js`, what the page itself is made of.

mod migrations;

use join::Host;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

const HOST: &str = "src/engine/host.js";
const SKIN: &str = "../../sandbox/page/skin";

/// What of the page an engine runs, with all that these import.
const MODULES: &[&str] = &["console.js", "runjs.js", "state.js", "flo.js"];

/// What of the page needs a browser.
const HOST_STANDS_FOR: &[&str] =
    &["elements.js", "made.js", "port.js", "pristine.js", "problems.js", "services.js"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build");
    let host = read(Path::new(HOST))?;
    let host = Host { text: &host, stands_for: HOST_STANDS_FOR };
    let script = join::join(MODULES, host, &|path| read(&Path::new(SKIN).join(path)))?;
    let made = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(made.join("engine.js"), script)?;
    fs::write(made.join("migrations.rs"), migrations::list()?)?;
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    println!("cargo::rerun-if-changed={}", path.display());
    fs::read_to_string(path).map_err(|error| error.to_string())
}
