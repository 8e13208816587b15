//! The shop's own identity, as configured.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all(serialize = "camelCase"), deny_unknown_fields)]
#[schema(as = Shop, rename_all = "camelCase")]
pub struct ShopIdentity {
    pub name: String,
    pub tagline: String,
    pub legal_name: String,
    pub support_phone: String,
    pub support_email: String,
    pub address: String,
    pub fssai: String,
    pub grievance_officer: GrievanceOfficer,
    pub social: SocialLinks,
    /// A full wa.me link.
    pub whatsapp: String,
    pub map: MapPosition,
    /// Filled in from the configuration's public address.
    #[serde(default)]
    pub public_url: String,
    /// Whether sign-in or payment is the built-in sandbox.
    #[serde(default)]
    pub sandbox: bool,
    /// The hosts whose images the content policy lets browsers show, apart from the shop itself.
    #[serde(default)]
    #[schema(required)]
    pub image_hosts: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrievanceOfficer {
    pub name: String,
    pub email: String,
    pub phone: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SocialLinks {
    pub instagram: String,
    pub facebook: String,
    pub youtube: String,
    pub x: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MapPosition {
    pub latitude: f64,
    pub longitude: f64,
    pub label: String,
}

#[derive(Serialize, ToSchema)]
pub struct ShopResponse {
    pub shop: ShopIdentity,
}
