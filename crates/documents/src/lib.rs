//! Invoices, credit notes and packing slips as PDF.
//!
//! [`render_document`] draws one tax invoice, bill of supply or credit note, [`render_documents`] several in one file, and
//! [`render_packing_run`] a pick list with a packing slip for each order. They have no clock and do no IO: the same input
//! gives the same bytes, so that a document can be made anew from its rows at any time. All amounts come from the stored
//! document; nothing is computed here but sums. Names and addresses may be in Latin or Devanagari; other characters are
//! shown as boxes.

mod canvas;
mod codes;
mod flow;
mod fonts;
mod invoice;
mod letterhead;
mod merge;
mod ornament;
mod packing;
mod path;
mod pdf;
mod summary;
mod table;
mod tax_columns;
mod words;
mod wrap;

use mirasa_domain::address::Address;
use mirasa_domain::invoice::Document;
use mirasa_domain::pack::PackSize;

pub use merge::{MergeError, merge_pdfs};
pub use words::amount_in_words;

/// What a document shows of its order and does not store itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderDetails<'a> {
    pub placed_at_ms: i64,
    /// The URL of the order's page, for the QR code. Empty: no code.
    pub url: &'a str,
    /// Why the money of a credit note was refunded. Empty: none.
    pub reason: &'a str,
}

/// Orders that are packed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackingRun {
    pub shop_name: String,
    pub prepared_at_ms: i64,
    pub orders: Vec<PackingOrder>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackingOrder {
    pub id: String,
    pub placed_at_ms: i64,
    pub address: Address,
    /// The discount code and what it saved, such as `DIWALI20 (−₹50)`. Empty: none.
    pub discount: String,
    /// Without packs that were refunded.
    pub items: Vec<PackingItem>,
}

/// Packs of one product in one size, and of one batch if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackingItem {
    pub name: String,
    pub size: PackSize,
    pub quantity: u32,
    /// Its number and best-before date. Empty: none.
    pub batch: String,
}

#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error("the embedded fonts cannot be read")]
    Fonts,
    #[error("the PDF cannot be written: {0}")]
    Pdf(String),
}

pub fn render_document(document: &Document, order: &OrderDetails) -> Result<Vec<u8>, RenderError> {
    render_documents(&[(document, *order)])
}

/// Each document begins on a new page and has its own page numbers.
pub fn render_documents(documents: &[(&Document, OrderDetails)]) -> Result<Vec<u8>, RenderError> {
    let title = match documents {
        [(document, _)] => format!("{} {}", document.kind.title(), document.number),
        _ => format!("{} documents", documents.len()),
    };
    let first = documents.first().map(|(document, _)| *document);
    let shop_name = first.map_or("", |document| &document.seller.shop_name);
    let issued_at_ms = documents.iter().map(|(one, _)| one.issued_at_ms).max();
    let pages = documents
        .iter()
        .flat_map(|(document, order)| invoice::lay_out(document, order))
        .collect();
    write(pages, title, shop_name, issued_at_ms.unwrap_or_default())
}

pub fn render_packing_run(run: &PackingRun) -> Result<Vec<u8>, RenderError> {
    let title = format!("Packing of {}", words::date(run.prepared_at_ms));
    let pages = packing::lay_out(run);
    write(pages, title, &run.shop_name, run.prepared_at_ms)
}

fn write(
    pages: Vec<canvas::Page>,
    title: String,
    shop_name: &str,
    created_at_ms: i64,
) -> Result<Vec<u8>, RenderError> {
    if !fonts::are_loaded() {
        return Err(RenderError::Fonts);
    }
    let metadata = pdf::Metadata {
        title: &title,
        author: shop_name,
        created_at_ms,
    };
    pdf::write_pdf(pages, &metadata)
}
