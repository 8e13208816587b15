//! What a handler's signature says of its operation: the body and the query that it takes, and what it returns. The
//! compiler derives the description from the types that the handler really uses.

use axum::extract::{Multipart, Path, RawQuery, Request, State};
use axum::response::Response;
use http::{HeaderMap, HeaderName, Uri};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiResult;
use crate::extract::gated_json::GatedJson;
use crate::extract::json::{Created, Json};
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::route_table::operation_doc::OperationDoc;

/// A handler whose arguments and result are known. `T` has the types of its arguments, as in axum's `Handler`.
pub trait Endpoint<T> {
    fn describe(doc: &mut OperationDoc);
}

/// An argument of a handler.
pub trait Input {
    fn describe(_: &mut OperationDoc) {}
}

/// The result of a handler.
pub trait Output {
    fn describe(_: &mut OperationDoc) {}
}

macro_rules! endpoint {
    ($($argument:ident)*) => {
        impl<Handler, Future, Marker, $($argument),*> Endpoint<(Marker, $($argument,)*)> for Handler
        where
            Handler: FnOnce($($argument),*) -> Future,
            Future: std::future::Future<Output: Output>,
            $($argument: Input,)*
        {
            fn describe(doc: &mut OperationDoc) {
                $(<$argument as Input>::describe(doc);)*
                <Future::Output as Output>::describe(doc);
            }
        }
    };
}

endpoint!();
endpoint!(A1);
endpoint!(A1 A2);
endpoint!(A1 A2 A3);
endpoint!(A1 A2 A3 A4);
endpoint!(A1 A2 A3 A4 A5);
endpoint!(A1 A2 A3 A4 A5 A6);

// They say nothing to a client: the server provides them, or the path and the table state them.
impl<S> Input for State<S> {}
impl<T> Input for Path<T> {}
impl<T> Input for Option<Path<T>> {}
impl Input for CurrentUser {}
impl Input for HeaderMap {}
impl Input for RawQuery {}
impl Input for Uri {}

// Not JSON, or JSON that the handler has in memory. The table states it.
impl Output for Response {}
impl Output for &'static str {}

/// The handler reads the body itself; the table describes the body.
impl Input for Request {
    fn describe(doc: &mut OperationDoc) {
        doc.reads_body = true;
    }
}

impl Input for Multipart {
    fn describe(doc: &mut OperationDoc) {
        doc.reads_body = true;
    }
}

impl<T: ToSchema> Input for Json<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.set_json_request::<T>(true);
    }
}

impl<T: ToSchema> Input for Option<Json<T>> {
    fn describe(doc: &mut OperationDoc) {
        doc.set_json_request::<T>(false);
    }
}

impl<T: ToSchema> Input for GatedJson<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.set_json_request::<T>(true);
    }
}

impl<T: IntoParams> Input for Query<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.add_query::<T>();
    }
}

impl<T: Output> Output for ApiResult<T> {
    fn describe(doc: &mut OperationDoc) {
        T::describe(doc);
    }
}

/// With headers.
impl<T: Output, V, const N: usize> Output for ([(HeaderName, V); N], T) {
    fn describe(doc: &mut OperationDoc) {
        T::describe(doc);
    }
}

impl<T: ToSchema> Output for Json<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.set_json_response::<T>();
    }
}

impl<T: ToSchema> Output for Created<T> {
    fn describe(doc: &mut OperationDoc) {
        doc.status = 201;
        doc.set_json_response::<T>();
    }
}
