//! Backups, the consistency check and erasure.

pub mod backup;
pub(crate) mod consistency;
pub(crate) mod erasure;
