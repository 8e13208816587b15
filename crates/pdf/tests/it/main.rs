//! Invoices are rendered and read back with other programs: `pdftotext` and `pdftoppm` (poppler-utils) and `zbarimg`
//! (zbar-tools), which scripts/setup.sh installs.

#![allow(clippy::unwrap_used)]

mod codes;
mod invoices;
mod packing;
mod samples;
mod tools;
