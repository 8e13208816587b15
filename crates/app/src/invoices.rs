//! Invoices and credit notes. An invoice is issued in the transaction in which the goods leave the shop; a credit note in
//! the transaction in which a refund is completed.

use std::collections::BTreeSet;

use mirasa_domain::audit::AdminAction;
use mirasa_domain::invoice::{
    Buyer, Document, DocumentKind, FinancialYear, ItemTax, Reference, Registration, Seller,
    SeriesPrefix, credit_note_lines, invoice_lines,
};
use mirasa_domain::order::{Order, OrderLine, OrderStatus};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::refund::Refund;
use mirasa_domain::tax::{State, TaxKind, TaxRate, rate_on, usual_rates};
use mirasa_domain::user::{User, UserId};

use crate::failpoints::failpoint;
use crate::repository::Transaction;
use crate::{AppError, ErrorCode, Shop};

/// Orders that can be packed at once.
const MAX_PACKED: usize = 200;

/// What documents say about the shop.
#[derive(Debug, Clone)]
pub struct TaxSettings {
    pub registration: Registration,
    pub seller: Seller,
    pub state: State,
    /// How many digits of an HSN code are printed.
    pub hsn_digits: usize,
    pub invoice_prefix: SeriesPrefix,
    pub credit_note_prefix: SeriesPrefix,
}

impl TaxSettings {
    fn tax_kind(&self, place_of_supply: State) -> TaxKind {
        match self.registration {
            Registration::Regular if place_of_supply == self.state => TaxKind::WithinState,
            Registration::Regular => TaxKind::BetweenStates,
            Registration::Composition | Registration::Unregistered => TaxKind::None,
        }
    }

    fn invoice_kind(&self) -> DocumentKind {
        match self.registration {
            Registration::Regular => DocumentKind::TaxInvoice,
            Registration::Composition | Registration::Unregistered => DocumentKind::BillOfSupply,
        }
    }
}

/// The tax of an issued document, whatever the settings are now.
fn tax_kind_of(document: &Document) -> TaxKind {
    match document.kind {
        DocumentKind::BillOfSupply => TaxKind::None,
        _ if document.place_of_supply.code() == document.seller.state_code => TaxKind::WithinState,
        _ => TaxKind::BetweenStates,
    }
}

impl Shop {
    /// Issues the order's invoice, once. None if nothing is left to invoice: a replacement, or everything was refunded.
    /// The caller has locked the order.
    pub(crate) async fn issue_invoice(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
    ) -> Result<Option<Document>, AppError> {
        let ids = std::slice::from_ref(&order.id);
        let issued = tx.documents_of(ids).await?;
        if let Some(invoice) = issued.into_iter().find(|one| one.refers_to.is_none()) {
            return Ok(Some(invoice));
        }
        let tax = &self.settings.tax;
        let place_of_supply = State::from_name(&order.address.state).unwrap_or(tax.state);
        let refunds = tx.refunds_of(ids).await?;
        let tax_of = self.item_taxes(tx, order).await?;
        let kind = tax.tax_kind(place_of_supply);
        let lines = invoice_lines(&order.lines, &refunds, kind, tax_of);
        if lines.is_empty() {
            return Ok(None);
        }
        let document = Document {
            id: self.ids.new_id(),
            kind: tax.invoice_kind(),
            number: String::new(),
            order_id: order.id.clone(),
            refund_id: None,
            refers_to: None,
            issued_at_ms: self.now_ms(),
            seller: tax.seller.clone(),
            buyer: buyer(order),
            place_of_supply,
            lines,
        };
        let document = insert_numbered(tx, document, &tax.invoice_prefix).await?;
        tx.deduct_refunds(&order.id, &document.id).await?;
        let (kind, number) = (OrderEventKind::Invoiced, document.number.clone());
        self.record_event(tx, &order.id, kind, Actor::System, number)
            .await?;
        failpoint("issuing an invoice");
        Ok(Some(document))
    }

    /// Issues the credit note of a completed refund, if the order has an invoice and the refund came after it. The caller
    /// has locked the order.
    pub(crate) async fn issue_credit_note(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        refund: &Refund,
    ) -> Result<Option<Document>, AppError> {
        if refund.deducted_from.is_some() {
            return Ok(None);
        }
        let documents = tx.documents_of(std::slice::from_ref(&order.id)).await?;
        let Some(invoice) = documents.iter().find(|one| one.refers_to.is_none()) else {
            return Ok(None);
        };
        let is_issued = |one: &Document| one.refund_id.as_deref() == Some(&refund.id);
        if documents.iter().any(is_issued) {
            return Ok(None);
        }
        let notes: Vec<_> = documents
            .iter()
            .filter(|one| one.refers_to.is_some())
            .flat_map(|note| note.lines.iter().cloned())
            .collect();
        let lines = credit_note_lines(&invoice.lines, &notes, refund, tax_kind_of(invoice));
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
        let note = insert_numbered(tx, note, &self.settings.tax.credit_note_prefix).await?;
        let (kind, number) = (OrderEventKind::CreditNoteIssued, note.number.clone());
        self.record_event(tx, &order.id, kind, Actor::System, number)
            .await?;
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
                    let users: BTreeSet<_> = orders.into_iter().map(|order| order.user.0).collect();
                    for user in users {
                        tx.lock_user(&UserId(user)).await?;
                    }
                    let mut packed = Vec::new();
                    for id in &ids {
                        let order = shop.lock_and_read_order(tx, id).await?;
                        if order.state.order_status != OrderStatus::Confirmed || !order.is_paid() {
                            return Err(AppError::new(
                                ErrorCode::OrderNotPackable,
                                format!(
                                    "Order {} is not confirmed and paid, so it cannot be packed.",
                                    crate::emails::short_id(id)
                                ),
                            ));
                        }
                        if tx.set_packed(id, now_ms).await? {
                            let actor = Actor::Admin(admin.email.clone());
                            let kind = OrderEventKind::Packed;
                            shop.record_event(tx, id, kind, actor, String::new())
                                .await?;
                            let action = AdminAction::OrderPacked;
                            shop.audit(tx, &admin, action, id, String::new()).await?;
                            shop.issue_invoice(tx, &order).await?;
                        }
                        packed.push(
                            tx.order(id)
                                .await?
                                .ok_or_else(crate::orders::order_not_found)?,
                        );
                    }
                    failpoint("packing orders");
                    Ok::<_, AppError>(packed)
                })
            })
            .await
    }

    /// The goods code and rate of each product of the order, today.
    async fn item_taxes(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
    ) -> Result<impl Fn(&OrderLine) -> ItemTax + use<>, AppError> {
        let ids: Vec<_> = order
            .lines
            .iter()
            .map(|line| line.product.clone())
            .collect();
        let products = tx.products_even_deleted(&ids).await?;
        let mut rates = usual_rates();
        rates.extend(tx.tax_rates().await?);
        let now_ms = self.now_ms();
        let hsn_digits = self.settings.tax.hsn_digits;
        Ok(move |line: &OrderLine| {
            let product = products.iter().find(|product| product.id == line.product);
            let hsn = product.map_or("", |product| product.details.hsn_code.as_str());
            let own = product.map_or(TaxRate::ZERO, |product| {
                TaxRate::from_percent(product.details.gst_rate_percent)
            });
            ItemTax {
                rate: rate_on(&rates, hsn, now_ms).unwrap_or(own),
                hsn: hsn.chars().take(hsn_digits).collect(),
            }
        })
    }
}

/// The number is taken in the transaction that stores the document.
async fn insert_numbered(
    tx: &mut dyn Transaction,
    document: Document,
    series: &SeriesPrefix,
) -> Result<Document, AppError> {
    let year = FinancialYear::of(document.issued_at_ms);
    let serial = tx.next_serial(series, year).await?;
    let number = series.number(year, serial);
    let document = Document { number, ..document };
    tx.insert_document(&document, series, year, serial).await?;
    Ok(document)
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
