//! Ids as values of placeholders and columns: the text that they hold.

use mirasa_app::repository::StoreResult;
use mirasa_domain::address::AddressId;
use mirasa_domain::batch::BatchId;
use mirasa_domain::discount::DiscountId;
use mirasa_domain::invoice::InvoiceId;
use mirasa_domain::issue::IssueId;
use mirasa_domain::message::{EmailId, MessageId};
use mirasa_domain::order::OrderId;
use mirasa_domain::payment::AttemptId;
use mirasa_domain::problem::ProblemId;
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::RefundId;
use mirasa_domain::review::ReviewId;
use mirasa_domain::shipment::ShipmentId;
use mirasa_domain::stock_notice::NoticeId;
use mirasa_domain::user::UserId;

use crate::sql::query::Param;
use crate::sql::row::{Column, FromRow, Row};

macro_rules! stored_ids {
    ($($id:ident),* $(,)?) => {$(
        impl<'q> From<&'q $id> for Param<'q> {
            fn from(id: &'q $id) -> Param<'q> {
                id.as_str().into()
            }
        }

        impl<'q> From<Option<&'q $id>> for Param<'q> {
            fn from(id: Option<&'q $id>) -> Param<'q> {
                id.map($id::as_str).into()
            }
        }

        impl<'q> From<&'q Option<$id>> for Param<'q> {
            fn from(id: &'q Option<$id>) -> Param<'q> {
                id.as_ref().into()
            }
        }

        impl Column for $id {
            fn from_column(row: &Row<'_>, position: usize) -> StoreResult<$id> {
                row.at(position).map($id)
            }
        }

        impl Column for Option<$id> {
            fn from_column(row: &Row<'_>, position: usize) -> StoreResult<Option<$id>> {
                let text: Option<String> = row.at(position)?;
                Ok(text.map($id))
            }
        }

        impl FromRow for $id {
            fn from_row(row: &Row<'_>) -> StoreResult<$id> {
                row.at(0)
            }
        }
    )*};
}

stored_ids!(
    AddressId, AttemptId, BatchId, DiscountId, EmailId, InvoiceId, IssueId, MessageId, NoticeId,
    OrderId, ProblemId, ProductId, RefundId, ReviewId, ShipmentId, UserId,
);
