//! Invoices for tax: tax invoices, bills of supply and credit notes. An invoice is never changed after it is issued; its
//! amounts are stored, not computed again.

mod credit_note;
mod draft;
mod number;

pub use credit_note::{amount_to_credit, credit_note_lines};
pub(crate) use draft::spread;
pub use draft::{ItemTax, invoice_lines};
pub use number::{FinancialYear, InvalidPrefix, SeriesPrefix};

pub use crate::id::InvoiceId;
use crate::id::{OrderId, ProductId, RefundId};
use crate::money::Paise;
use crate::pack::PackSize;
use crate::tax::{State, TaxAmounts, TaxRate};

/// How the shop is registered for tax. It decides the title of an invoice and whether it has tax.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Registration {
    #[serde(rename = "registered")]
    Regular,
    Composition,
    Unregistered,
}

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum InvoiceKind {
        TaxInvoice = "tax invoice",
        /// Without tax, of a shop that is not registered or pays by composition.
        BillOfSupply = "bill of supply",
        CreditNote = "credit note",
    }
}

impl InvoiceKind {
    pub const fn title(self) -> &'static str {
        match self {
            InvoiceKind::TaxInvoice => "Tax Invoice",
            InvoiceKind::BillOfSupply => "Bill of Supply",
            InvoiceKind::CreditNote => "Credit Note",
        }
    }
}

/// The shop as it was when the invoice was issued.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Seller {
    pub registration: Registration,
    pub shop_name: String,
    pub legal_name: String,
    pub address: String,
    /// Empty if the shop is not registered.
    pub gstin: String,
    pub state_code: u8,
    pub fssai: String,
    pub phone: String,
    pub email: String,
    /// How many digits of an HSN code are printed.
    pub hsn_digits: usize,
}

/// The customer and the delivery address as they were when the invoice was issued.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Buyer {
    pub name: String,
    pub phone: String,
    pub line1: String,
    pub line2: String,
    pub city: String,
    pub state: String,
    pub pincode: String,
}

/// Packs of one product in one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceLine {
    pub product: ProductId,
    pub description: String,
    /// All digits.
    pub hsn: String,
    pub size: PackSize,
    /// 0 on a credit note that returns a part of the price, but no packs.
    pub quantity: u32,
    /// At the price of the order.
    pub gross: Paise,
    pub discount: Paise,
    pub rate: TaxRate,
    /// They add up to `gross - discount`.
    pub amounts: TaxAmounts,
}

/// The invoice that a credit note refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    pub id: InvoiceId,
    pub number: String,
    pub issued_at_ms: i64,
    pub total: Paise,
}

/// A tax invoice, a bill of supply or a credit note. The tables call it a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invoice {
    pub id: InvoiceId,
    pub kind: InvoiceKind,
    pub number: String,
    pub order_id: OrderId,
    /// The refund that a credit note is for.
    pub refund_id: Option<RefundId>,
    pub refers_to: Option<Reference>,
    pub issued_at_ms: i64,
    pub seller: Seller,
    pub buyer: Buyer,
    pub place_of_supply: State,
    pub lines: Vec<InvoiceLine>,
}

impl Invoice {
    pub fn amounts(&self) -> TaxAmounts {
        self.lines.iter().map(|line| line.amounts).sum()
    }

    pub fn total(&self) -> Paise {
        self.amounts().total()
    }

    /// The digits of a line's HSN code that the invoice shows.
    pub fn shown_hsn<'l>(&self, line: &'l InvoiceLine) -> &'l str {
        let digits = self.seller.hsn_digits;
        line.hsn.get(..digits).unwrap_or(&line.hsn)
    }
}
