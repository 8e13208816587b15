//! Backups, migrations, the consistency check and erasure.

pub mod backup;
pub(crate) mod consistency;
pub(crate) mod erasure;
pub(crate) mod migrations;
