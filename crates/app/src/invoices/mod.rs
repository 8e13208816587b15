//! Invoices and credit notes. An invoice is issued in the transaction in which the goods leave the shop; a credit note in
//! the transaction in which a refund is completed.

pub(crate) mod pdf;
pub mod tax_reports;

use std::collections::HashSet;

use mirasa_domain::invoice::{
    Buyer, FinancialYear, Invoice, InvoiceKind, ItemTax, Reference, Registration, Seller,
    SeriesPrefix, amount_to_credit, credit_note_lines, invoice_lines,
};
use mirasa_domain::order::{Order, OrderLine};
use mirasa_domain::refund::Refund;
use mirasa_domain::tax::{RatePeriod, State, TaxKind, TaxRate, rate_on};

pub use crate::invoices::pdf::{InvoiceChoice, PdfFile};
use crate::repository::Transaction;
use crate::runtime::failpoints::failpoint;
use crate::{AppError, Shop};

/// What invoices say about the shop.
#[derive(Debug, Clone)]
pub struct TaxSettings {
    pub seller: Seller,
    pub state: State,
    pub rates: Vec<RatePeriod>,
    pub invoice_prefix: SeriesPrefix,
    pub bill_of_supply_prefix: SeriesPrefix,
    pub credit_note_prefix: SeriesPrefix,
}

impl TaxSettings {
    fn tax_kind(&self, place_of_supply: State) -> TaxKind {
        match self.seller.registration {
            Registration::Regular if place_of_supply == self.state => TaxKind::WithinState,
            Registration::Regular => TaxKind::BetweenStates,
            Registration::Composition | Registration::Unregistered => TaxKind::None,
        }
    }

    fn invoice_kind(&self) -> InvoiceKind {
        match self.seller.registration {
            Registration::Regular => InvoiceKind::TaxInvoice,
            Registration::Composition | Registration::Unregistered => InvoiceKind::BillOfSupply,
        }
    }

    /// Each kind has its own series.
    fn prefix(&self, kind: InvoiceKind) -> &SeriesPrefix {
        match kind {
            InvoiceKind::TaxInvoice => &self.invoice_prefix,
            InvoiceKind::BillOfSupply => &self.bill_of_supply_prefix,
            InvoiceKind::CreditNote => &self.credit_note_prefix,
        }
    }
}

#[cfg(test)]
impl TaxSettings {
    pub fn example() -> TaxSettings {
        let prefix = |text| SeriesPrefix::parse(text).unwrap();
        TaxSettings {
            seller: Seller {
                registration: Registration::Unregistered,
                shop_name: "Mirasa".into(),
                legal_name: "Mirasa Foods".into(),
                address: "Pune".into(),
                gstin: String::new(),
                state_code: 27,
                fssai: String::new(),
                phone: String::new(),
                email: String::new(),
                hsn_digits: 4,
            },
            state: State::from_code(27).unwrap(),
            rates: Vec::new(),
            invoice_prefix: prefix("MIR"),
            bill_of_supply_prefix: prefix("BOS"),
            credit_note_prefix: prefix("CRN"),
        }
    }
}

impl Shop {
    /// Issues the invoice of a paid order, once. None if it is not paid, or if nothing is left to invoice: a replacement,
    /// or everything was refunded. The caller has locked the order.
    pub(crate) async fn issue_invoice(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
    ) -> Result<Option<Invoice>, AppError> {
        let mut invoices = self.issue_invoices(tx, std::slice::from_ref(order)).await?;
        Ok(invoices.pop())
    }

    /// The same for many orders. The number of statements to wait for does not depend on how many there are.
    pub(crate) async fn issue_invoices(
        &self,
        tx: &mut dyn Transaction,
        orders: &[Order],
    ) -> Result<Vec<Invoice>, AppError> {
        let id_of = |order: &Order| order.id.clone();
        let paid = orders.iter().filter(|order| order.is_paid());
        let mut invoices = tx.invoices_of(&paid.map(id_of).collect::<Vec<_>>()).await?;
        invoices.retain(|invoice| invoice.refers_to.is_none());
        let has_invoice = |order: &&Order| invoices.iter().any(|one| one.order_id == order.id);
        let due: Vec<_> = orders
            .iter()
            .filter(|order| order.is_paid() && !has_invoice(order))
            .collect();
        if due.is_empty() {
            return Ok(invoices);
        }
        let ids: Vec<_> = due.iter().copied().map(id_of).collect();
        let refunds = tx.refunds_of(&ids).await?;
        let now_ms = self.now_ms();
        let tax_of = self.item_taxes(tx, &due, now_ms).await?;
        let (mut payments, mut drafts) = (Vec::new(), Vec::new());
        for order in due {
            let Some(payment) = &order.paid_by_attempt else {
                continue;
            };
            // A second payment of the same order was returned as a whole. It is not part of the sale.
            let refunds = refunds
                .iter()
                .filter(|one| one.merchant_order_id == *payment);
            let refunds: Vec<_> = refunds.cloned().collect();
            if let Some(draft) = self.draft_invoice(order, &refunds, &tax_of, now_ms) {
                payments.push(payment);
                drafts.push(draft);
            }
        }
        let issued = self.insert_numbered(tx, drafts).await?;
        for (payment, invoice) in payments.into_iter().zip(&issued) {
            tx.deduct_completed_refunds(payment, &invoice.id).await?;
        }
        failpoint("issuing an invoice");
        invoices.extend(issued);
        Ok(invoices)
    }

    /// Without a number.
    fn draft_invoice(
        &self,
        order: &Order,
        refunds: &[Refund],
        tax_of: impl Fn(&OrderLine) -> ItemTax,
        now_ms: i64,
    ) -> Option<Invoice> {
        let tax = &self.settings.tax;
        let place_of_supply = State::from_name(&order.address.state).unwrap_or(tax.state);
        let kind = tax.tax_kind(place_of_supply);
        let lines = invoice_lines(&order.lines, refunds, kind, tax_of);
        if lines.is_empty() {
            return None;
        }
        Some(Invoice {
            id: self.ids.new_id().into(),
            kind: tax.invoice_kind(),
            number: String::new(),
            order_id: order.id.clone(),
            refund_id: None,
            refers_to: None,
            issued_at_ms: now_ms,
            seller: tax.seller.clone(),
            buyer: buyer(order),
            place_of_supply,
            lines,
        })
    }

    /// Issues the credit note of a completed refund, if the order has an invoice. The invoice covers what was paid, less the
    /// refunds that were completed before it, so every refund that is completed later has a note. The caller has locked the
    /// order.
    pub(crate) async fn issue_credit_note(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        refund: &Refund,
    ) -> Result<Option<Invoice>, AppError> {
        let is_of_sale = order.paid_by_attempt.as_ref() == Some(&refund.merchant_order_id);
        if !is_of_sale {
            return Ok(None);
        }
        let issued = tx.invoices_of(std::slice::from_ref(&order.id)).await?;
        let (notes, invoices): (Vec<_>, Vec<_>) =
            issued.iter().partition(|one| one.refers_to.is_some());
        let is_issued = |note: &&Invoice| note.refund_id.as_ref() == Some(&refund.id);
        let Some(invoice) = invoices.first().filter(|_| !notes.iter().any(is_issued)) else {
            return Ok(None);
        };
        let refunds = tx.refunds_of(std::slice::from_ref(&order.id)).await?;
        let of_sale = |one: &Refund| one.merchant_order_id == refund.merchant_order_id;
        let refunds: Vec<_> = refunds.into_iter().filter(of_sale).collect();
        let credited = notes.iter().map(|note| note.total()).sum();
        let due = Refund {
            amount: amount_to_credit(refund, &invoice.id, &refunds, credited),
            ..refund.clone()
        };
        let credited: Vec<_> = notes.iter().flat_map(|note| note.lines.clone()).collect();
        let lines = credit_note_lines(&invoice.lines, &credited, &due);
        if lines.is_empty() {
            return Ok(None);
        }
        let note = Invoice {
            id: self.ids.new_id().into(),
            kind: InvoiceKind::CreditNote,
            number: String::new(),
            order_id: order.id.clone(),
            refund_id: Some(refund.id.clone()),
            refers_to: Some(Reference {
                id: invoice.id.clone(),
                number: invoice.number.clone(),
                issued_at_ms: invoice.issued_at_ms,
                total: invoice.amounts().total(),
            }),
            issued_at_ms: self.now_ms(),
            seller: invoice.seller.clone(),
            buyer: invoice.buyer.clone(),
            place_of_supply: invoice.place_of_supply,
            lines,
        };
        let mut notes = self.insert_numbered(tx, vec![note]).await?;
        failpoint("issuing a credit note");
        Ok(notes.pop())
    }

    /// The goods code and rate of each product of the orders at this time.
    async fn item_taxes(
        &self,
        tx: &mut dyn Transaction,
        orders: &[&Order],
        now_ms: i64,
    ) -> Result<impl Fn(&OrderLine) -> ItemTax + use<>, AppError> {
        let lines = orders.iter().flat_map(|order| &order.lines);
        let ids: HashSet<_> = lines.map(|line| line.product.clone()).collect();
        let ids: Vec<_> = ids.into_iter().collect();
        let products = tx.products_even_deleted(&ids).await?;
        let rates = self.settings.tax.rates.clone();
        Ok(move |line: &OrderLine| {
            let product = products.iter().find(|product| product.id == line.product);
            let hsn = product.map_or("", |product| product.details.hsn_code.as_str());
            let own = product.map_or(TaxRate::ZERO, |product| {
                TaxRate::from_percent(product.details.gst_rate_percent)
            });
            ItemTax {
                rate: rate_on(&rates, hsn, now_ms).unwrap_or(own),
                hsn: hsn.to_owned(),
            }
        })
    }

    /// Invoices of one kind and time. Their numbers are taken in the transaction that stores them.
    async fn insert_numbered(
        &self,
        tx: &mut dyn Transaction,
        mut invoices: Vec<Invoice>,
    ) -> Result<Vec<Invoice>, AppError> {
        let Some(first) = invoices.first() else {
            return Ok(invoices);
        };
        let series = self.settings.tax.prefix(first.kind);
        let year = FinancialYear::of(first.issued_at_ms);
        let (last, issued_at_ms) = tx
            .take_serials(series, year, invoices.len(), first.issued_at_ms)
            .await?;
        let serials = last - invoices.len() as i64 + 1..=last;
        for (invoice, serial) in invoices.iter_mut().zip(serials) {
            invoice.number = series.number(year, serial);
            invoice.issued_at_ms = issued_at_ms;
            tx.insert_invoice(invoice, series, year, serial).await?;
        }
        Ok(invoices)
    }
}

fn buyer(order: &Order) -> Buyer {
    let address = order.address.clone();
    Buyer {
        name: address.name,
        phone: address.phone,
        line1: address.line1,
        line2: address.line2,
        city: address.city,
        state: address.state,
        pincode: address.pincode,
    }
}
