//! Lists the files of the web build for `src/web_files.rs`, which puts them into a release binary. A debug binary reads
//! them when it starts, so it need not be compiled again when they change.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let mut list = String::new();
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        let folder = Path::new("../../web/dist");
        println!("cargo::rerun-if-changed={}", folder.display());
        if folder.exists() {
            add_files(&fs::canonicalize(folder)?, "", &mut list)?;
        } else {
            println!("cargo::warning=web/dist is missing, so the binary has no pages: make build");
        }
    } else {
        println!("cargo::rerun-if-changed=build.rs");
    }
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    let out = Path::new(&out);
    fs::write(out.join("web_files.rs"), format!("&[{list}]"))?;

    // For a test: the list of a debug build is empty, so its errors would show in a release build only.
    let mut list = String::new();
    for name in ["Cargo.toml", "build.rs"] {
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{name}\")");
        add_file(&path, name, &mut list);
    }
    fs::write(out.join("test_files.rs"), format!("&[{list}]"))
}

fn add_files(folder: &Path, prefix: &str, list: &mut String) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            add_files(&path, &format!("{name}/"), list)?;
        } else {
            add_file(&format!("{path:?}"), &name, list);
        }
    }
    Ok(())
}

/// `path` is a Rust expression.
fn add_file(path: &str, name: &str, list: &mut String) {
    let _ = write!(list, "({name:?}, include_bytes!({path}) as &[u8]),");
}
