//! Invoices, credit notes and the numbers of their series.

use std::collections::HashMap;

use async_trait::async_trait;
use mirasa_app::repository::invoices::{InvoiceQueries, InvoiceRepository};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::invoice::{
    FinancialYear, Invoice, InvoiceId, InvoiceKind, InvoiceLine, Reference, SeriesPrefix,
};
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderId;
use mirasa_domain::pack::PackSize;
use mirasa_domain::payment::AttemptId;
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::RefundId;
use mirasa_domain::tax::{State, TaxAmounts, TaxRate};

use crate::sql::engine::{SqlRepository, pad_list, placeholders, to_u32};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct InvoiceRow {
        id: InvoiceId,
        kind: String,
        number: String,
        order_id: OrderId,
        refund_id: Option<RefundId>,
        refers_to: Option<InvoiceId>,
        issued_at: i64,
        seller: String,
        buyer: String,
        place_of_supply: i64,
        reference_number: Option<String>,
        reference_issued_at: Option<i64>,
        reference_total: Option<i64>,
    }
}

row! {
    struct InvoiceLineRow {
        document_id: InvoiceId,
        product_id: String,
        description: String,
        hsn: String,
        grams: i64,
        quantity: i64,
        gross: i64,
        discount: i64,
        rate: i64,
        taxable: i64,
        cgst: i64,
        sgst: i64,
        igst: i64,
    }
}

impl InvoiceRow {
    fn into_invoice(self) -> StoreResult<Invoice> {
        let broken =
            |what: &str| StoreError::Broken(anyhow::anyhow!("invoice {}: {what}", self.id));
        let state = u8::try_from(self.place_of_supply).ok();
        let refers_to = match (
            self.refers_to,
            self.reference_number,
            self.reference_issued_at,
        ) {
            (Some(id), Some(number), Some(issued_at_ms)) => Some(Reference {
                id,
                number,
                issued_at_ms,
                total: Paise::new(self.reference_total.unwrap_or_default()),
            }),
            _ => None,
        };
        Ok(Invoice {
            kind: InvoiceKind::parse(&self.kind).ok_or_else(|| broken("kind"))?,
            seller: serde_json::from_str(&self.seller).map_err(|_| broken("seller"))?,
            buyer: serde_json::from_str(&self.buyer).map_err(|_| broken("buyer"))?,
            place_of_supply: state
                .and_then(State::from_code)
                .ok_or_else(|| broken("place of supply"))?,
            id: self.id,
            number: self.number,
            order_id: self.order_id,
            refund_id: self.refund_id,
            refers_to,
            issued_at_ms: self.issued_at,
            lines: Vec::new(),
        })
    }
}

impl From<InvoiceLineRow> for InvoiceLine {
    fn from(row: InvoiceLineRow) -> InvoiceLine {
        InvoiceLine {
            product: ProductId(row.product_id),
            description: row.description,
            hsn: row.hsn,
            size: if row.grams == 50 {
                PackSize::G50
            } else {
                PackSize::G100
            },
            quantity: to_u32(row.quantity),
            gross: Paise::new(row.gross),
            discount: Paise::new(row.discount),
            rate: TaxRate::from_basis_points(to_u32(row.rate)),
            amounts: TaxAmounts {
                taxable: Paise::new(row.taxable),
                cgst: Paise::new(row.cgst),
                sgst: Paise::new(row.sgst),
                igst: Paise::new(row.igst),
            },
        }
    }
}

const SELECT: &str =
    "select d.*, r.number as reference_number, r.issued_at as reference_issued_at, r.total as reference_total from documents d
    left join documents r on r.id = d.refers_to";

#[async_trait]
impl InvoiceQueries for SqlRepository<'_> {
    async fn invoice(&mut self, id: &InvoiceId) -> StoreResult<Option<Invoice>> {
        let text = format!("{SELECT} where d.id = $1");
        let row: Option<InvoiceRow> = self.fetch_optional(query(text).bind(id)).await?;
        let found = self.with_invoice_lines(row.into_iter().collect()).await;
        Ok(found?.pop())
    }

    async fn invoices_of(&mut self, order_ids: &[OrderId]) -> StoreResult<Vec<Invoice>> {
        if order_ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "{SELECT} where d.order_id in ({}) order by d.order_id, d.issued_at, d.id",
            placeholders(1, order_ids.len())
        );
        let find = order_ids.iter().fold(query(text), Query::bind);
        let rows: Vec<InvoiceRow> = self.fetch_all(find).await?;
        self.with_invoice_lines(rows).await
    }

    async fn invoices_between(&mut self, from_ms: i64, to_ms: i64) -> StoreResult<Vec<Invoice>> {
        let text = format!(
            "{SELECT} where d.issued_at >= $1 and d.issued_at < $2
             order by d.refers_to is not null, d.series, d.financial_year, d.serial"
        );
        let find = query(text).bind(from_ms).bind(to_ms);
        let rows: Vec<InvoiceRow> = self.fetch_all(find).await?;
        self.with_invoice_lines(rows).await
    }
}

#[async_trait]
impl InvoiceRepository for SqlRepository<'_> {
    async fn take_serials(
        &mut self,
        series: &SeriesPrefix,
        year: FinancialYear,
        count: usize,
        now_ms: i64,
    ) -> StoreResult<(i64, i64)> {
        const TAKE: &str = "insert into document_series (series, financial_year, last_serial, last_issued_at) values ($1, $2, $4, $3)
            on conflict (series, financial_year) do update set last_serial = document_series.last_serial + excluded.last_serial,
            last_issued_at = case when excluded.last_issued_at > document_series.last_issued_at then excluded.last_issued_at
                else document_series.last_issued_at end
            returning last_serial, last_issued_at";
        let take = query(TAKE)
            .bind(series.as_str())
            .bind(year.start_year())
            .bind(now_ms)
            .bind(count as i64);
        self.fetch_one::<(i64, i64)>(take).await
    }

    async fn insert_invoice(
        &mut self,
        invoice: &Invoice,
        series: &SeriesPrefix,
        year: FinancialYear,
        serial: i64,
    ) -> StoreResult<()> {
        const INSERT: &str = "insert into documents (id, kind, series, financial_year, serial, number, order_id, refund_id, refers_to,
            issued_at, seller, buyer, place_of_supply, taxable, cgst, sgst, igst, total)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)";
        let json = |error: serde_json::Error| StoreError::Broken(error.into());
        let amounts = invoice.amounts();
        let insert = query(INSERT)
            .bind(&invoice.id)
            .bind(invoice.kind.as_str())
            .bind(series.as_str())
            .bind(year.start_year())
            .bind(serial)
            .bind(&invoice.number)
            .bind(&invoice.order_id)
            .bind(&invoice.refund_id)
            .bind(
                invoice
                    .refers_to
                    .as_ref()
                    .map(|invoice| invoice.id.as_str()),
            )
            .bind(invoice.issued_at_ms)
            .bind(serde_json::to_string(&invoice.seller).map_err(json)?)
            .bind(serde_json::to_string(&invoice.buyer).map_err(json)?)
            .bind(i64::from(invoice.place_of_supply.code()))
            .bind(amounts.taxable.get())
            .bind(amounts.cgst.get())
            .bind(amounts.sgst.get())
            .bind(amounts.igst.get())
            .bind(amounts.total().get());
        self.execute_deferred(insert).await?;
        let rows: Vec<_> = (0..invoice.lines.len())
            .map(|at| format!("({})", placeholders(at * 14 + 1, 14)))
            .collect();
        let text = format!(
            "insert into document_lines (document_id, line, product_id, description, hsn, grams, quantity, gross, discount, rate,
             taxable, cgst, sgst, igst) values {}",
            rows.join(", ")
        );
        let mut insert = query(text);
        for (number, line) in (1_i64..).zip(&invoice.lines) {
            insert = insert
                .bind(&invoice.id)
                .bind(number)
                .bind(&line.product.0)
                .bind(&line.description)
                .bind(&line.hsn)
                .bind(i64::from(line.size.grams()))
                .bind(i64::from(line.quantity))
                .bind(line.gross.get())
                .bind(line.discount.get())
                .bind(i64::from(line.rate.basis_points()))
                .bind(line.amounts.taxable.get())
                .bind(line.amounts.cgst.get())
                .bind(line.amounts.sgst.get())
                .bind(line.amounts.igst.get());
        }
        self.execute_deferred(insert).await
    }

    async fn deduct_completed_refunds(
        &mut self,
        merchant_order_id: &AttemptId,
        invoice_id: &InvoiceId,
    ) -> StoreResult<()> {
        const DEDUCT: &str = "update refunds set deducted_from = $2 where merchant_order_id = $1 and state = 'completed'";
        self.execute_deferred(query(DEDUCT).bind(merchant_order_id).bind(invoice_id))
            .await
    }

    async fn set_packed(&mut self, order_ids: &[OrderId], now_ms: i64) -> StoreResult<()> {
        if order_ids.is_empty() {
            return Ok(());
        }
        let ids = pad_list(order_ids);
        let text = format!(
            "update orders set packed_at = $1, updated_at = $1, version = version + 1 where packed_at is null and id in ({})",
            placeholders(2, ids.len())
        );
        let pack = ids.into_iter().fold(query(text).bind(now_ms), Query::bind);
        self.execute_deferred(pack).await
    }
}

impl SqlRepository<'_> {
    /// The lines of all invoices are read in one statement.
    async fn with_invoice_lines(&mut self, rows: Vec<InvoiceRow>) -> StoreResult<Vec<Invoice>> {
        let mut invoices = rows
            .into_iter()
            .map(InvoiceRow::into_invoice)
            .collect::<StoreResult<Vec<_>>>()?;
        let mut by_invoice = HashMap::<InvoiceId, Vec<InvoiceLine>>::new();
        // A month may have more invoices than a statement has parameters.
        for chunk in invoices.chunks(500) {
            let text = format!(
                "select * from document_lines where document_id in ({}) order by document_id, line",
                placeholders(1, chunk.len())
            );
            let ids = chunk.iter().map(|invoice| &invoice.id);
            let lines: Vec<InvoiceLineRow> =
                self.fetch_all(ids.fold(query(text), Query::bind)).await?;
            for line in lines {
                let of_invoice = by_invoice.entry(line.document_id.clone()).or_default();
                of_invoice.push(line.into());
            }
        }
        for invoice in &mut invoices {
            invoice.lines = by_invoice.remove(&invoice.id).unwrap_or_default();
        }
        Ok(invoices)
    }
}
