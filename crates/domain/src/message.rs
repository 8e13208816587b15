//! Messages from the contact form.

#[derive(Debug, Clone)]
pub struct ContactMessage {
    pub id: String,
    pub name: String,
    pub email: String,
    pub message: String,
    pub at_ms: i64,
}
