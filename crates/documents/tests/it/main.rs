//! Documents are rendered and read back with other programs: `pdftotext` and `pdftoppm` (poppler-utils) and `zbarimg`
//! (zbar-tools), which scripts/setup.sh installs.

mod codes;
mod invoices;
mod packing;
mod samples;
mod tools;
