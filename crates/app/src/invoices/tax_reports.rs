//! Reports for the accountant, from the invoices of a month: a list, and the tables of the return GSTR-1.

use std::collections::BTreeMap;

use mirasa_domain::invoice::{Invoice, InvoiceKind, Registration};
use mirasa_domain::ist;
use mirasa_domain::money::Paise;
use mirasa_domain::tax::TaxAmounts;

use crate::{AppError, Shop};

/// A calendar month in India.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Month {
    year: i64,
    month: u32,
}

impl Month {
    /// `2026-11`
    pub fn parse(text: &str) -> Option<Month> {
        let (year, month) = text.split_once('-')?;
        let is_plain =
            |part: &str, len| part.len() == len && part.bytes().all(|b| b.is_ascii_digit());
        if !is_plain(year, 4) || !is_plain(month, 2) {
            return None;
        }
        let (year, month) = (year.parse().ok()?, month.parse().ok()?);
        (1..=12).contains(&month).then_some(Month { year, month })
    }

    /// The first moment of the month, and the first of the next one.
    fn bounds_ms(self) -> (i64, i64) {
        let next = match self.month {
            12 => ist::first_of_month(self.year + 1, 1),
            month => ist::first_of_month(self.year, month + 1),
        };
        let first = ist::first_of_month(self.year, self.month);
        (ist::day_start_ms(first), ist::day_start_ms(next))
    }
}

/// A table of the return. Bills of supply are in none: those who issue them do not file it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gstr1Table {
    /// Table 5: large invoices to consumers in other states, one by one.
    LargeInvoices,
    /// Table 7: the other sales to consumers, by state and rate.
    Consumers,
    /// Table 9B: credit notes for the invoices of table 5.
    LargeCreditNotes,
    /// Table 12: summary by goods code.
    GoodsCodes,
    /// Table 13: documents issued.
    Documents,
}

impl Gstr1Table {
    pub fn parse(text: &str) -> Option<Gstr1Table> {
        match text {
            "5" => Some(Gstr1Table::LargeInvoices),
            "7" => Some(Gstr1Table::Consumers),
            "9b" => Some(Gstr1Table::LargeCreditNotes),
            "12" => Some(Gstr1Table::GoodsCodes),
            "13" => Some(Gstr1Table::Documents),
            _ => None,
        }
    }
}

/// Invoices to other states above this value are reported one by one.
const LARGE_INVOICE: Paise = Paise::new(10_000_000);

/// Whether this is such an invoice, or a credit note for one.
fn is_large(invoice: &Invoice) -> bool {
    let value = match &invoice.refers_to {
        Some(invoice) => invoice.total,
        None => invoice.amounts().total(),
    };
    invoice.place_of_supply.code() != invoice.seller.state_code && value > LARGE_INVOICE
}

/// The first row has the names of the columns.
pub type Rows = Vec<Vec<String>>;

impl Shop {
    pub async fn invoices_of_month(&self, month: Month) -> Result<Vec<Invoice>, AppError> {
        let (from_ms, to_ms) = month.bounds_ms();
        self.db
            .replica_read(async move |db| Ok(db.invoices_between(from_ms, to_ms).await?))
            .await
    }

    pub async fn gstr1(&self, table: Gstr1Table, month: Month) -> Result<Rows, AppError> {
        let mut invoices = self.invoices_of_month(month).await?;
        invoices.retain(|one| one.seller.registration == Registration::Regular);
        Ok(match table {
            Gstr1Table::LargeInvoices => large_invoices(&invoices),
            Gstr1Table::Consumers => consumers(&invoices),
            Gstr1Table::LargeCreditNotes => large_credit_notes(&invoices),
            Gstr1Table::GoodsCodes => goods_codes(&invoices),
            Gstr1Table::Documents => documents_issued(&invoices),
        })
    }

    /// One row for each line of each invoice.
    pub async fn invoice_rows(&self, month: Month) -> Result<Rows, AppError> {
        Ok(line_rows(&self.invoices_of_month(month).await?))
    }
}

/// Invoices less credit notes.
pub fn net_amounts(invoices: &[Invoice]) -> TaxAmounts {
    invoices.iter().fold(TaxAmounts::default(), |sum, one| {
        signed(sum, one, one.amounts())
    })
}

fn signed(sum: TaxAmounts, invoice: &Invoice, amounts: TaxAmounts) -> TaxAmounts {
    match invoice.kind {
        InvoiceKind::CreditNote => sum - amounts,
        InvoiceKind::TaxInvoice | InvoiceKind::BillOfSupply => sum + amounts,
    }
}

/// The amounts of credit notes are negative, so that a column adds up to the month's total.
fn line_rows(invoices: &[Invoice]) -> Rows {
    let mut rows = vec![header(&[
        "Document",
        "Number",
        "Date",
        "Order",
        "Invoice Number",
        "Customer",
        "Place Of Supply",
        "HSN",
        "Description",
        "Pack",
        "Quantity",
        "Rate",
        "Taxable Value",
        "Integrated Tax",
        "Central Tax",
        "State/UT Tax",
        "Total Value",
    ])];
    for invoice in invoices {
        let reference = invoice.refers_to.as_ref();
        for line in &invoice.lines {
            let sum = signed(TaxAmounts::default(), invoice, line.amounts);
            rows.push(vec![
                invoice.kind.title().into(),
                invoice.number.clone(),
                date(invoice),
                invoice.order_id.0.clone(),
                reference.map_or_else(String::new, |invoice| invoice.number.clone()),
                invoice.buyer.name.clone(),
                invoice.place_of_supply.label(),
                invoice.shown_hsn(line).into(),
                line.description.clone(),
                line.size.to_string(),
                (sign(invoice) * i64::from(line.quantity)).to_string(),
                decimal(i64::from(line.rate.basis_points())),
                rupees(sum.taxable),
                rupees(sum.igst),
                rupees(sum.cgst),
                rupees(sum.sgst),
                rupees(sum.total()),
            ]);
        }
    }
    rows
}

fn sign(invoice: &Invoice) -> i64 {
    match invoice.kind {
        InvoiceKind::CreditNote => -1,
        InvoiceKind::TaxInvoice | InvoiceKind::BillOfSupply => 1,
    }
}

/// `15-11-2026`, the day in India.
fn date(invoice: &Invoice) -> String {
    let (year, month, day) = ist::calendar_date(ist::day(invoice.issued_at_ms));
    format!("{day:02}-{month:02}-{year}")
}

/// The amounts of an invoice by rate, in hundredths of a per cent.
fn by_rate(invoice: &Invoice) -> BTreeMap<u32, TaxAmounts> {
    let mut sums = BTreeMap::<u32, TaxAmounts>::new();
    for line in &invoice.lines {
        let sum = sums.entry(line.rate.basis_points()).or_default();
        *sum = *sum + line.amounts;
    }
    sums
}

fn large_invoices(invoices: &[Invoice]) -> Rows {
    let mut rows = vec![header(&[
        "Invoice Number",
        "Invoice Date",
        "Invoice Value",
        "Place Of Supply",
        "Rate",
        "Taxable Value",
        "Integrated Tax",
    ])];
    let is_listed = |one: &&Invoice| one.refers_to.is_none() && is_large(one);
    for invoice in invoices.iter().filter(is_listed) {
        for (points, sum) in by_rate(invoice) {
            rows.push(vec![
                invoice.number.clone(),
                date(invoice),
                rupees(invoice.amounts().total()),
                invoice.place_of_supply.label(),
                decimal(i64::from(points)),
                rupees(sum.taxable),
                rupees(sum.igst),
            ]);
        }
    }
    rows
}

/// The amounts are positive: the type of the note says that they are deducted.
fn large_credit_notes(invoices: &[Invoice]) -> Rows {
    let mut rows = vec![header(&[
        "UR Type",
        "Note Number",
        "Note Date",
        "Note Type",
        "Invoice Number",
        "Place Of Supply",
        "Note Value",
        "Rate",
        "Taxable Value",
        "Integrated Tax",
    ])];
    for note in invoices.iter().filter(|one| is_large(one)) {
        let Some(invoice) = &note.refers_to else {
            continue;
        };
        for (points, sum) in by_rate(note) {
            rows.push(vec![
                "B2CL".into(),
                note.number.clone(),
                date(note),
                "C".into(),
                invoice.number.clone(),
                note.place_of_supply.label(),
                rupees(note.amounts().total()),
                decimal(i64::from(points)),
                rupees(sum.taxable),
                rupees(sum.igst),
            ]);
        }
    }
    rows
}

fn consumers(invoices: &[Invoice]) -> Rows {
    let mut sums = BTreeMap::<(u8, u32), TaxAmounts>::new();
    for invoice in invoices.iter().filter(|invoice| !is_large(invoice)) {
        for line in &invoice.lines {
            let key = (invoice.place_of_supply.code(), line.rate.basis_points());
            let sum = sums.entry(key).or_default();
            *sum = signed(*sum, invoice, line.amounts);
        }
    }
    let mut rows = vec![header(&[
        "Type",
        "Place Of Supply",
        "Rate",
        "Taxable Value",
        "Integrated Tax",
        "Central Tax",
        "State/UT Tax",
    ])];
    for ((code, points), sum) in sums {
        let state = mirasa_domain::tax::State::from_code(code);
        rows.push(vec![
            "OE".into(),
            state.map_or_else(String::new, mirasa_domain::tax::State::label),
            decimal(i64::from(points)),
            rupees(sum.taxable),
            rupees(sum.igst),
            rupees(sum.cgst),
            rupees(sum.sgst),
        ]);
    }
    rows
}

fn goods_codes(invoices: &[Invoice]) -> Rows {
    let mut sums = BTreeMap::<(String, u32), (i64, TaxAmounts)>::new();
    for invoice in invoices {
        for line in &invoice.lines {
            let key = (invoice.shown_hsn(line).to_owned(), line.rate.basis_points());
            let (packs, sum) = sums.entry(key).or_default();
            *packs += sign(invoice) * i64::from(line.quantity);
            *sum = signed(*sum, invoice, line.amounts);
        }
    }
    let mut rows = vec![header(&[
        "HSN",
        "UQC",
        "Total Quantity",
        "Total Value",
        "Rate",
        "Taxable Value",
        "Integrated Tax",
        "Central Tax",
        "State/UT Tax",
    ])];
    for ((hsn, points), (packs, sum)) in sums {
        rows.push(vec![
            hsn,
            "PAC-PACKS".into(),
            packs.to_string(),
            rupees(sum.total()),
            decimal(i64::from(points)),
            rupees(sum.taxable),
            rupees(sum.igst),
            rupees(sum.cgst),
            rupees(sum.sgst),
        ]);
    }
    rows
}

/// The invoices come by series and serial, so that the first and last of each series are its ends.
fn documents_issued(invoices: &[Invoice]) -> Rows {
    let mut series: Vec<(&Invoice, &Invoice, i64)> = Vec::new();
    let prefix = |invoice: &Invoice| {
        let (prefix, _) = invoice.number.split_once('/').unwrap_or_default();
        (prefix.to_owned(), invoice.kind)
    };
    for invoice in invoices {
        match series.last_mut() {
            Some((first, last, count)) if prefix(first) == prefix(invoice) => {
                *last = invoice;
                *count += 1;
            }
            _ => series.push((invoice, invoice, 1)),
        }
    }
    let mut rows = vec![header(&[
        "Nature of Document",
        "Sr. No. From",
        "Sr. No. To",
        "Total Number",
        "Cancelled",
        "Net Issued",
    ])];
    for (first, last, count) in series {
        let nature = match first.kind {
            InvoiceKind::CreditNote => "Credit Note",
            InvoiceKind::TaxInvoice | InvoiceKind::BillOfSupply => "Invoices for outward supply",
        };
        rows.push(vec![
            nature.into(),
            first.number.clone(),
            last.number.clone(),
            count.to_string(),
            "0".into(),
            count.to_string(),
        ]);
    }
    rows
}

fn header(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// `123.45`, also for the hundredths of a rate.
fn decimal(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let amount = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}", amount / 100, amount % 100)
}

fn rupees(amount: Paise) -> String {
    decimal(amount.get())
}
