//! CPU time of processes and their children, from `/proc`.

use std::collections::HashMap;
use std::time::Duration;

/// The unit of `/proc/PID/stat`: 1/100 s, regardless of the kernel's tick rate.
const TICK: Duration = Duration::from_millis(10);

struct Stat {
    parent: u32,
    ticks: u64,
}

fn stat(pid: u32) -> Option<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the name in parentheses, which can contain any character.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
    Some(Stat {
        parent: u32::try_from(number(1)?).ok()?,
        // User and system time of the process and of its children that have exited.
        ticks: number(11)? + number(12)? + number(13)? + number(14)?,
    })
}

/// CPU time of these processes and their descendants.
pub fn cpu_time(roots: &[u32]) -> Duration {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Duration::ZERO;
    };
    let all: HashMap<u32, Stat> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(|pid| Some((pid, stat(pid)?)))
        .collect();
    let is_descendant = |mut pid: u32| {
        while let Some(found) = all.get(&pid) {
            if roots.contains(&pid) {
                return true;
            }
            pid = found.parent;
        }
        false
    };
    let ticks: u64 = all
        .iter()
        .filter(|(pid, _)| is_descendant(**pid))
        .map(|(_, stat)| stat.ticks)
        .sum();
    TICK * u32::try_from(ticks).unwrap_or(u32::MAX)
}
