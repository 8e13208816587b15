//! Places at which a test may have the program die as a crash would, or have one worker panic. Nothing can be armed
//! in production: `arm` is called by the program only outside of it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static ARMED: OnceLock<Fault> = OnceLock::new();

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Crash,
    PanicOnce,
    PanicAlways,
}

#[derive(Debug)]
struct Fault {
    kind: Kind,
    name: String,
    has_happened: AtomicBool,
}

/// From now on the program dies when it passes the point of this name. `panic:NAME` panics there instead, the first
/// time; `panic-always:NAME` each time.
pub fn arm(text: &str) {
    let (kind, name) = match text.split_once(':') {
        Some(("panic", name)) => (Kind::PanicOnce, name),
        Some(("panic-always", name)) => (Kind::PanicAlways, name),
        _ => (Kind::Crash, text),
    };
    let _ = ARMED.set(Fault {
        kind,
        name: name.to_owned(),
        has_happened: AtomicBool::new(false),
    });
}

pub fn failpoint(name: &str) {
    let Some(fault) = ARMED.get().filter(|fault| fault.name == name) else {
        return;
    };
    let is_repeat = fault.has_happened.swap(true, Ordering::Relaxed);
    match fault.kind {
        Kind::Crash => {
            tracing::warn!(name, "dying at an armed fault point");
            std::process::abort();
        }
        Kind::PanicOnce if is_repeat => {}
        Kind::PanicOnce | Kind::PanicAlways => panic!("an armed fault point: {name}"),
    }
}
