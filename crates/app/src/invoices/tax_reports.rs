//! Reports for the accountant, from the documents of a month: a list, and the tables of the return GSTR-1.

use std::collections::BTreeMap;

use mirasa_domain::invoice::{Document, DocumentKind, Registration};
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
fn is_large(document: &Document) -> bool {
    let value = match &document.refers_to {
        Some(invoice) => invoice.total,
        None => document.amounts().total(),
    };
    document.place_of_supply.code() != document.seller.state_code && value > LARGE_INVOICE
}

/// The first row has the names of the columns.
pub type Rows = Vec<Vec<String>>;

impl Shop {
    pub async fn documents_of_month(&self, month: Month) -> Result<Vec<Document>, AppError> {
        let (from_ms, to_ms) = month.bounds_ms();
        self.db
            .replica_read(async move |db| Ok(db.documents_between(from_ms, to_ms).await?))
            .await
    }

    pub async fn gstr1(&self, table: Gstr1Table, month: Month) -> Result<Rows, AppError> {
        let mut documents = self.documents_of_month(month).await?;
        documents.retain(|one| one.seller.registration == Registration::Regular);
        Ok(match table {
            Gstr1Table::LargeInvoices => large_invoices(&documents),
            Gstr1Table::Consumers => consumers(&documents),
            Gstr1Table::LargeCreditNotes => large_credit_notes(&documents),
            Gstr1Table::GoodsCodes => goods_codes(&documents),
            Gstr1Table::Documents => documents_issued(&documents),
        })
    }

    /// One row for each line of each document.
    pub async fn document_rows(&self, month: Month) -> Result<Rows, AppError> {
        Ok(document_lines(&self.documents_of_month(month).await?))
    }
}

/// Invoices less credit notes.
pub fn net_amounts(documents: &[Document]) -> TaxAmounts {
    documents.iter().fold(TaxAmounts::default(), |sum, one| {
        signed(sum, one, one.amounts())
    })
}

fn signed(sum: TaxAmounts, document: &Document, amounts: TaxAmounts) -> TaxAmounts {
    match document.kind {
        DocumentKind::CreditNote => sum - amounts,
        DocumentKind::TaxInvoice | DocumentKind::BillOfSupply => sum + amounts,
    }
}

/// The amounts of credit notes are negative, so that a column adds up to the month's total.
fn document_lines(documents: &[Document]) -> Rows {
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
    for document in documents {
        let reference = document.refers_to.as_ref();
        for line in &document.lines {
            let sum = signed(TaxAmounts::default(), document, line.amounts);
            rows.push(vec![
                document.kind.title().into(),
                document.number.clone(),
                date(document),
                document.order_id.clone(),
                reference.map_or_else(String::new, |invoice| invoice.number.clone()),
                document.buyer.name.clone(),
                document.place_of_supply.label(),
                document.shown_hsn(line).into(),
                line.description.clone(),
                line.size.to_string(),
                (sign(document) * i64::from(line.quantity)).to_string(),
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

fn sign(document: &Document) -> i64 {
    match document.kind {
        DocumentKind::CreditNote => -1,
        DocumentKind::TaxInvoice | DocumentKind::BillOfSupply => 1,
    }
}

/// `15-11-2026`, the day in India.
fn date(document: &Document) -> String {
    let (year, month, day) = ist::calendar_date(ist::day(document.issued_at_ms));
    format!("{day:02}-{month:02}-{year}")
}

/// The amounts of a document by rate, in hundredths of a per cent.
fn by_rate(document: &Document) -> BTreeMap<u32, TaxAmounts> {
    let mut sums = BTreeMap::<u32, TaxAmounts>::new();
    for line in &document.lines {
        let sum = sums.entry(line.rate.basis_points()).or_default();
        *sum = *sum + line.amounts;
    }
    sums
}

fn large_invoices(documents: &[Document]) -> Rows {
    let mut rows = vec![header(&[
        "Invoice Number",
        "Invoice Date",
        "Invoice Value",
        "Place Of Supply",
        "Rate",
        "Taxable Value",
        "Integrated Tax",
    ])];
    let is_listed = |one: &&Document| one.refers_to.is_none() && is_large(one);
    for invoice in documents.iter().filter(is_listed) {
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
fn large_credit_notes(documents: &[Document]) -> Rows {
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
    for note in documents.iter().filter(|one| is_large(one)) {
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

fn consumers(documents: &[Document]) -> Rows {
    let mut sums = BTreeMap::<(u8, u32), TaxAmounts>::new();
    for document in documents.iter().filter(|document| !is_large(document)) {
        for line in &document.lines {
            let key = (document.place_of_supply.code(), line.rate.basis_points());
            let sum = sums.entry(key).or_default();
            *sum = signed(*sum, document, line.amounts);
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

fn goods_codes(documents: &[Document]) -> Rows {
    let mut sums = BTreeMap::<(String, u32), (i64, TaxAmounts)>::new();
    for document in documents {
        for line in &document.lines {
            let key = (
                document.shown_hsn(line).to_owned(),
                line.rate.basis_points(),
            );
            let (packs, sum) = sums.entry(key).or_default();
            *packs += sign(document) * i64::from(line.quantity);
            *sum = signed(*sum, document, line.amounts);
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

/// The documents come by series and serial, so that the first and last of each series are its ends.
fn documents_issued(documents: &[Document]) -> Rows {
    let mut series: Vec<(&Document, &Document, i64)> = Vec::new();
    let prefix = |document: &Document| {
        let (prefix, _) = document.number.split_once('/').unwrap_or_default();
        (prefix.to_owned(), document.kind)
    };
    for document in documents {
        match series.last_mut() {
            Some((first, last, count)) if prefix(first) == prefix(document) => {
                *last = document;
                *count += 1;
            }
            _ => series.push((document, document, 1)),
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
            DocumentKind::CreditNote => "Credit Note",
            DocumentKind::TaxInvoice | DocumentKind::BillOfSupply => "Invoices for outward supply",
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
