//! Messages from the contact form. Any field may be empty; what is there must be printable.

use mirasa_domain::validation;

use crate::ports::storage::ContactQuery;
use crate::{AppError, Shop};

impl Shop {
    pub async fn keep_query(&self, name: &str, email: &str, message: &str) -> Result<(), AppError> {
        let query = ContactQuery {
            id: self.ids.new_id(),
            name: validation::single_line("name", name, 200)?,
            email: validation::single_line("email", email, 254)?,
            message: validation::multi_line("message", message, 5000)?,
            at_ms: self.now_ms(),
        };
        self.db
            .write(move |writes| Box::pin(async move { Ok(writes.insert_query(&query).await?) }))
            .await
    }
}
