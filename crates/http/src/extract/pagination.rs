//! One page of a long list.

use mirasa_app::AppError;
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
pub struct PageQuery {
    #[param(minimum = 1, maximum = 1000000000)]
    page: Option<i64>,
    /// 1 to 1000; 1000 where it is not given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<i64>,
}

pub struct Page {
    pub number: i64,
    pub limit: i64,
}

impl PageQuery {
    pub fn page(&self) -> Result<Page, AppError> {
        let (number, limit) = (self.page.unwrap_or(1), self.limit.unwrap_or(1000));
        if !(1..=1_000_000_000).contains(&number) {
            return Err(out_of_range("page"));
        }
        if !(1..=1000).contains(&limit) {
            return Err(out_of_range("limit"));
        }
        Ok(Page { number, limit })
    }
}

pub fn out_of_range(field: &'static str) -> AppError {
    AppError::invalid("page must be 1 or more, limit from 1 to 1000").with_field(field)
}

impl Page {
    pub fn skip(&self) -> i64 {
        (self.number - 1) * self.limit
    }
}
