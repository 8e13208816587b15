//! Invoices and credit notes. An invoice is issued in the transaction in which the goods leave the shop; a credit note in
//! the transaction in which a refund is completed.

mod pdf;

use std::collections::BTreeSet;

use mirasa_domain::audit::AdminAction;
use mirasa_domain::invoice::{
    Buyer, Document, DocumentKind, FinancialYear, ItemTax, Reference, Registration, Seller,
    SeriesPrefix, credit_note_lines, invoice_lines,
};
use mirasa_domain::order::{Order, OrderLine, OrderStatus};
use mirasa_domain::refund::Refund;
use mirasa_domain::tax::{RatePeriod, State, TaxKind, TaxRate, rate_on};
use mirasa_domain::user::{User, UserId};

pub use self::pdf::{DocumentChoice, PdfFile};
use crate::admin::read_order;
use crate::failpoints::failpoint;
use crate::repository::Transaction;
use crate::{AppError, ErrorCode, Shop};

/// Orders that can be packed at once.
const MAX_PACKED: usize = 200;

/// What documents say about the shop.
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

    fn invoice_kind(&self) -> DocumentKind {
        match self.seller.registration {
            Registration::Regular => DocumentKind::TaxInvoice,
            Registration::Composition | Registration::Unregistered => DocumentKind::BillOfSupply,
        }
    }

    /// Each kind has its own series.
    fn prefix(&self, kind: DocumentKind) -> &SeriesPrefix {
        match kind {
            DocumentKind::TaxInvoice => &self.invoice_prefix,
            DocumentKind::BillOfSupply => &self.bill_of_supply_prefix,
            DocumentKind::CreditNote => &self.credit_note_prefix,
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
    ) -> Result<Option<Document>, AppError> {
        let Some(payment) = order.paid_by_attempt.clone().filter(|_| order.is_paid()) else {
            return Ok(None);
        };
        let ids = std::slice::from_ref(&order.id);
        let issued = tx.documents_of(ids).await?;
        if let Some(invoice) = issued.into_iter().find(|one| one.refers_to.is_none()) {
            return Ok(Some(invoice));
        }
        let tax = &self.settings.tax;
        let place_of_supply = State::from_name(&order.address.state).unwrap_or(tax.state);
        // A second payment of the same order was returned as a whole. It is not part of the sale.
        let mut refunds = tx.refunds_of(ids).await?;
        refunds.retain(|refund| refund.merchant_order_id == payment);
        let now_ms = self.now_ms();
        let tax_of = self.item_taxes(tx, order, now_ms).await?;
        let kind = tax.tax_kind(place_of_supply);
        let lines = invoice_lines(&order.lines, &refunds, kind, tax_of);
        if lines.is_empty() {
            return Ok(None);
        }
        let invoice = Document {
            id: self.ids.new_id(),
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
        };
        let invoice = self.insert_numbered(tx, invoice).await?;
        tx.deduct_refunds(&payment, &invoice.id).await?;
        failpoint("issuing an invoice");
        Ok(Some(invoice))
    }

    /// Issues the credit note of a completed refund, if the order has an invoice and the refund came after it. The caller
    /// has locked the order.
    pub(crate) async fn issue_credit_note(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        refund: &Refund,
    ) -> Result<Option<Document>, AppError> {
        let is_of_sale = order.paid_by_attempt.as_ref() == Some(&refund.merchant_order_id);
        if refund.deducted_from.is_some() || !is_of_sale {
            return Ok(None);
        }
        let documents = tx.documents_of(std::slice::from_ref(&order.id)).await?;
        let (notes, invoices): (Vec<_>, Vec<_>) =
            documents.iter().partition(|one| one.refers_to.is_some());
        let is_issued = |note: &&Document| note.refund_id.as_deref() == Some(&refund.id);
        let Some(invoice) = invoices.first().filter(|_| !notes.iter().any(is_issued)) else {
            return Ok(None);
        };
        let credited: Vec<_> = notes.iter().flat_map(|note| note.lines.clone()).collect();
        let lines = credit_note_lines(&invoice.lines, &credited, refund);
        if lines.is_empty() {
            return Ok(None);
        }
        let note = Document {
            id: self.ids.new_id(),
            kind: DocumentKind::CreditNote,
            number: String::new(),
            order_id: order.id.clone(),
            refund_id: Some(refund.id.clone()),
            refers_to: Some(Reference {
                id: invoice.id.clone(),
                number: invoice.number.clone(),
                issued_at_ms: invoice.issued_at_ms,
            }),
            issued_at_ms: self.now_ms(),
            seller: invoice.seller.clone(),
            buyer: invoice.buyer.clone(),
            place_of_supply: invoice.place_of_supply,
            lines,
        };
        let note = self.insert_numbered(tx, note).await?;
        failpoint("issuing a credit note");
        Ok(Some(note))
    }

    /// Marks confirmed orders as packed and issues their invoices. All or none.
    pub async fn pack_orders(
        &self,
        admin: &User,
        mut ids: Vec<String>,
    ) -> Result<Vec<Order>, AppError> {
        ids.sort();
        ids.dedup();
        if ids.is_empty() || ids.len() > MAX_PACKED {
            let message = format!("Choose 1 to {MAX_PACKED} orders");
            return Err(AppError::invalid(message).with_field("orders"));
        }
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(move |tx| {
                Box::pin(async move {
                    // All customers first, in a fixed order: another admin may pack other orders of the same customers.
                    let orders = tx.orders_by_id(&ids).await?;
                    let users: BTreeSet<_> =
                        orders.iter().map(|order| order.user.0.clone()).collect();
                    for user in users {
                        tx.lock_user(&UserId(user)).await?;
                    }
                    let mut batch_stocks = shop.batch_stocks_of(tx, &orders).await?;
                    let mut packed = Vec::new();
                    for id in &ids {
                        let order = shop.lock_and_read_order(tx, id).await?;
                        if order.state.order_status != OrderStatus::Confirmed || !order.is_paid() {
                            return Err(not_packable(id));
                        }
                        if tx.set_packed(id, now_ms).await? {
                            let action = AdminAction::OrderStatusSet;
                            shop.audit(tx, &admin, action, id, "packed".to_owned())
                                .await?;
                            shop.take_batches(tx, &mut batch_stocks, &order).await?;
                            shop.issue_invoice(tx, &order).await?;
                        }
                        packed.push(read_order(tx, id).await?);
                    }
                    failpoint("packing orders");
                    Ok::<_, AppError>(packed)
                })
            })
            .await
    }

    /// The goods code and rate of each product of the order at this time.
    async fn item_taxes(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        now_ms: i64,
    ) -> Result<impl Fn(&OrderLine) -> ItemTax + use<>, AppError> {
        let ids: Vec<_> = order
            .lines
            .iter()
            .map(|line| line.product.clone())
            .collect();
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

    /// The number is taken in the transaction that stores the document.
    async fn insert_numbered(
        &self,
        tx: &mut dyn Transaction,
        mut document: Document,
    ) -> Result<Document, AppError> {
        let series = self.settings.tax.prefix(document.kind);
        let year = FinancialYear::of(document.issued_at_ms);
        let (serial, issued_at_ms) = tx.next_serial(series, year, document.issued_at_ms).await?;
        document.number = series.number(year, serial);
        document.issued_at_ms = issued_at_ms;
        tx.insert_document(&document, series, year, serial).await?;
        Ok(document)
    }
}

fn not_packable(id: &str) -> AppError {
    let message = format!(
        "Order {} is not confirmed and paid, so it cannot be packed.",
        crate::emails::short_id(id)
    );
    AppError::new(ErrorCode::OrderNotPackable, message)
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
