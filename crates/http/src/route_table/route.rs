//! One line of the route table: a handler, and what is stated of its route.

use axum::handler::Handler;
use axum::routing::{MethodFilter, MethodRouter, on};
use utoipa::openapi::path::{HttpMethod, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ArrayBuilder, Object, ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, ToSchema};

use crate::cache::response_cache::CachedResponse;
use crate::guard::access::Access;
use crate::guard::rate_limit::limits::RateClass;
use crate::route_table::operation_doc::OperationDoc;
use crate::route_table::route_info::RouteInfo;
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

pub fn get<T: 'static>(
    access: Access,
    path: &'static str,
    handler: impl Handler<T, AppState>,
) -> Route {
    let handler = on(MethodFilter::GET, handler);
    Route::new("GET", HttpMethod::Get, access, path, handler)
}

pub fn post<T: 'static>(
    access: Access,
    path: &'static str,
    handler: impl Handler<T, AppState>,
) -> Route {
    let handler = on(MethodFilter::POST, handler);
    Route::new("POST", HttpMethod::Post, access, path, handler)
}

pub fn put<T: 'static>(
    access: Access,
    path: &'static str,
    handler: impl Handler<T, AppState>,
) -> Route {
    let handler = on(MethodFilter::PUT, handler);
    Route::new("PUT", HttpMethod::Put, access, path, handler)
}

pub fn patch<T: 'static>(
    access: Access,
    path: &'static str,
    handler: impl Handler<T, AppState>,
) -> Route {
    let handler = on(MethodFilter::PATCH, handler);
    Route::new("PATCH", HttpMethod::Patch, access, path, handler)
}

pub fn delete<T: 'static>(
    access: Access,
    path: &'static str,
    handler: impl Handler<T, AppState>,
) -> Route {
    let handler = on(MethodFilter::DELETE, handler);
    Route::new("DELETE", HttpMethod::Delete, access, path, handler)
}

impl Route {
    fn new(
        name: &'static str,
        method: HttpMethod,
        access: Access,
        path: &'static str,
        handler: MethodRouter<AppState>,
    ) -> Route {
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
            doc: OperationDoc::default(),
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

    /// Describes the operation.
    fn map_doc(mut self, change: impl FnOnce(OperationDoc) -> OperationDoc) -> Route {
        self.doc = change(self.doc);
        self
    }
}

/// For the OpenAPI description.
impl Route {
    pub fn summary(self, summary: &'static str) -> Route {
        self.map_doc(|doc| OperationDoc { summary, ..doc })
    }

    pub fn request<T: ToSchema>(self) -> Route {
        self.map_doc(|mut doc| {
            doc.request = Some((doc.reference::<T>(), "application/json"));
            doc
        })
    }

    /// A form with text fields, all required, and up to five files.
    pub fn request_form(self, texts: &[&str], files: &str) -> Route {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let file = text().content_media_type("application/octet-stream");
        let all = ArrayBuilder::new().items(file).max_items(Some(5));
        let form = texts.iter().fold(ObjectBuilder::new(), |form, name| {
            form.property(*name, text()).required(*name)
        });
        let form = form.property(files, all);
        self.map_doc(|mut doc| {
            doc.request = Some((RefOr::T(form.into()), "multipart/form-data"));
            doc
        })
    }

    /// A form with any number of files in this field.
    pub fn request_files(self, field: &str) -> Route {
        let file = ObjectBuilder::new()
            .schema_type(Type::String)
            .content_media_type("application/octet-stream");
        let files = ArrayBuilder::new().items(file).min_items(Some(1));
        let form = ObjectBuilder::new().property(field, files).required(field);
        self.map_doc(|mut doc| {
            doc.request = Some((RefOr::T(form.into()), "multipart/form-data"));
            doc
        })
    }

    /// An optional header.
    pub fn header(self, name: &str, description: &str, max_length: usize) -> Route {
        let text = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(max_length));
        let header = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .description(Some(description))
            .schema(Some(text));
        self.map_doc(|mut doc| {
            doc.parameters.push(header.build());
            doc
        })
    }

    pub fn query<T: IntoParams>(self) -> Route {
        self.map_doc(|mut doc| {
            doc.parameters
                .extend(T::into_params(|| Some(ParameterIn::Query)));
            doc
        })
    }

    pub fn response<T: ToSchema>(self) -> Route {
        self.map_doc(|mut doc| {
            doc.response = Some((doc.reference::<T>(), "application/json"));
            doc
        })
    }

    pub fn response_list<T: ToSchema>(self) -> Route {
        self.map_doc(|mut doc| {
            let list = ArrayBuilder::new().items(doc.reference::<T>()).build();
            doc.response = Some((RefOr::T(Schema::Array(list)), "application/json"));
            doc
        })
    }

    pub fn response_bytes(self, content_type: &'static str) -> Route {
        self.map_doc(|mut doc| {
            let text = Schema::Object(Object::with_type(Type::String));
            doc.response = Some((RefOr::T(text), content_type));
            doc
        })
    }

    pub fn created(self) -> Route {
        self.map_doc(|doc| OperationDoc { status: 201, ..doc })
    }

    pub fn redirects(self) -> Route {
        self.map_doc(|doc| OperationDoc { status: 303, ..doc })
    }

    /// An error that other routes do not have.
    pub fn error(self, status: &'static str, description: &'static str) -> Route {
        self.map_doc(|mut doc| {
            doc.errors.push((status, description));
            doc
        })
    }
}
