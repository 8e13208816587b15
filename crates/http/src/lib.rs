//! The shop over HTTP: one route list, thin handlers, wire types, rendered pages, static files.

mod access;
mod addresses;
mod admin;
mod answers;
mod api_doc;
mod api_page;
mod assets;
mod auth;
mod bodies;
mod cart;
mod contact;
mod cookies;
mod encoded;
mod error;
mod found;
mod front;
mod health;
mod json;
mod limits;
mod local_only;
mod mailbox;
mod orders;
mod page_routes;
mod page_shelf;
mod pages;
mod pictures;
mod pincode;
mod privacy;
mod products;
mod profile;
mod renderer;
mod router;
mod security;
mod shared_limits;
mod shelf_query;
mod site;
mod turns;
mod upload_gate;
mod userinfo;
mod visitors;
mod wire;
mod wishlist;

#[cfg(test)]
mod foreign_bytes;

pub use access::Access;
pub use api_doc::RouteInfo;
pub use front::Front;
pub use local_only::local_only;
pub use mailbox::router as mailbox;
pub use renderer::Renderer;
pub use router::{openapi, routes};
pub use site::{Site, SiteSettings};
pub use visitors::household;
pub use wire::shop::{GrievanceOfficer, MapPosition, ShopIdentity, SocialLinks};
