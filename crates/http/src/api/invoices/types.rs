//! Invoices and credit notes.

use mirasa_domain::invoice::{Invoice, InvoiceKind};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::text::{ApiEnum, Text};
use crate::api::types::{Rupees, to_iso8601};

pub type InvoiceKindDto = Text<InvoiceKind>;

impl ApiEnum for InvoiceKind {
    const NAME: &'static str = "InvoiceKind";
}

/// An invoice, a bill of supply or a credit note.
#[derive(Serialize, ToSchema)]
#[schema(as = Invoice)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub number: String,
    pub kind: InvoiceKindDto,
    pub order_id: String,
    pub issued_at: String,
    /// `27-Maharashtra`
    pub place_of_supply: String,
    #[schema(value_type = f64)]
    pub taxable: Rupees,
    #[schema(value_type = f64)]
    pub cgst: Rupees,
    #[schema(value_type = f64)]
    pub sgst: Rupees,
    #[schema(value_type = f64)]
    pub igst: Rupees,
    #[schema(value_type = f64)]
    pub total: Rupees,
    /// The number of the invoice that a credit note refers to.
    #[schema(required)]
    pub refers_to: Option<String>,
}

impl From<Invoice> for InvoiceDto {
    fn from(invoice: Invoice) -> InvoiceDto {
        let amounts = invoice.amounts();
        InvoiceDto {
            id: invoice.id.0,
            number: invoice.number,
            kind: invoice.kind.into(),
            order_id: invoice.order_id.0,
            issued_at: to_iso8601(invoice.issued_at_ms),
            place_of_supply: invoice.place_of_supply.label(),
            taxable: Rupees(amounts.taxable),
            cgst: Rupees(amounts.cgst),
            sgst: Rupees(amounts.sgst),
            igst: Rupees(amounts.igst),
            total: Rupees(amounts.total()),
            refers_to: invoice.refers_to.map(|invoice| invoice.number),
        }
    }
}

/// The invoices of a month, and their sums: invoices less credit notes.
#[derive(Serialize, ToSchema)]
pub struct InvoicesResponse {
    pub invoices: Vec<InvoiceDto>,
    #[schema(value_type = f64)]
    pub taxable: Rupees,
    #[schema(value_type = f64)]
    pub cgst: Rupees,
    #[schema(value_type = f64)]
    pub sgst: Rupees,
    #[schema(value_type = f64)]
    pub igst: Rupees,
    #[schema(value_type = f64)]
    pub total: Rupees,
}

#[derive(Deserialize, IntoParams)]
pub struct MonthQuery {
    /// `2026-11`, in India.
    #[param(pattern = "^[0-9]{4}-[0-9]{2}$")]
    pub month: String,
}
