//! What the OpenAPI description says of one route.

use mirasa_app::ErrorKind;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::{ObjectBuilder, Ref, RefOr, Schema};
use utoipa::{IntoParams, ToSchema};

pub const JSON: &str = "application/json";

/// The body of a request.
pub struct RequestBody {
    pub schema: RefOr<Schema>,
    pub content_type: &'static str,
    pub is_required: bool,
}

/// What a route takes and returns.
pub struct OperationDoc {
    pub summary: &'static str,
    pub status: u16,
    pub request: Option<RequestBody>,
    /// Also where `request` says nothing of the body.
    pub reads_body: bool,
    pub response: Option<(RefOr<Schema>, &'static str)>,
    pub parameters: Vec<Parameter>,
    pub schemas: Vec<(String, RefOr<Schema>)>,
    /// Those that follow from nothing else in the line.
    pub errors: Vec<ErrorKind>,
}

impl Default for OperationDoc {
    fn default() -> OperationDoc {
        OperationDoc {
            summary: "",
            status: 200,
            request: None,
            reads_body: false,
            response: None,
            parameters: Vec::new(),
            schemas: Vec::new(),
            errors: Vec::new(),
        }
    }
}

impl OperationDoc {
    pub fn reference<T: ToSchema>(&mut self) -> RefOr<Schema> {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
        RefOr::Ref(Ref::from_schema_name(T::name()))
    }

    pub fn set_json_request<T: ToSchema>(&mut self, is_required: bool) {
        self.reads_body = true;
        self.request = Some(RequestBody {
            schema: self.reference::<T>(),
            content_type: JSON,
            is_required,
        });
    }

    pub fn set_form_request(&mut self, form: ObjectBuilder) {
        self.request = Some(RequestBody {
            schema: form.into(),
            content_type: "multipart/form-data",
            is_required: true,
        });
    }

    pub fn add_query<T: IntoParams>(&mut self) {
        let parameters = T::into_params(|| Some(ParameterIn::Query));
        self.parameters.extend(parameters);
    }

    pub fn set_json_response<T: ToSchema>(&mut self) {
        let reference = self.reference::<T>();
        self.set_response(reference, JSON);
    }

    pub fn set_response(&mut self, schema: impl Into<RefOr<Schema>>, content_type: &'static str) {
        debug_assert!(self.response.is_none(), "{}: stated twice", self.summary);
        self.response = Some((schema.into(), content_type));
    }
}
