//! How many calls may wait for the database at once. Beyond that, another one would only make all of them
//! wait longer: it is told at once to come again.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use axum::response::Response;
use http::{HeaderValue, StatusCode, header};

use crate::error::error_response;
use crate::site::Site;

/// A few times what the database does in a tenth of a second.
const MOST: usize = 512;

#[derive(Default)]
pub struct Crowd(AtomicUsize);

/// Leaves the crowd when it is dropped.
pub struct Place(Site);

impl Place {
    pub fn take(site: &Site) -> Option<Place> {
        if site.crowd.0.fetch_add(1, Relaxed) < MOST {
            return Some(Place(site.clone()));
        }
        site.crowd.0.fetch_sub(1, Relaxed);
        None
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.crowd.0.fetch_sub(1, Relaxed);
    }
}

pub fn too_many() -> Response {
    metrics::counter!("http_shed").increment(1);
    let mut response = error_response(
        StatusCode::SERVICE_UNAVAILABLE,
        "The shop is very busy. Please try again in a moment.",
    );
    let soon = HeaderValue::from_static("1");
    response.headers_mut().insert(header::RETRY_AFTER, soon);
    response
}
