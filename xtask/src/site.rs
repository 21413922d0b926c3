//! Builds the WebAssembly and puts the files of the site together.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::page::of_site;
use crate::say;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "site";
/// What the server's page is made of, but for the page itself.
const ASSETS: [&str; 4] = ["app.js", "app.css", "samples.json", "favicon.svg"];
/// What the page is told where nobody has built the front end.
const BUILD: &str = "`npm ci && npm run build` in web/ makes it";

/// Writes the site to this folder.
pub(crate) fn write(out: &Path) -> Result<()> {
    let root = root()?;
    check_versions(&root)?;
    add_target()?;
    let began = Instant::now();
    let built = build(&root)?;
    say(&format!("built in {:.0} s", began.elapsed().as_secs_f64()));
    fs::create_dir_all(out).with_context(|| format!("{} can't be made", out.display()))?;
    bind(&built, out)?;
    let server = root.join("crates/server/assets");
    for name in ASSETS {
        copy(&server, name, out)?;
    }
    copy(&root.join("crates/wasm/assets"), "worker.js", out)?;
    let page = server.join("index.html");
    let page = fs::read_to_string(&page).with_context(|| format!("{}", page.display()))?;
    fs::write(out.join("index.html"), of_site(&page)?)?;
    tell_sizes(out)
}

/// The folder of the project.
fn root() -> Result<PathBuf> {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").context("run it by `cargo xtask`")?;
    let here = PathBuf::from(here);
    Ok(here.parent().context("xtask is in the project's folder")?.to_owned())
}

/// The bindings are read by code of the same version as wrote them, or not at all.
fn check_versions(root: &Path) -> Result<()> {
    let theirs = locked(&fs::read_to_string(root.join("Cargo.lock"))?, "wasm-bindgen");
    let own = fs::read_to_string(root.join("xtask/Cargo.lock"))?;
    let ours = locked(&own, "wasm-bindgen-cli-support");
    ensure!(
        theirs.is_some() && theirs == ours,
        "crates/wasm has wasm-bindgen {theirs:?} and xtask has wasm-bindgen-cli-support {ours:?}: \
         write the same version into both Cargo.toml"
    );
    Ok(())
}

/// The version of a package in the text of a Cargo.lock.
fn locked(lock: &str, package: &str) -> Option<String> {
    let (_, from) = lock.split_once(&format!("name = \"{package}\"\n"))?;
    let line = from.lines().next()?;
    Some(line.strip_prefix("version = \"")?.strip_suffix('"')?.to_owned())
}

/// Adds the target to the toolchain unless it is there.
fn add_target() -> Result<()> {
    let folder = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .context("rustc can't be started")?;
    let folder = String::from_utf8_lossy(&folder.stdout).trim().to_owned();
    if !folder.is_empty() && Path::new(&folder).is_dir() {
        return Ok(());
    }
    say(&format!("the target {TARGET} is not there: rustup target add {TARGET}"));
    let added = Command::new("rustup").args(["target", "add", TARGET]).status();
    ensure!(
        added.is_ok_and(|status| status.success()),
        "the target {TARGET} can't be added: install it with the toolchain"
    );
    Ok(())
}

/// Builds the crate; where the WebAssembly is.
fn build(root: &Path) -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["build", "-p", "foregone-wasm", "--locked", "--target", TARGET])
        .args(["--profile", PROFILE])
        .arg("--config")
        .arg(without_paths(root))
        .arg("--target-dir")
        .arg(&target)
        .status()
        .context("cargo can't be started")?;
    if !status.success() {
        bail!("the WebAssembly can't be built");
    }
    Ok(root.join(target).join(TARGET).join(PROFILE).join("foregone_wasm.wasm"))
}

/// Messages of panics name source files. Visitors need not know where they were on this machine, and
/// the same sources give the same bytes on every machine.
fn without_paths(root: &Path) -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| {
        let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"))?;
        Some(PathBuf::from(home).join(".cargo"))
    });
    let mut flags = vec![format!("--remap-path-prefix={}=.", root.display())];
    flags.extend(home.map(|home| format!("--remap-path-prefix={}=cargo", home.display())));
    let flags: Vec<String> = flags.iter().map(|flag| format!("{flag:?}")).collect();
    format!("target.{TARGET}.rustflags=[{}]", flags.join(","))
}

/// Writes the WebAssembly and the script that loads it.
fn bind(built: &Path, out: &Path) -> Result<()> {
    Bindgen::new()
        .input_path(built)
        .web(true)?
        .typescript(false)
        .demangle(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(out)
        .context("the bindings can't be made")
}

fn copy(from: &Path, name: &str, out: &Path) -> Result<()> {
    let from = from.join(name);
    let found = fs::metadata(&from).is_ok_and(|found| found.len() > 0);
    ensure!(found, "{} is missing or empty: {BUILD}", from.display());
    fs::copy(&from, out.join(name)).with_context(|| format!("{}", from.display()))?;
    Ok(())
}

fn tell_sizes(out: &Path) -> Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(out)? {
        let entry = entry?;
        files.push((entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len()));
    }
    files.sort();
    for (name, bytes) in files {
        say(&format!("{bytes:>10}  {name}"));
    }
    say(&format!("the site is in {}", out.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_lock_files() {
        let lock = "[[package]]\nname = \"a-b\"\nversion = \"1.2\"\n\n\
            [[package]]\nname = \"a\"\nversion = \"0.3.4\"\nsource = \"x\"\n";
        assert_eq!(locked(lock, "a").as_deref(), Some("0.3.4"));
        assert_eq!(locked(lock, "a-b").as_deref(), Some("1.2"));
        assert_eq!(locked(lock, "b"), None);
    }

    #[test]
    fn both_sides_of_the_bindings_have_one_version() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        assert!(check_versions(&root).is_ok());
    }

    #[test]
    fn a_front_end_that_was_not_built_is_an_error_that_says_how() {
        let error = copy(Path::new("no/such/folder"), "app.js", Path::new("."));
        assert!(error.is_err_and(|error| error.to_string().contains("npm run build")));
    }
}
