//! The columns of tax, which the lines and the summary of an invoice share.

use mirasa_domain::invoice::{Invoice, InvoiceKind, Registration};

use crate::canvas::{Style, color};
use crate::fonts::Face;

pub const SMALL: Style = Style::new(Face::Regular, 7.2, color::INK_FAINT);

/// Which columns of tax an invoice has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaxColumns {
    /// The second half is called SGST or, in a union territory without a legislature, UTGST.
    Halves {
        second: &'static str,
    },
    Integrated,
    None,
}

impl TaxColumns {
    pub fn of(invoice: &Invoice) -> TaxColumns {
        let is_untaxed = invoice.kind == InvoiceKind::BillOfSupply
            || invoice.seller.registration != Registration::Regular;
        if is_untaxed {
            TaxColumns::None
        } else if invoice.place_of_supply.code() == invoice.seller.state_code {
            let second = if invoice.place_of_supply.has_legislature() {
                "SGST"
            } else {
                "UTGST"
            };
            TaxColumns::Halves { second }
        } else {
            TaxColumns::Integrated
        }
    }
}
