//! The server under the system call filter of its systemd units, and the units themselves.

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::cli::{PROGRAM, Served, expect_success, run, small_catalogue, started_by};
use crate::harness::{repository, temporary_folder};

/// "Bad system call": the signal that kills a process which violates its filter.
const SIGSYS: i32 = 31;
const UNITS: [&str; 2] = ["mirasa.service", "mirasa@.service"];

fn unit(name: &str) -> PathBuf {
    repository().join("deploy/systemd").join(name)
}

fn under_filter(unit: &Path, folder: &Path, arguments: &[&str]) -> Command {
    let wrapper = repository().join("crates/server/tests/under_filter.py");
    let mut command = started_by("python3", folder, &[]);
    command.arg(wrapper).arg(unit).arg(PROGRAM).args(arguments);
    command
}

fn seeded_folder() -> std::sync::Arc<tempfile::TempDir> {
    let folder = temporary_folder();
    small_catalogue(folder.path());
    expect_success(&run(
        folder.path(),
        &["seed", "catalogue", "--data", "data"],
    ));
    folder
}

/// The nice value of a thread of the server.
fn niceness(pid: u32, thread: &str) -> Option<i64> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    for task in tasks.flatten() {
        let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
        let (head, rest) = stat.rsplit_once(')').unwrap_or_default();
        if head.ends_with(&format!("({thread}")) {
            return rest.split_whitespace().nth(16)?.parse().ok();
        }
    }
    None
}

fn has_file(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .any(|path| path.is_file() || has_file(&path))
}

#[test]
fn server_works_under_the_filter_of_its_units() {
    for name in UNITS {
        let folder = seeded_folder();
        let folder = folder.path();
        let command = under_filter(&unit(name), folder, &["serve"]);
        let served = Served::start_command(folder, command, &[]);
        assert_eq!(served.get("/readyz").unwrap().0, 200);
        assert_eq!(served.get("/product/goda-masala").unwrap().0, 200);
        let picture = "/images/products/goda-masala%20pouch.webp?w=32";
        let renditions = folder.join("data/pictures/renditions");
        let began = Instant::now();
        while !has_file(&renditions) {
            assert_eq!(served.get(picture).unwrap().0, 200);
            let took = began.elapsed();
            assert!(took < Duration::from_secs(20), "no rendition was made");
            std::thread::sleep(Duration::from_millis(50));
        }
        let pid = served.child.id();
        // Relative to the nice value of the server, which is that of these tests.
        let own = niceness(pid, "mirasa").unwrap();
        let nicer_by = |steps: i64| Some((own + steps).min(19));
        assert_eq!(niceness(pid, "renditions"), nicer_by(10), "{name}");
        assert_eq!(niceness(pid, "avif"), nicer_by(19), "{name}");

        let backup = ["backup", "shop.backup", "--data", "data"];
        let output = under_filter(&unit(name), folder, &backup).output();
        assert!(expect_success(&output.unwrap()).contains("rows are in shop.backup"));
    }
}

/// Control: without the exception for `setpriority`, the image worker's first call kills the server.
#[test]
fn wrapper_detects_a_forbidden_system_call() {
    let folder = seeded_folder();
    let folder = folder.path();
    let text = std::fs::read_to_string(unit(UNITS[0])).unwrap();
    let is_unrelated = |line: &&str| {
        !line.starts_with("SystemCallErrorNumber") && *line != "SystemCallFilter=setpriority"
    };
    let old_lines: Vec<_> = text.lines().filter(is_unrelated).collect();
    let old = folder.join("old.service");
    std::fs::write(&old, old_lines.join("\n")).unwrap();
    let serve = ["serve", "--data", "data", "--listen", "127.0.0.1:0"];
    let output = under_filter(&old, folder, &serve).output().unwrap();
    assert_eq!(output.status.signal(), Some(SIGSYS), "{output:?}");
}

#[test]
fn systemd_accepts_the_units() {
    let folder = temporary_folder();
    let folder = folder.path();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(repository().join("deploy/systemd")).unwrap() {
        let entry = entry.unwrap();
        let text = std::fs::read_to_string(entry.path()).unwrap();
        // Replace the binaries that need not be installed here.
        let text = text
            .replace("/usr/local/bin/mirasa", PROGRAM)
            .replace("/usr/bin/rsync", "/bin/true");
        let name = entry.file_name().into_string().unwrap();
        let file = folder.join(name.replace("@.", "@8081."));
        std::fs::write(&file, text).unwrap();
        files.push(file);
    }
    assert_eq!(files.len(), 4);
    let verify = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .args(&files)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&verify.stderr);
    let ours = stderr.lines().filter(|line| line.contains("mirasa"));
    assert_eq!(ours.collect::<Vec<_>>(), Vec::<&str>::new());
    assert!(verify.status.success(), "{stderr}");
}
