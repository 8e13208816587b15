//! What the OpenAPI description says of one route.

use utoipa::ToSchema;
use utoipa::openapi::path::Parameter;
use utoipa::openapi::{Ref, RefOr, Schema};

/// What a route takes and returns.
pub(super) struct OperationDoc {
    pub(super) summary: &'static str,
    pub(super) status: u16,
    pub(super) request: Option<(RefOr<Schema>, &'static str)>,
    pub(super) response: Option<(RefOr<Schema>, &'static str)>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) schemas: Vec<(String, RefOr<Schema>)>,
    pub(super) errors: Vec<(&'static str, &'static str)>,
}

impl Default for OperationDoc {
    fn default() -> OperationDoc {
        OperationDoc {
            summary: "",
            status: 200,
            request: None,
            response: None,
            parameters: Vec::new(),
            schemas: Vec::new(),
            errors: Vec::new(),
        }
    }
}

impl OperationDoc {
    pub(super) fn reference<T: ToSchema>(&mut self) -> RefOr<Schema> {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
        RefOr::Ref(Ref::from_schema_name(T::name()))
    }
}
