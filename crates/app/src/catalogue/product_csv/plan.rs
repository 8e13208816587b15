//! What each row of a file would change.

use std::collections::{HashMap, HashSet};

use mirasa_domain::product::{Image, Product, ProductId};
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::catalogue::product_csv::columns::{COLUMNS, Draft, parse_count};
use crate::catalogue::product_csv::table::{Row, Separator, Table};
use crate::catalogue::product_csv::{numbers, shopify};

/// The counts of stock, and the columns with their values at the time of the export.
pub const EXPORTED_COUNTS: [(&str, &str); 3] = [
    ("stock", "stock_at_export"),
    ("packaging_50gms", "packaging_50gms_at_export"),
    ("packaging_100gms", "packaging_100gms_at_export"),
];

/// Also said to an admin who imports the same change of the stock a second time.
const CHANGED_SINCE_EXPORT: &str =
    "this product was changed since the file was exported, perhaps by this file: export it again";

mirasa_domain::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum RowOutcome {
        Added = "added",
        Changed = "changed",
        Unchanged = "unchanged",
        Invalid = "invalid",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldChange {
    /// The name of a column.
    pub field: String,
    pub from: String,
    pub to: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ImportRow {
    /// Of the file, from 1.
    pub line: u64,
    pub id: String,
    pub name: String,
    pub outcome: RowOutcome,
    pub changes: Vec<FieldChange>,
    pub error: Option<String>,
}

/// What an import changed, or would change.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ImportReport {
    /// In the order of the file.
    pub rows: Vec<ImportRow>,
    /// Columns of the file that mean nothing here.
    pub ignored_columns: Vec<String>,
    /// False for a dry run, and if a row is invalid: then nothing is changed.
    pub is_applied: bool,
}

impl ImportReport {
    pub fn count(&self, outcome: RowOutcome) -> usize {
        self.rows
            .iter()
            .filter(|row| row.outcome == outcome)
            .count()
    }
}

/// A file that was read, with what is known of the images that it names.
pub struct Import {
    table: Table,
    ignored_columns: Vec<String>,
    is_shopify: bool,
    public_url: String,
    pub images: HashMap<String, Image>,
}

/// A row, and the product as it will be. None if nothing is written.
pub struct PlannedRow {
    pub report: ImportRow,
    pub id: ProductId,
    pub was: Option<Product>,
    pub draft: Option<Draft>,
    /// Of the product, if the row adds it. Later than the one in the file, which may be a copy of another product's: the
    /// same file is then refused, and cannot add the difference of its counts.
    pub new_version: i64,
}

/// What each row changes, and the products that this was compared with.
pub struct Plan {
    pub rows: Vec<PlannedRow>,
    pub known: Known,
}

/// The products of the file that exist, and the ids of those that were deleted.
#[derive(Default, PartialEq)]
pub struct Known {
    pub products: HashMap<ProductId, Product>,
    pub deleted: HashSet<ProductId>,
}

impl Import {
    pub fn read(file: &[u8], public_url: String) -> Result<Import, AppError> {
        let table = Table::parse(file)?;
        let is_shopify = shopify::is_shopify(&table);
        let mut table = table;
        let mut ignored_columns = Vec::new();
        if is_shopify {
            table = shopify::to_own_columns(&table, &public_url);
        } else {
            let counts = EXPORTED_COUNTS.map(|(_, exported)| exported);
            let is_known = |header: &str| {
                ["id", "version"].contains(&header)
                    || counts.contains(&header)
                    || COLUMNS.iter().any(|column| column.name == header)
            };
            let unknown = table.headers.iter().filter(|header| !is_known(header));
            ignored_columns.extend(unknown.cloned());
        }
        let has = |name: &str| table.headers.iter().any(|header| header == name);
        if !has("id") && !has("product_name") {
            let text =
                "The first row must name the columns; one of them must be id or product_name";
            return Err(AppError::invalid(text).with_field("file"));
        }
        let mut seen = HashSet::new();
        if let Some(twice) = table.headers.iter().find(|header| !seen.insert(*header)) {
            let text = format!("The column “{twice}” is there twice");
            return Err(AppError::invalid(text).with_field("file"));
        }
        Ok(Import {
            table,
            ignored_columns,
            is_shopify,
            public_url,
            images: HashMap::new(),
        })
    }

    fn cell<'r>(&self, row: &'r Row, name: &str) -> Option<&'r str> {
        let index = self
            .table
            .headers
            .iter()
            .position(|header| header == name)?;
        row.cells.get(index).map(String::as_str)
    }

    /// The id in the file, or the one that follows from the name.
    fn id(&self, row: &Row) -> ProductId {
        match self.cell(row, "id").map(str::trim) {
            Some(id) if !id.is_empty() => ProductId(id.to_owned()),
            _ => ProductId::from_name(self.cell(row, "product_name").unwrap_or_default()),
        }
    }

    /// That of the product when the file was exported, or an empty text.
    fn version<'r>(&self, row: &'r Row) -> &'r str {
        self.cell(row, "version").map(str::trim).unwrap_or_default()
    }

    pub fn ids(&self) -> Vec<ProductId> {
        let mut ids: Vec<_> = self.table.rows.iter().map(|row| self.id(row)).collect();
        ids.sort();
        ids.dedup();
        ids
    }

    pub fn image_files(&self) -> HashSet<String> {
        let cells = self
            .table
            .rows
            .iter()
            .filter_map(|row| self.cell(row, "images"));
        cells
            .flat_map(str::lines)
            .map(|file| file.trim().to_owned())
            .collect()
    }

    pub fn plan(&self, known: Known) -> Plan {
        let (mut ids, mut ranks) = (HashSet::new(), HashSet::new());
        let rows = self.table.rows.iter().map(|row| {
            let id = self.id(row);
            let was = known.products.get(&id).cloned();
            let draft = if known.deleted.contains(&id) {
                Err("a deleted product had this id".to_owned())
            } else if !ids.insert(id.clone()) {
                Err("this product is in the file twice".to_owned())
            } else {
                self.draft(row, &id, was.as_ref())
                    .and_then(|draft| match draft.trending_rank {
                        Some(rank) if !ranks.insert(rank.get()) => {
                            Err(format!("two products of the file have rank {}", rank.get()))
                        }
                        _ => Ok(draft),
                    })
            };
            let version = self.version(row).parse::<i64>().unwrap_or_default();
            PlannedRow {
                new_version: version.checked_add(1).unwrap_or(1),
                ..PlannedRow::new(row.line, id, was, draft)
            }
        });
        let rows = rows.collect();
        Plan { rows, known }
    }

    /// The product with the cells of the row, or what is wrong with them.
    fn draft(&self, row: &Row, id: &ProductId, was: Option<&Product>) -> Result<Draft, String> {
        if let Some(error) = &row.error {
            return Err(error.clone());
        }
        if was.is_none() && ProductId::from_name(&id.0) != *id {
            return Err("id must have small letters, digits and dashes only".into());
        }
        let has_id = self
            .cell(row, "id")
            .is_some_and(|cell| !cell.trim().is_empty());
        if was.is_some() && !has_id {
            return Err(format!(
                "there is a product with the id {}: please name it in the column id",
                id.0
            ));
        }
        let mut draft = was.map_or_else(Draft::new, Draft::from);
        // What our own export of the product says: Shopify's columns cannot hold all of it.
        let unchanged = was.filter(|_| self.is_shopify).map(|was| {
            let (headers, rows) = shopify::export(std::slice::from_ref(was), "", &self.public_url);
            let rows = rows.into_iter().map(|cells| Row {
                line: 0,
                cells,
                error: None,
                for_new: Vec::new(),
            });
            let table = Table {
                headers: headers.iter().map(ToString::to_string).collect(),
                rows: rows.collect(),
                separator: Separator::Comma,
            };
            shopify::to_own_columns(&table, &self.public_url)
        });
        let as_exported = |name: &str| {
            let table = unchanged.as_ref()?;
            let index = table.headers.iter().position(|header| header == name)?;
            table.rows.first()?.cells.get(index).map(String::as_str)
        };
        for column in COLUMNS {
            let for_new = row.for_new.iter().find(|(name, _)| *name == column.name);
            let for_new = for_new
                .filter(|_| was.is_none())
                .map(|(_, cell)| cell.as_str());
            let cell = self.cell(row, column.name);
            let cell = cell.filter(|cell| was.is_none() || as_exported(column.name) != Some(cell));
            let Some(cell) = for_new.or(cell) else {
                continue;
            };
            let plain = if column.is_decimal {
                let read = numbers::plain_decimal(cell, self.table.separator);
                read.map_err(|rule| format!("{} {rule}", column.name))?
            } else {
                cell.into()
            };
            let cell = &*plain;
            let exported = EXPORTED_COUNTS
                .iter()
                .find(|(name, _)| *name == column.name);
            let exported = exported.and_then(|(_, name)| self.cell(row, name));
            let set = match exported.filter(|_| was.is_some()) {
                Some(exported) => set_count(column.name, &mut draft, cell, exported),
                None => (column.set)(&mut draft, cell),
            };
            set.map_err(|rule| format!("{} {rule}", column.name))?;
        }
        for image in &mut draft.details.images {
            if let Some(found) = self.images.get(&image.file) {
                *image = Image {
                    alt: std::mem::take(&mut image.alt),
                    ..found.clone()
                };
            }
        }
        draft.details = draft
            .details
            .validate()
            .map_err(|error| error.to_string())?;
        let version = self.version(row);
        let has_exported = EXPORTED_COUNTS
            .iter()
            .any(|(_, exported)| self.cell(row, exported).is_some());
        // Without it the same file could add the same change of the stock twice.
        if was.is_some_and(|was| was.stock != draft.stock) && has_exported && version.is_empty() {
            return Err("version is required with stock_at_export: export the file again".into());
        }
        match was {
            Some(was)
                if draft != Draft::from(was)
                    && !version.is_empty()
                    && version != was.version.to_string() =>
            {
                Err(CHANGED_SINCE_EXPORT.into())
            }
            _ => Ok(draft),
        }
    }

    pub fn report(&self, rows: &[PlannedRow], is_applied: bool) -> ImportReport {
        ImportReport {
            rows: rows.iter().map(|row| row.report.clone()).collect(),
            ignored_columns: self.ignored_columns.clone(),
            is_applied,
        }
    }
}

/// Changes the current count by what the admin changed in the file: packs may have been sold since the export.
fn set_count(
    name: &str,
    draft: &mut Draft,
    cell: &str,
    exported: &str,
) -> Result<(), &'static str> {
    let change = parse_count(cell)? - parse_count(exported)?;
    let count = match name {
        "stock" => &mut draft.stock.grams,
        "packaging_50gms" => &mut draft.stock.pouches_50g,
        _ => &mut draft.stock.pouches_100g,
    };
    *count += change;
    if *count < 0 {
        return Err("would be below 0: packs were sold since the file was exported");
    }
    Ok(())
}

impl PlannedRow {
    fn new(
        line: u64,
        id: ProductId,
        was: Option<Product>,
        draft: Result<Draft, String>,
    ) -> PlannedRow {
        let before = was.as_ref().map(Draft::from);
        let (outcome, error, draft) = match draft {
            Err(error) => (RowOutcome::Invalid, Some(error), None),
            Ok(draft) => match &before {
                None => (RowOutcome::Added, None, Some(draft)),
                Some(before) if *before == draft => (RowOutcome::Unchanged, None, None),
                Some(_) => (RowOutcome::Changed, None, Some(draft)),
            },
        };
        let changes = match (&before, &draft) {
            (Some(before), Some(draft)) => changes(before, draft),
            (None, Some(draft)) => changes(&Draft::new(), draft),
            _ => Vec::new(),
        };
        let name = draft.as_ref().or(before.as_ref());
        let name = name.map(|draft| draft.details.product_name.clone());
        PlannedRow {
            report: ImportRow {
                line,
                id: id.0.clone(),
                name: name.unwrap_or_default(),
                outcome,
                changes,
                error,
            },
            id,
            was,
            draft,
            new_version: 1,
        }
    }
}

fn changes(before: &Draft, after: &Draft) -> Vec<FieldChange> {
    let changes = COLUMNS.iter().map(|column| FieldChange {
        field: column.name.to_owned(),
        from: (column.get)(before),
        to: (column.get)(after),
    });
    changes.filter(|change| change.from != change.to).collect()
}
