//! Places at which a test may have the program die as a crash would. Nothing can be armed in production:
//! `arm` is called by the program only outside of it.

use std::sync::OnceLock;

static ARMED: OnceLock<String> = OnceLock::new();

/// From now on the program dies when it passes the point of this name.
pub fn arm(name: String) {
    let _ = ARMED.set(name);
}

pub fn point(name: &str) {
    if ARMED.get().is_some_and(|armed| armed == name) {
        tracing::warn!(name, "dying at an armed fault point");
        std::process::abort();
    }
}
