//! Failpoints: named places at which a test can make the server crash or a worker panic. They cannot be armed in
//! production, where the server does not call `arm`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static ARMED: OnceLock<ArmedFailpoint> = OnceLock::new();

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Crash,
    PanicOnce,
    PanicAlways,
}

#[derive(Debug)]
struct ArmedFailpoint {
    kind: Kind,
    name: String,
    was_reached: AtomicBool,
}

/// Makes the server abort when it reaches the failpoint of this name. `panic:NAME` panics there instead, the first
/// time; `panic-always:NAME` panics each time.
pub fn arm(text: &str) {
    let (kind, name) = match text.split_once(':') {
        Some(("panic", name)) => (Kind::PanicOnce, name),
        Some(("panic-always", name)) => (Kind::PanicAlways, name),
        _ => (Kind::Crash, text),
    };
    let _ = ARMED.set(ArmedFailpoint {
        kind,
        name: name.to_owned(),
        was_reached: AtomicBool::new(false),
    });
}

pub fn failpoint(name: &str) {
    let Some(armed) = ARMED.get().filter(|armed| armed.name == name) else {
        return;
    };
    let is_repeat = armed.was_reached.swap(true, Ordering::Relaxed);
    match armed.kind {
        Kind::Crash => {
            tracing::warn!(name, "aborting at an armed failpoint");
            std::process::abort();
        }
        Kind::PanicOnce if is_repeat => {}
        Kind::PanicOnce | Kind::PanicAlways => panic!("armed failpoint: {name}"),
    }
}
