//! The page of an order: notes of staff, and the corrected delivery address.

use mirasa_app::orders::SeenOrder;
use mirasa_domain::address::AddressInput;
use mirasa_domain::order_note::OrderNote;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::customers::list_types::CustomerDto;
use crate::api::orders::types::OrderDto;
use crate::api::types::to_iso8601;

#[derive(Serialize, ToSchema)]
#[schema(as = OrderNote)]
pub struct OrderNoteDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub text: String,
    /// The admin's email.
    pub by: String,
    pub at: String,
}

impl From<OrderNote> for OrderNoteDto {
    fn from(note: OrderNote) -> OrderNoteDto {
        OrderNoteDto {
            id: note.id,
            text: note.text,
            by: note.author,
            at: to_iso8601(note.at_ms),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct OrderNoteResponse {
    pub note: OrderNoteDto,
}

#[derive(Serialize, ToSchema)]
pub struct StaffOrderResponse {
    pub order: OrderDto,
    /// Oldest first.
    pub notes: Vec<OrderNoteDto>,
    #[schema(required)]
    pub customer: Option<CustomerDto>,
}

#[derive(Deserialize, ToSchema)]
pub struct OrderNoteRequest {
    #[schema(max_length = 2000, pattern = "\\S")]
    pub text: String,
}

/// Everything but `addressLine2` and `version` is required.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub struct DeliveryAddressRequest {
    #[schema(required, min_length = 1, max_length = 100, pattern = "\\S")]
    pub name: String,
    /// Ten digits, optionally with +91 or 0 in front.
    #[schema(required, min_length = 10, pattern = "^[-+() 0-9]*$")]
    pub phone: String,
    #[schema(required, min_length = 1, max_length = 200, pattern = "\\S")]
    pub address_line1: String,
    #[schema(max_length = 200)]
    pub address_line2: Option<String>,
    #[schema(required, min_length = 1, max_length = 100, pattern = "\\S")]
    pub city: String,
    /// A state or union territory of India.
    #[schema(required, min_length = 3, max_length = 60)]
    pub state: String,
    #[schema(required, pattern = "^[1-9][0-9]{5}$")]
    pub pincode: String,
    /// The version that the page showed: if the order has another one, nothing is changed.
    pub version: Option<i64>,
}

impl DeliveryAddressRequest {
    pub fn parse(self) -> (SeenOrder, AddressInput) {
        let seen = SeenOrder {
            version: self.version,
            status: None,
        };
        let input = AddressInput {
            address_name: String::new(),
            name: self.name,
            phone: self.phone,
            line1: self.address_line1,
            line2: self.address_line2.unwrap_or_default(),
            city: self.city,
            state: self.state,
            pincode: self.pincode,
        };
        (seen, input)
    }
}
