//! Products as CSV files: all of them out, and changes of many at once in. An import is all or nothing.

mod columns;
mod import;
mod numbers;
mod plan;
mod shopify;
mod table;

use mirasa_domain::product::Product;

use crate::catalogue::product_csv::columns::{COLUMNS, Draft};
pub use crate::catalogue::product_csv::plan::{FieldChange, ImportReport, ImportRow, RowOutcome};
pub use crate::catalogue::product_csv::table::FORMULA_PREFIXES;
use crate::catalogue::product_csv::table::Table;
use crate::{AppError, Shop};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CsvFormat {
    /// Our own columns: everything that an admin can enter.
    Own,
    /// What Shopify's import reads.
    Shopify,
}

impl Shop {
    /// All products, also hidden ones, as they are in memory.
    pub fn export_products(&self, format: CsvFormat) -> Result<String, AppError> {
        let snapshot = self.catalogue.snapshot();
        let products: Vec<Product> = snapshot
            .search_all("")
            .into_iter()
            .map(|product| (**product).clone())
            .collect();
        let (headers, rows) = match format {
            CsvFormat::Own => own_rows(&products),
            CsvFormat::Shopify => {
                let settings = &self.settings;
                shopify::export(&products, &settings.shop_name, &settings.public_url)
            }
        };
        Table::write(&headers, &rows)
    }
}

/// The counts of stock are there twice. An admin changes the first ones; the second ones stay, so that packs that are sold
/// before the file is imported are not counted again.
fn own_rows(products: &[Product]) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let headers = ["id", "version"].into_iter();
    let headers = headers.chain(COLUMNS.iter().map(|column| column.name));
    let headers = headers.chain(plan::EXPORTED_COUNTS.map(|(_, exported)| exported));
    let rows = products.iter().map(|product| {
        let draft = Draft::from(product);
        let cells = [product.id.0.clone(), product.version.to_string()].into_iter();
        let cells = cells.chain(COLUMNS.iter().map(|column| (column.get)(&draft)));
        let stock = product.stock;
        let counts = [stock.grams, stock.pouches_50g, stock.pouches_100g];
        cells.chain(counts.map(|count| count.to_string())).collect()
    });
    (headers.collect(), rows.collect())
}
