//! Messages from the contact form. Each field may be empty.

use mirasa_domain::message::ContactMessage;
use mirasa_domain::validation;

use crate::{AppError, Shop};

impl Shop {
    pub async fn submit_contact_message(
        &self,
        name: &str,
        email: &str,
        message: &str,
    ) -> Result<(), AppError> {
        let message = ContactMessage::new(
            self.ids.new_id().into(),
            validation::single_line("name", name, 200)?,
            validation::single_line("email", email, 254)?,
            validation::multi_line("message", message, 5000)?,
            self.now_ms(),
        );
        self.db
            .write(async move |tx| Ok(tx.insert_message(&message).await?))
            .await
    }
}
