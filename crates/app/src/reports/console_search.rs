//! The search of the console: orders by their numbers, customers, products.

use std::sync::Arc;

use mirasa_domain::product::Product;

use crate::repository::customers::list::{Customer, CustomerFilter, CustomerSort};
use crate::repository::reports::console_search::{FoundOrder, OrderNumber};
use crate::{AppError, Shop};

pub const MIN_SEARCH_CHARS: usize = 2;
/// Longer than any number, name or email.
pub const MAX_SEARCH_CHARS: usize = 100;
/// Of each kind.
const MAX_RESULTS: usize = 5;
/// A shorter part of a number would be found by chance.
const MIN_ORDER_NUMBER_CHARS: usize = 4;
const SHOWN_ID_CHARS: usize = 8;
const FULL_ID_CHARS: usize = 36;

#[derive(Debug)]
pub struct ConsoleResults {
    pub orders: Vec<FoundOrder>,
    pub customers: Vec<Customer>,
    pub products: Vec<Arc<Product>>,
}

impl Shop {
    pub async fn search_console(&self, text: &str) -> Result<ConsoleResults, AppError> {
        let text = text.trim().to_owned();
        if !(MIN_SEARCH_CHARS..=MAX_SEARCH_CHARS).contains(&text.chars().count()) {
            let message =
                format!("q must have {MIN_SEARCH_CHARS} to {MAX_SEARCH_CHARS} characters");
            return Err(AppError::invalid(message).with_field("q"));
        }
        let snapshot = self.catalogue.snapshot();
        let products = snapshot.search_all(&text).into_iter();
        let products = products.take(MAX_RESULTS).cloned().collect();
        let customers = CustomerFilter::new(&text, CustomerSort::LastOrder);
        let number = order_number(&text);
        let (orders, customers) = self
            .db
            .replica_read(async move |db| {
                Ok::<_, AppError>((
                    db.orders_by_number(number.as_ref(), &text, MAX_RESULTS as i64)
                        .await?,
                    db.customers_page(&customers, 0, MAX_RESULTS as i64).await?,
                ))
            })
            .await?;
        Ok(ConsoleResults {
            orders: orders.into_iter().take(MAX_RESULTS).collect(),
            customers,
            products,
        })
    }
}

/// None if the text is no part of an order's number. People write it with a # in front.
fn order_number(text: &str) -> Option<OrderNumber> {
    let text = text.trim_start_matches('#').to_lowercase();
    let is_hex = |c: char| c.is_ascii_hexdigit();
    match text.len() {
        FULL_ID_CHARS if text.chars().all(|c| is_hex(c) || c == '-') => {
            Some(OrderNumber::Full(text))
        }
        MIN_ORDER_NUMBER_CHARS..=SHOWN_ID_CHARS if text.chars().all(is_hex) => {
            Some(OrderNumber::Shown(text))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_number_is_the_shown_end_or_the_whole_id() {
        let id = "019a8d2e-4f3c-7a10-9b2e-c0ffee12ab34";
        let shown = |text: &str| Some(OrderNumber::Shown(text.into()));
        for (text, expected) in [
            ("EE12AB34", shown("ee12ab34")),
            ("#ee12ab34", shown("ee12ab34")),
            ("EE12", shown("ee12")),
            ("EE1", None),
            ("EE12AB345", None),
            ("asha", None),
            ("9876543210", None),
            (id, Some(OrderNumber::Full(id.into()))),
            (&id.to_uppercase(), Some(OrderNumber::Full(id.into()))),
        ] {
            assert_eq!(order_number(text), expected, "{text}");
        }
    }
}
