//! Invoices, credit notes and packing slips as PDF.
//!
//! [`render_invoice`] draws one tax invoice, bill of supply or credit note, [`render_invoices`] several in one file, and
//! [`render_packing_run`] a pick list with a packing slip for each order. [`render_papers`] adds labels and invoices, and
//! [`merge_labels`] puts labels together. They have no clock and do no IO: the same input
//! gives the same bytes, so that an invoice can be made anew from its rows at any time. All amounts come from the stored
//! invoice; nothing is computed here but sums. Names and addresses may be in Latin or Devanagari; other characters are
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
mod papers;
mod path;
mod pdf;
mod strip;
mod summary;
mod table;
mod tax_columns;
mod words;
mod wrap;

use mirasa_domain::address::Address;
use mirasa_domain::invoice::Invoice;
use mirasa_domain::order::OrderId;
use mirasa_domain::pack::PackSize;

pub use merge::{MergeError, merge_labels, merge_pdfs};
pub use papers::{Enclosed, PapersError, render_papers};
pub use words::amount_in_words;

/// What an invoice shows of its order and does not store itself.
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
    pub id: OrderId,
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

pub fn render_invoice(invoice: &Invoice, order: &OrderDetails) -> Result<Vec<u8>, RenderError> {
    render_invoices(&[(invoice, *order)])
}

/// Each invoice begins on a new page and has its own page numbers.
pub fn render_invoices(invoices: &[(&Invoice, OrderDetails)]) -> Result<Vec<u8>, RenderError> {
    let title = match invoices {
        [(invoice, _)] => format!("{} {}", invoice.kind.title(), invoice.number),
        _ => format!("{} documents", invoices.len()),
    };
    let first = invoices.first().map(|(invoice, _)| *invoice);
    let shop_name = first.map_or("", |invoice| &invoice.seller.shop_name);
    let issued_at_ms = invoices.iter().map(|(one, _)| one.issued_at_ms).max();
    let pages = invoices
        .iter()
        .flat_map(|(invoice, order)| invoice::lay_out(invoice, order))
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
