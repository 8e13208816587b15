//! The report of an import of products.

use mirasa_app::catalogue::{ImportReport, ImportRow, RowOutcome};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::text::{ApiEnum, Text};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductImportResponse {
    /// False for a dry run, and if a row is invalid: then nothing is changed.
    pub applied: bool,
    pub added: usize,
    pub changed: usize,
    pub unchanged: usize,
    pub invalid: usize,
    /// Columns of the file that mean nothing here.
    pub ignored_columns: Vec<String>,
    /// In the order of the file, without unchanged ones.
    pub rows: Vec<ProductImportRowDto>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ProductImportRow)]
#[serde(rename_all = "camelCase")]
pub struct ProductImportRowDto {
    /// Of the file, from 1.
    pub line: u64,
    #[serde(rename = "_id")]
    pub id: String,
    pub product_name: String,
    pub outcome: RowOutcomeDto,
    pub changes: Vec<FieldChangeDto>,
    #[schema(required)]
    pub error: Option<String>,
}

pub type RowOutcomeDto = Text<RowOutcome>;

impl ApiEnum for RowOutcome {
    const NAME: &'static str = "ProductImportOutcome";
}

#[derive(Serialize, ToSchema)]
#[schema(as = ProductFieldChange)]
pub struct FieldChangeDto {
    pub field: String,
    pub from: String,
    pub to: String,
}

impl From<ImportReport> for ProductImportResponse {
    fn from(report: ImportReport) -> ProductImportResponse {
        ProductImportResponse {
            applied: report.is_applied,
            added: report.count(RowOutcome::Added),
            changed: report.count(RowOutcome::Changed),
            unchanged: report.count(RowOutcome::Unchanged),
            invalid: report.count(RowOutcome::Invalid),
            ignored_columns: report.ignored_columns,
            rows: report
                .rows
                .into_iter()
                .filter(|row| row.outcome != RowOutcome::Unchanged)
                .map(ProductImportRowDto::from)
                .collect(),
        }
    }
}

impl From<ImportRow> for ProductImportRowDto {
    fn from(row: ImportRow) -> ProductImportRowDto {
        ProductImportRowDto {
            line: row.line,
            id: row.id,
            product_name: row.name,
            outcome: row.outcome.into(),
            changes: row
                .changes
                .into_iter()
                .map(|change| FieldChangeDto {
                    field: change.field,
                    from: change.from,
                    to: change.to,
                })
                .collect(),
            error: row.error,
        }
    }
}
