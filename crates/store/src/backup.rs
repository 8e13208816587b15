//! Portable backups.
