//! The columns of our own file, as texts of a product and back.

use mirasa_domain::money::Paise;
use mirasa_domain::product::{Diet, Heat, Image, NetWeight, Product, ProductDetails, TrendingRank};
use mirasa_domain::stock::Stock;

/// A product while the cells of a row are applied to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub details: ProductDetails,
    pub stock: Stock,
    pub is_visible: bool,
    pub trending_rank: Option<TrendingRank>,
}

impl Draft {
    pub fn new() -> Draft {
        Draft {
            details: ProductDetails {
                country_of_origin: "India".into(),
                ..ProductDetails::default()
            },
            stock: Stock::default(),
            is_visible: true,
            trending_rank: None,
        }
    }
}

impl From<&Product> for Draft {
    fn from(product: &Product) -> Draft {
        Draft {
            details: (*product.details).clone(),
            stock: product.stock,
            is_visible: product.is_visible,
            trending_rank: product.trending_rank,
        }
    }
}

pub struct Column {
    pub name: &'static str,
    /// Whether a cell is a number that can have a decimal mark. `set` gets it as `1234.50`.
    pub is_decimal: bool,
    pub get: fn(&Draft) -> String,
    /// The error is what the cell must be.
    pub set: fn(&mut Draft, &str) -> Result<(), &'static str>,
}

macro_rules! text {
    ($name:literal, $($field:ident).+) => {
        Column {
            name: $name,
            is_decimal: false,
            get: |draft| draft.details.$($field).+.clone(),
            set: |draft, cell| {
                draft.details.$($field).+ = cell.to_owned();
                Ok(())
            },
        }
    };
}

macro_rules! list {
    ($name:literal, $field:ident) => {
        Column {
            name: $name,
            is_decimal: false,
            get: |draft| join_lines(&draft.details.$field),
            set: |draft, cell| {
                draft.details.$field = split_lines(cell);
                Ok(())
            },
        }
    };
}

macro_rules! count {
    ($name:literal, $field:ident) => {
        Column {
            name: $name,
            is_decimal: false,
            get: |draft| draft.stock.$field.to_string(),
            set: |draft, cell| {
                draft.stock.$field = parse_count(cell)?;
                Ok(())
            },
        }
    };
}

/// Named after the fields of the API. `id` and `version` are not here: they are not changed.
pub const COLUMNS: &[Column] = &[
    text!("product_name", product_name),
    text!("devanagari_name", devanagari_name),
    text!("generic_name", generic_name),
    text!("description", description),
    list!("category", category),
    Column {
        name: "mrp_50g",
        is_decimal: true,
        get: |draft| price(&draft.details.mrp, 0),
        set: |draft, cell| set_price(&mut draft.details.mrp, 0, cell),
    },
    Column {
        name: "mrp_100g",
        is_decimal: true,
        get: |draft| price(&draft.details.mrp, 1),
        set: |draft, cell| set_price(&mut draft.details.mrp, 1, cell),
    },
    Column {
        name: "net_wt",
        is_decimal: false,
        get: |draft| {
            let weight = |weight: &NetWeight| format!("{} {}", weight.value, weight.unit);
            join_lines(&draft.details.net_wt.iter().map(weight).collect::<Vec<_>>())
        },
        set: |draft, cell| {
            let weights = split_lines(cell);
            let weights = weights.iter().filter(|text| !text.trim().is_empty());
            draft.details.net_wt = weights
                .map(|text| parse_weight(text))
                .collect::<Option<_>>()
                .ok_or("must be weights such as 50 g, one on each line")?;
            Ok(())
        },
    },
    Column {
        name: "isVisible",
        is_decimal: false,
        get: |draft| if draft.is_visible { "yes" } else { "no" }.into(),
        set: |draft, cell| {
            draft.is_visible = match cell.trim().to_ascii_lowercase().as_str() {
                "yes" | "true" | "1" => true,
                "no" | "false" | "0" => false,
                _ => return Err("must be yes or no"),
            };
            Ok(())
        },
    },
    Column {
        name: "trendingRank",
        is_decimal: false,
        get: |draft| {
            let rank = draft.trending_rank;
            rank.map_or_else(String::new, |rank| rank.get().to_string())
        },
        set: |draft, cell| {
            let invalid = "must be a whole number from 1 to 10, or empty";
            draft.trending_rank = match cell.trim() {
                "" => None,
                rank => {
                    let rank = rank.parse().map_err(|_| invalid)?;
                    Some(TrendingRank::new(rank).map_err(|_| invalid)?)
                }
            };
            Ok(())
        },
    },
    count!("stock", grams),
    count!("packaging_50gms", pouches_50g),
    count!("packaging_100gms", pouches_100g),
    Column {
        name: "diet",
        is_decimal: false,
        get: |draft| draft.details.diet.as_str().into(),
        set: |draft, cell| {
            draft.details.diet = Diet::parse(cell.trim()).ok_or("must be veg or non-veg")?;
            Ok(())
        },
    },
    Column {
        name: "heat",
        is_decimal: false,
        get: |draft| {
            let text = draft.details.heat.map(Heat::as_str);
            text.unwrap_or_default().into()
        },
        set: |draft, cell| {
            draft.details.heat = match cell.trim() {
                "" => None,
                heat => Some(Heat::parse(heat).ok_or("must be none, mild, medium, hot or empty")?),
            };
            Ok(())
        },
    },
    list!("ingredients", ingredients),
    text!("preservatives", preservatives),
    list!("recipe", recipe),
    list!("why_you_will_love_it", why_you_will_love_it),
    text!("energy", nutrition_facts.energy),
    text!("fat", nutrition_facts.fat),
    text!("protein", nutrition_facts.protein),
    text!("carbohydrate", nutrition_facts.carbohydrate),
    text!("sugar", nutrition_facts.sugar),
    text!("best_before", best_before),
    text!("country_of_origin", country_of_origin),
    text!("fssai_reg_no", fssai_reg_no),
    text!("manufactured_marketed_by", manufactured_marketed_by),
    text!("address", address),
    text!("email", email),
    text!("customer_care_no", customer_care_no),
    text!("hsn_code", hsn_code),
    Column {
        name: "gst_rate_percent",
        is_decimal: true,
        get: |draft| draft.details.gst_rate_percent.to_string(),
        set: |draft, cell| {
            let rate = cell
                .trim()
                .parse()
                .ok()
                .filter(|rate: &f64| rate.is_finite());
            draft.details.gst_rate_percent = rate.ok_or("must be from 0 to 100")?;
            Ok(())
        },
    },
    Column {
        name: "images",
        is_decimal: false,
        get: |draft| {
            let files = draft.details.images.iter().map(|image| image.file.clone());
            join_lines(&files.collect::<Vec<_>>())
        },
        set: |draft, cell| {
            let known = std::mem::take(&mut draft.details.images);
            let files = split_lines(cell)
                .into_iter()
                .filter(|file| !file.trim().is_empty());
            let image = |file: String| match known.iter().find(|image| image.file == file) {
                Some(known) => known.clone(),
                None => Image {
                    file,
                    ..Image::default()
                },
            };
            draft.details.images = files.map(image).collect();
            Ok(())
        },
    },
    Column {
        name: "image_alts",
        is_decimal: false,
        get: |draft| {
            let texts = draft.details.images.iter().map(|image| image.alt.clone());
            join_lines(&texts.collect::<Vec<_>>())
        },
        set: |draft, cell| {
            let texts = split_lines(cell)
                .into_iter()
                .chain(std::iter::repeat(String::new()));
            for (image, text) in draft.details.images.iter_mut().zip(texts) {
                image.alt = text;
            }
            Ok(())
        },
    },
];

/// One entry on each line. An entry with line breaks has `\n` instead, and `\\` is a backslash.
fn join_lines(entries: &[String]) -> String {
    let escape = |entry: &String| {
        let entry = entry.replace("\r\n", "\n").replace('\\', "\\\\");
        entry.replace('\n', "\\n")
    };
    entries.iter().map(escape).collect::<Vec<_>>().join("\n")
}

fn split_lines(cell: &str) -> Vec<String> {
    if cell.is_empty() {
        return Vec::new();
    }
    cell.lines()
        .map(|line| {
            let mut entry = String::with_capacity(line.len());
            let mut characters = line.chars();
            while let Some(character) = characters.next() {
                match (character, character == '\\') {
                    (_, true) => match characters.next() {
                        Some('n') => entry.push('\n'),
                        Some(other) => entry.push(other),
                        None => entry.push('\\'),
                    },
                    (other, false) => entry.push(other),
                }
            }
            entry
        })
        .collect()
}

fn price(prices: &[Paise], index: usize) -> String {
    let price = prices.get(index);
    price.map_or_else(String::new, |price| format_amount(*price))
}

pub fn format_amount(amount: Paise) -> String {
    format!("{}.{:02}", amount.get() / 100, amount.get() % 100)
}

/// An empty cell means that this size is not sold.
fn set_price(prices: &mut Vec<Paise>, index: usize, cell: &str) -> Result<(), &'static str> {
    if cell.trim().is_empty() {
        if prices.len() > index + 1 {
            prices[index] = Paise::ZERO;
        } else {
            prices.truncate(index);
        }
        return Ok(());
    }
    let amount = parse_amount(cell.trim()).ok_or("must be an amount such as 65.50")?;
    if prices.len() <= index {
        prices.resize(index + 1, Paise::ZERO);
    }
    prices[index] = amount;
    Ok(())
}

/// Digits with at most two decimals: `1234.50`.
fn parse_amount(text: &str) -> Option<Paise> {
    const MAX_RUPEES: i64 = 10_000_000;
    let (rupees, paise) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if rupees.is_empty() || !is_number(rupees) || !is_number(paise) || paise.len() > 2 {
        return None;
    }
    let rupees: i64 = rupees.parse().ok().filter(|rupees| *rupees <= MAX_RUPEES)?;
    let paise: i64 = format!("{paise:0<2}").parse().ok()?;
    Some(Paise::new(rupees * 100 + paise))
}

fn parse_weight(text: &str) -> Option<NetWeight> {
    let (value, unit) = text.trim().split_once(' ')?;
    Some(NetWeight {
        value: value.parse().ok().filter(|value: &f64| value.is_finite())?,
        unit: unit.trim().to_owned(),
    })
}

pub fn parse_count(cell: &str) -> Result<i64, &'static str> {
    let count = cell.trim().parse().ok();
    count
        .filter(|count: &i64| (0..=crate::catalogue::product_edit::MAX_STOCK).contains(count))
        .ok_or("must be a whole number from 0 to 1000000000")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_survive_with_line_breaks_and_backslashes() {
        for entries in [
            vec![],
            vec!["one"],
            vec!["one", "two"],
            vec!["a\nb", "c\\n", "d\\"],
            vec!["", "alt"],
        ] {
            let entries: Vec<String> = entries.into_iter().map(str::to_owned).collect();
            assert_eq!(split_lines(&join_lines(&entries)), entries);
        }
    }

    #[test]
    fn amounts_are_exact() {
        let parse = |text| parse_amount(text).map(Paise::get);
        assert_eq!(parse("65.5"), Some(6550));
        assert_eq!(parse("1234.05"), Some(123_405));
        assert_eq!(parse("0"), Some(0));
        for wrong in [
            "",
            ".5",
            "-1",
            "1.234",
            "1,234",
            "₹65",
            "1e3",
            "99999999999",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_column_reads_what_it_writes() {
        let mut draft = Draft::new();
        draft.details.mrp = vec![Paise::new(6550), Paise::ZERO];
        draft.details.net_wt = vec![NetWeight {
            value: 0.5,
            unit: "kg".into(),
        }];
        draft.details.images = vec![Image {
            file: "a.webp".into(),
            alt: "A pouch".into(),
            ..Image::default()
        }];
        draft.details.heat = Some(Heat::Hot);
        draft.details.diet = Diet::NonVeg;
        draft.details.gst_rate_percent = 5.0;
        draft.trending_rank = Some(TrendingRank::new(3).unwrap());
        draft.stock.grams = 1200;
        draft.is_visible = false;
        draft.details.ingredients = vec!["Coriander".into(), "Stone flower".into()];
        let mut copy = Draft::new();
        for column in COLUMNS {
            (column.set)(&mut copy, &(column.get)(&draft)).unwrap();
        }
        assert_eq!(copy, draft);
    }
}
