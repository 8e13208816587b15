//! Reports for the accountant: the tables of the return GSTR-1, from the documents of a month.

use std::collections::BTreeMap;

use mirasa_domain::invoice::{Document, DocumentKind};
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

/// A table of the return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gstr1Table {
    /// Table 7: sales to consumers by state and rate.
    Consumers,
    /// Table 12: summary by goods code.
    GoodsCodes,
    /// Table 13: documents issued.
    Documents,
}

impl Gstr1Table {
    pub fn parse(text: &str) -> Option<Gstr1Table> {
        match text {
            "7" => Some(Gstr1Table::Consumers),
            "12" => Some(Gstr1Table::GoodsCodes),
            "13" => Some(Gstr1Table::Documents),
            _ => None,
        }
    }
}

/// The first row has the names of the columns.
pub type Rows = Vec<Vec<String>>;

impl Shop {
    pub async fn documents_of_month(&self, month: Month) -> Result<Vec<Document>, AppError> {
        let (from_ms, to_ms) = month.bounds_ms();
        self.db
            .read(move |db| {
                Box::pin(async move { Ok(db.documents_between(from_ms, to_ms).await?) })
            })
            .await
    }

    pub async fn gstr1(&self, table: Gstr1Table, month: Month) -> Result<Rows, AppError> {
        let documents = self.documents_of_month(month).await?;
        Ok(match table {
            Gstr1Table::Consumers => consumers(&documents),
            Gstr1Table::GoodsCodes => goods_codes(&documents),
            Gstr1Table::Documents => documents_issued(&documents),
        })
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

fn consumers(documents: &[Document]) -> Rows {
    let mut sums = BTreeMap::<(u8, u32), TaxAmounts>::new();
    for document in documents {
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
        let sign = if document.kind == DocumentKind::CreditNote {
            -1
        } else {
            1
        };
        for line in &document.lines {
            let key = (line.hsn.clone(), line.rate.basis_points());
            let (packs, sum) = sums.entry(key).or_default();
            *packs += sign * i64::from(line.quantity);
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
    let mut series: Vec<(&str, &Document, &Document, i64)> = Vec::new();
    for document in documents {
        let (prefix, _) = document.number.rsplit_once('/').unwrap_or(("", ""));
        match series.last_mut() {
            Some((last_prefix, _, last, count)) if *last_prefix == prefix => {
                *last = document;
                *count += 1;
            }
            _ => series.push((prefix, document, document, 1)),
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
    for (_, first, last, count) in series {
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
