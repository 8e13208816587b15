//! Shopify's product file, in both spellings of its columns. Rows with the same handle are one product: the first one has
//! its data, and each one may have a pack size and an image.

use mirasa_domain::pack::PackSize;
use mirasa_domain::product::Product;

use crate::catalogue::product_csv::columns::format_amount;
use crate::catalogue::product_csv::table::{Row, Table};

/// What a new product gets whose file has no ingredients. It stays hidden until somebody enters them.
const NO_INGREDIENTS: &str = "To be added";
const IMAGE_FOLDER: &str = "/images/products/";

/// Each column with its older and its newer name, in lower case.
const NAMES: [(Field, &str, &str); 15] = [
    (Field::Handle, "handle", "url handle"),
    (Field::Title, "title", "title"),
    (Field::Description, "body (html)", "description"),
    (Field::Type, "type", "type"),
    (Field::Tags, "tags", "tags"),
    (Field::Published, "published", "published on online store"),
    (Field::Status, "status", "status"),
    (Field::Option, "option1 value", "option1 value"),
    (Field::Grams, "variant grams", "weight value (grams)"),
    (
        Field::Quantity,
        "variant inventory qty",
        "inventory quantity",
    ),
    (Field::Price, "variant price", "price"),
    (Field::Image, "image src", "product image url"),
    (Field::ImageAlt, "image alt text", "image alt text"),
    (
        Field::Ingredients,
        "ingredients (product.metafields.custom.ingredients)",
        "ingredients",
    ),
    (Field::Hsn, "hsn (product.metafields.custom.hsn)", "hsn"),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Handle,
    Title,
    Description,
    Type,
    Tags,
    Published,
    Status,
    Option,
    Grams,
    Quantity,
    Price,
    Image,
    ImageAlt,
    Ingredients,
    Hsn,
}

const HEADERS: [&str; 22] = [
    "Handle",
    "Title",
    "Body (HTML)",
    "Vendor",
    "Type",
    "Tags",
    "Published",
    "Option1 Name",
    "Option1 Value",
    "Variant Grams",
    "Variant Inventory Tracker",
    "Variant Inventory Qty",
    "Variant Inventory Policy",
    "Variant Fulfillment Service",
    "Variant Price",
    "Variant Requires Shipping",
    "Variant Taxable",
    "Image Src",
    "Image Position",
    "Image Alt Text",
    "Status",
    "HSN (product.metafields.custom.hsn)",
];

/// Where each field is in a file.
struct Layout<'t> {
    headers: &'t [String],
}

impl Layout<'_> {
    fn index(&self, field: Field) -> Option<usize> {
        let (_, older, newer) = NAMES.into_iter().find(|(name, ..)| *name == field)?;
        self.headers.iter().position(|header| {
            let header = header.to_lowercase();
            header == older || header == newer
        })
    }

    fn cell<'r>(&self, row: &'r Row, field: Field) -> &'r str {
        let cell = self.index(field).and_then(|index| row.cells.get(index));
        cell.map_or("", |cell| cell.trim())
    }

    fn has(&self, field: Field) -> bool {
        self.index(field).is_some()
    }
}

pub fn is_shopify(table: &Table) -> bool {
    let layout = Layout {
        headers: &table.headers,
    };
    layout.has(Field::Handle) && (layout.has(Field::Title) || layout.has(Field::Price))
}

/// The same products as rows of our own columns. A column that the file does not have is left out.
pub fn to_own_columns(table: &Table, public_url: &str) -> Table {
    let layout = Layout {
        headers: &table.headers,
    };
    let mut headers = vec!["id"];
    let present = |fields: &[Field]| fields.iter().any(|field| layout.has(*field));
    for (name, is_present) in [
        ("product_name", present(&[Field::Title])),
        ("description", present(&[Field::Description])),
        ("category", present(&[Field::Type, Field::Tags])),
        ("mrp_50g", present(&[Field::Price])),
        ("mrp_100g", present(&[Field::Price])),
        ("isVisible", present(&[Field::Published, Field::Status])),
        ("images", present(&[Field::Image])),
        (
            "image_alts",
            present(&[Field::Image]) && layout.has(Field::ImageAlt),
        ),
        ("ingredients", present(&[Field::Ingredients])),
        ("hsn_code", present(&[Field::Hsn])),
    ] {
        if is_present {
            headers.push(name);
        }
    }
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in &table.rows {
        let handle = layout.cell(row, Field::Handle);
        match groups.last_mut() {
            Some(group) if layout.cell(group[0], Field::Handle) == handle => group.push(row),
            _ => groups.push(vec![row]),
        }
    }
    let rows = groups
        .iter()
        .map(|group| to_own_row(&layout, group, &headers, public_url));
    Table {
        rows: rows.collect(),
        headers: headers.iter().map(ToString::to_string).collect(),
        separator: table.separator,
    }
}

fn to_own_row(layout: &Layout<'_>, group: &[&Row], headers: &[&str], public_url: &str) -> Row {
    let first = group[0];
    let mut error = group.iter().find_map(|row| row.error.clone());
    let (mut prices, mut packs) = ([String::new(), String::new()], [0_i64; 2]);
    for row in group {
        let (option, price) = (
            layout.cell(row, Field::Option),
            layout.cell(row, Field::Price),
        );
        if option.is_empty() && price.is_empty() {
            continue;
        }
        let Some(size) = pack_size(option, layout.cell(row, Field::Grams)) else {
            error = Some(format!("the pack “{option}” is not one of 50 g and 100 g"));
            continue;
        };
        let index = usize::from(size == PackSize::G100);
        prices[index] = price.to_owned();
        packs[index] = layout
            .cell(row, Field::Quantity)
            .parse()
            .unwrap_or(0)
            .max(0);
    }
    let tags = layout.cell(first, Field::Tags).split(',');
    let categories: Vec<&str> = std::iter::once(layout.cell(first, Field::Type))
        .chain(tags)
        .map(str::trim)
        .filter(|category| !category.is_empty())
        .collect();
    let images = group
        .iter()
        .filter(|row| !layout.cell(row, Field::Image).is_empty());
    let image_files = images.clone().map(|row| {
        let url = layout.cell(row, Field::Image);
        let own = url.strip_prefix(public_url);
        let own = own.and_then(|path| path.strip_prefix(IMAGE_FOLDER));
        own.unwrap_or(url).to_owned()
    });
    let alts = images.map(|row| layout.cell(row, Field::ImageAlt).to_owned());
    let is_published = !layout
        .cell(first, Field::Published)
        .eq_ignore_ascii_case("false")
        && !["draft", "archived"]
            .contains(&layout.cell(first, Field::Status).to_lowercase().as_str());
    let cells = headers.iter().map(|header| match *header {
        "id" => layout.cell(first, Field::Handle).to_owned(),
        "product_name" => layout.cell(first, Field::Title).to_owned(),
        "description" => plain_text(layout.cell(first, Field::Description)),
        "category" => categories.join("\n"),
        "mrp_50g" => prices[0].clone(),
        "mrp_100g" => prices[1].clone(),
        "isVisible" => if is_published { "yes" } else { "no" }.to_owned(),
        "images" => image_files.clone().collect::<Vec<_>>().join("\n"),
        "image_alts" => alts.clone().collect::<Vec<_>>().join("\n"),
        "ingredients" => layout.cell(first, Field::Ingredients).replace(", ", "\n"),
        _ => layout.cell(first, Field::Hsn).to_owned(),
    });
    let cells = cells.collect();
    let weights = [("50 g", &prices[0]), ("100 g", &prices[1])];
    let sold = weights.iter().filter(|(_, price)| !price.is_empty());
    let weights: Vec<&str> = sold.map(|(weight, _)| *weight).collect();
    let mut for_new = vec![
        ("net_wt", weights.join("\n")),
        ("stock", (packs[0] * 50 + packs[1] * 100).to_string()),
        ("packaging_50gms", packs[0].to_string()),
        ("packaging_100gms", packs[1].to_string()),
    ];
    if layout.cell(first, Field::Ingredients).is_empty() {
        for_new.push(("ingredients", NO_INGREDIENTS.into()));
        for_new.push(("isVisible", "no".into()));
    }
    if categories.is_empty() {
        for_new.push(("category", "Masala".into()));
    }
    Row {
        line: first.line,
        cells,
        error,
        for_new,
    }
}

/// `50 g`, `50g`, `50 gm`; or by the weight of the pack, for a product with a single one.
fn pack_size(option: &str, grams: &str) -> Option<PackSize> {
    let digits = |text: &str| -> String {
        let text = text.trim();
        text.chars().take_while(char::is_ascii_digit).collect()
    };
    let unit = option
        .trim()
        .trim_start_matches(|c: char| c.is_ascii_digit());
    let is_weight = unit.trim().to_lowercase().starts_with('g') && !digits(option).is_empty();
    match if is_weight {
        digits(option)
    } else {
        digits(grams)
    }
    .as_str()
    {
        "50" => Some(PackSize::G50),
        "100" => Some(PackSize::G100),
        _ => None,
    }
}

/// Without tags, on one line.
fn plain_text(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut is_tag = false;
    for character in html.chars() {
        match character {
            '<' => {
                is_tag = true;
                text.push(' ');
            }
            '>' if is_tag => is_tag = false,
            _ if is_tag => {}
            other => text.push(other),
        }
    }
    let text = text
        .replace("&nbsp;", " ")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn export(
    products: &[Product],
    shop: &str,
    public_url: &str,
) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let rows = products
        .iter()
        .flat_map(|product| product_rows(product, shop, public_url));
    (HEADERS.to_vec(), rows.collect())
}

fn product_rows(product: &Product, shop: &str, public_url: &str) -> Vec<Vec<String>> {
    let (details, prices) = (&product.details, product.details.prices());
    let sizes: Vec<PackSize> = [PackSize::G50, PackSize::G100]
        .into_iter()
        .filter(|size| prices.of(*size).is_some())
        .collect();
    let count = sizes.len().max(details.images.len()).max(1);
    let row = |index: usize| {
        let is_first = index == 0;
        let size = sizes.get(index).copied();
        let image = details.images.get(index);
        let on_first = |text: &str| {
            if is_first {
                text.to_owned()
            } else {
                String::new()
            }
        };
        let of_size = |text: &dyn Fn(PackSize) -> String| size.map(text).unwrap_or_default();
        let fixed = |text: &str| size.map(|_| text.to_owned()).unwrap_or_default();
        let escaped = details
            .description
            .replace('&', "&amp;")
            .replace('<', "&lt;");
        let categories = &details.category;
        let image_url = |file: &str| match file.contains("://") {
            true => file.to_owned(),
            false => format!("{public_url}{IMAGE_FOLDER}{file}"),
        };
        vec![
            product.id.0.clone(),
            on_first(&details.product_name),
            on_first(&format!("<p>{}</p>", escaped.replace('>', "&gt;"))),
            on_first(shop),
            on_first(categories.first().map_or("", String::as_str)),
            on_first(&categories.get(1..).unwrap_or_default().join(", ")),
            on_first(if product.is_visible { "TRUE" } else { "FALSE" }),
            on_first("Pack"),
            of_size(&|size| size.to_string()),
            of_size(&|size| size.grams().to_string()),
            fixed("shopify"),
            of_size(&|size| product.sellable().max_packs(size).to_string()),
            fixed("deny"),
            fixed("manual"),
            of_size(&|size| prices.of(size).map(format_amount).unwrap_or_default()),
            fixed("TRUE"),
            fixed("TRUE"),
            image
                .map(|image| image_url(&image.file))
                .unwrap_or_default(),
            image.map(|_| (index + 1).to_string()).unwrap_or_default(),
            image.map(|image| image.alt.clone()).unwrap_or_default(),
            on_first(if product.is_visible {
                "active"
            } else {
                "draft"
            }),
            on_first(&details.hsn_code),
        ]
    };
    (0..count).map(row).collect()
}

#[cfg(test)]
mod tests;
