//! Which part of the shelf a list asks for.

use mirasa_app::AppError;
use serde::Deserialize;
use utoipa::IntoParams;

/// Everything where nothing is named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProductListQuery {
    pub search: String,
    pub categories: Vec<String>,
    page: usize,
    limit: Option<usize>,
}

/// As the description of the API has it.
#[derive(Deserialize, IntoParams)]
#[allow(dead_code)]
pub struct ProductListParams {
    /// Part of a product's name or category.
    search: Option<String>,
    /// Products of any of these categories.
    category: Option<Vec<String>>,
    /// 1 is the first.
    #[param(minimum = 1)]
    page: Option<usize>,
    /// Products on a page; all of them where it is not given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

impl ProductListQuery {
    pub fn parse(query: &str) -> Result<ProductListQuery, AppError> {
        let mut asked = ProductListQuery::default();
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "search" => asked.search = value.trim().to_lowercase(),
                "category" if value.trim().is_empty() => {}
                "category" => asked.categories.push(value.trim().to_lowercase()),
                "page" => asked.page = parse_number("page", &value, usize::MAX)? - 1,
                "limit" => asked.limit = Some(parse_number("limit", &value, 1000)?),
                _ => {}
            }
        }
        asked.categories.sort();
        asked.categories.dedup();
        Ok(asked)
    }

    pub fn paginate<'a, T>(&self, found: &'a [T]) -> &'a [T] {
        let Some(limit) = self.limit else {
            return found;
        };
        let start = self.page.saturating_mul(limit).min(found.len());
        &found[start..found.len().min(start + limit)]
    }
}

fn parse_number(name: &'static str, text: &str, most: usize) -> Result<usize, AppError> {
    let bad = || {
        AppError::invalid(match most {
            usize::MAX => format!("{name} must be a whole number, 1 or more"),
            _ => format!("{name} must be a whole number from 1 to {most}"),
        })
        .with_field(name)
    };
    let number: usize = text.parse().map_err(|_| bad())?;
    (1..=most)
        .contains(&number)
        .then_some(number)
        .ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_shelf_is_a_page_of_what_is_found() {
        let part = |query: &str| {
            let query = ProductListQuery::parse(query).unwrap();
            query.paginate(&[1, 2, 3, 4, 5]).to_vec()
        };
        assert_eq!(part(""), [1, 2, 3, 4, 5]);
        assert_eq!(part("limit=2"), [1, 2]);
        assert_eq!(part("limit=2&page=3"), [5]);
        assert!(part("limit=2&page=4").is_empty());
        assert!(part("limit=1000&page=18446744073709551615").is_empty());
    }

    #[test]
    fn the_same_question_is_asked_in_one_way() {
        let parse = |query| ProductListQuery::parse(query).unwrap();
        assert_eq!(
            parse("category=Veg&category=soups&search=%20RASAM&unknown=1"),
            parse("search=rasam&category=Soups&category=veg&category=VEG")
        );
        for bad in [
            "page=0",
            "page=x",
            "limit=0",
            "limit=1001",
            "limit=-1",
            "page=",
        ] {
            assert!(ProductListQuery::parse(bad).is_err(), "{bad}");
        }
    }
}
