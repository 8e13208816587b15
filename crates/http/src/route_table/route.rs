//! One line of the route table: a handler, whose signature describes the request and the response, and what is stated of
//! its route.

use axum::handler::Handler;
use axum::routing::{MethodFilter, MethodRouter, on};
use mirasa_app::ErrorKind;
use utoipa::openapi::Schema;
use utoipa::openapi::path::{HttpMethod, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ArrayBuilder, Object, ObjectBuilder, Type};
use utoipa::{IntoParams, ToSchema};

use crate::cache::response_cache::CachedResponse;
use crate::guard::access::Access;
use crate::guard::rate_limit::limits::RateClass;
use crate::route_table::operation_doc::{JSON, OperationDoc};
use crate::route_table::route_info::RouteInfo;
use crate::route_table::signature::Endpoint;
use crate::state::AppState;

/// A route with a larger body states it.
const DEFAULT_BODY_LIMIT: usize = 256 * 1024;

/// One line of the table.
pub struct Route {
    pub(super) info: RouteInfo,
    pub(super) method: HttpMethod,
    pub(super) handler: MethodRouter<AppState>,
    pub(super) doc: OperationDoc,
}

pub fn get<T: 'static, E: Handler<T, AppState> + Endpoint<T>>(
    access: Access,
    path: &'static str,
    handler: E,
) -> Route {
    let handler = on(MethodFilter::GET, handler);
    Route::new("GET", HttpMethod::Get, access, path, handler, E::describe)
}

pub fn post<T: 'static, E: Handler<T, AppState> + Endpoint<T>>(
    access: Access,
    path: &'static str,
    handler: E,
) -> Route {
    let handler = on(MethodFilter::POST, handler);
    Route::new("POST", HttpMethod::Post, access, path, handler, E::describe)
}

pub fn put<T: 'static, E: Handler<T, AppState> + Endpoint<T>>(
    access: Access,
    path: &'static str,
    handler: E,
) -> Route {
    let handler = on(MethodFilter::PUT, handler);
    Route::new("PUT", HttpMethod::Put, access, path, handler, E::describe)
}

pub fn patch<T: 'static, E: Handler<T, AppState> + Endpoint<T>>(
    access: Access,
    path: &'static str,
    handler: E,
) -> Route {
    let handler = on(MethodFilter::PATCH, handler);
    Route::new(
        "PATCH",
        HttpMethod::Patch,
        access,
        path,
        handler,
        E::describe,
    )
}

pub fn delete<T: 'static, E: Handler<T, AppState> + Endpoint<T>>(
    access: Access,
    path: &'static str,
    handler: E,
) -> Route {
    let handler = on(MethodFilter::DELETE, handler);
    Route::new(
        "DELETE",
        HttpMethod::Delete,
        access,
        path,
        handler,
        E::describe,
    )
}

impl Route {
    fn new(
        name: &'static str,
        method: HttpMethod,
        access: Access,
        path: &'static str,
        handler: MethodRouter<AppState>,
        describe: fn(&mut OperationDoc),
    ) -> Route {
        let mut doc = OperationDoc::default();
        describe(&mut doc);
        let rate_class = match name {
            "GET" => RateClass::Read,
            _ => RateClass::Write,
        };
        Route {
            info: RouteInfo {
                method: name,
                path,
                access,
                rate_class,
                body_limit: DEFAULT_BODY_LIMIT,
                cached: None,
                allows_cross_site: false,
                documented: true,
            },
            method,
            handler,
            doc,
        }
    }

    /// Where it differs from the default: `Read` for GET, `Write` for all others.
    pub fn rate(mut self, class: RateClass) -> Route {
        self.info.rate_class = class;
        self
    }

    pub fn body_limit(mut self, bytes: usize) -> Route {
        self.info.body_limit = bytes;
        self
    }

    pub fn cached(mut self, response: CachedResponse) -> Route {
        self.info.cached = Some(response);
        self
    }

    pub fn allow_cross_site(mut self) -> Route {
        self.info.allows_cross_site = true;
        self
    }

    /// For machines that watch the shop, not for clients.
    pub fn undocumented(mut self) -> Route {
        self.info.documented = false;
        self
    }
}

/// For the OpenAPI description: what the handler's signature does not say.
impl Route {
    pub fn summary(mut self, summary: &'static str) -> Route {
        self.doc.summary = summary;
        self
    }

    /// A form with text fields, all required, and up to five files.
    pub fn request_form(mut self, texts: &[&str], files: &str) -> Route {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let file = text().content_media_type("application/octet-stream");
        let all = ArrayBuilder::new().items(file).max_items(Some(5));
        let form = texts.iter().fold(ObjectBuilder::new(), |form, name| {
            form.property(*name, text()).required(*name)
        });
        self.doc.set_form_request(form.property(files, all));
        self
    }

    /// A form with any number of files in this field.
    pub fn request_files(mut self, field: &str) -> Route {
        let file = ObjectBuilder::new()
            .schema_type(Type::String)
            .content_media_type("application/octet-stream");
        let files = ArrayBuilder::new().items(file).min_items(Some(1));
        let form = ObjectBuilder::new().property(field, files).required(field);
        self.doc.set_form_request(form);
        self
    }

    /// An optional header.
    pub fn header(mut self, name: &str, description: &str, max_length: usize) -> Route {
        let text = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(max_length));
        let header = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .description(Some(description))
            .schema(Some(text));
        self.doc.parameters.push(header.build());
        self
    }

    /// The optional header that makes a repeated request safe.
    pub fn idempotency_key(self) -> Route {
        self.header("Idempotency-Key", "Makes a repeated request safe", 200)
            .errors([ErrorKind::Unprocessable])
    }

    /// For a handler that reads the query itself.
    pub fn query<T: IntoParams>(mut self) -> Route {
        self.doc.add_query::<T>();
        self
    }

    /// For a handler that has the JSON in memory.
    pub fn response<T: ToSchema>(mut self) -> Route {
        self.doc.set_json_response::<T>();
        self
    }

    /// For a handler that has the JSON in memory.
    pub fn response_list<T: ToSchema>(mut self) -> Route {
        let list = ArrayBuilder::new().items(self.doc.reference::<T>()).build();
        self.doc.set_response(Schema::Array(list), JSON);
        self
    }

    pub fn response_bytes(mut self, content_type: &'static str) -> Route {
        let text = Schema::Object(Object::with_type(Type::String));
        self.doc.set_response(text, content_type);
        self
    }

    pub fn redirects(mut self) -> Route {
        self.doc.status = 303;
        self
    }

    /// Errors that follow from the rules of the operation, not from its access, path or body.
    pub fn errors<const N: usize>(mut self, errors: [ErrorKind; N]) -> Route {
        self.doc.errors.extend(errors);
        self
    }
}
