//! The errors in the OpenAPI description: which of them an operation can return, and the response that all operations
//! share for each of them.

use mirasa_app::ErrorKind;
use utoipa::ToSchema;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use crate::error::status;
use crate::error::types::ErrorBody;
use crate::guard::access::Access;
use crate::route_table::operation_doc::{JSON, OperationDoc};
use crate::route_table::route_info::RouteInfo;

/// The errors of an operation, by status. What depends on its rules alone is stated in the table with `errors`.
pub fn errors_of(route: &RouteInfo, doc: &OperationDoc) -> Vec<ErrorKind> {
    let signed_in = route.access != Access::Public;
    // `guard::csrf` rejects changes that another site's page sends.
    let is_checked_for_origin = route.method != "GET" && !route.allows_cross_site;
    let takes_json = doc.request.as_ref().map(|body| body.content_type) == Some(JSON);
    let derived = [
        // Every route rejects a path or a query that is not valid text.
        (ErrorKind::Invalid, true),
        (ErrorKind::NotAuthenticated, signed_in),
        (
            ErrorKind::Forbidden,
            route.access == Access::Admin || is_checked_for_origin,
        ),
        (ErrorKind::NotFound, route.path.contains('{')),
        (ErrorKind::RequestTimeout, doc.reads_body),
        (ErrorKind::TooLarge, doc.reads_body),
        (ErrorKind::UnsupportedMediaType, takes_json),
        (ErrorKind::RateLimited, true),
        (ErrorKind::Internal, true),
    ];
    let derived = derived.into_iter().filter(|(_, applies)| *applies);
    let mut errors: Vec<_> = derived.map(|(kind, _)| kind).collect();
    errors.extend(&doc.errors);
    errors.sort_by_key(|kind| status(*kind));
    errors.dedup();
    errors
}

/// The reference to a shared response, by the status. Every operation can fail with 500 and 503, so they share one.
pub fn reference(kind: ErrorKind) -> (String, RefOr<Response>) {
    let status = status(kind);
    let statuses = if status.is_server_error() {
        "5XX".to_owned()
    } else {
        status.as_u16().to_string()
    };
    let reference = Ref::from_response_name(text(kind).0);
    (statuses, reference.into())
}

/// The shared response. They all have the same body.
pub fn shared(kind: ErrorKind) -> (String, RefOr<Response>) {
    let (name, description) = text(kind);
    let body = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name(ErrorBody::name())))
        .build();
    let response = ResponseBuilder::new()
        .description(description)
        .content(JSON, body)
        .build();
    (name.to_owned(), response.into())
}

/// The name and the meaning of the shared response; one for each status.
const fn text(kind: ErrorKind) -> (&'static str, &'static str) {
    match kind {
        ErrorKind::Invalid => ("Invalid", "Something in the request is wrong"),
        ErrorKind::NotAuthenticated => ("NotAuthenticated", "not authenticated"),
        ErrorKind::Forbidden => ("Forbidden", "Not allowed"),
        ErrorKind::NotFound => ("NotFound", "Not found, or it belongs to another user"),
        ErrorKind::MethodNotAllowed => ("MethodNotAllowed", "The path does not have this method"),
        ErrorKind::RequestTimeout => ("RequestTimeout", "The body arrived too slowly"),
        ErrorKind::Conflict => ("Conflict", "Conflict with the stock or with another change"),
        ErrorKind::TooLarge => ("TooLarge", "Too large"),
        ErrorKind::UnsupportedMediaType => ("UnsupportedMediaType", "Unsupported content type"),
        ErrorKind::Unprocessable => (
            "Unprocessable",
            "The Idempotency-Key was used for another request",
        ),
        ErrorKind::RateLimited => ("RateLimited", "Too many requests"),
        ErrorKind::Internal | ErrorKind::Unavailable | ErrorKind::Busy => (
            "ServerError",
            "Something went wrong (500), or the shop cannot do this right now (503)",
        ),
    }
}
