//! Problems that customers report.

use async_trait::async_trait;
use mirasa_domain::order::OrderId;
use mirasa_domain::problem::{Problem, ProblemId, ProblemState};

use crate::repository::StoreResult;

/// A problem in the admin's list.
#[derive(Debug, Clone)]
pub struct ListedProblem {
    pub problem: Problem,
    pub customer_name: String,
    pub customer_email: String,
    /// The replacement was delivered, the refund was completed, or the problem was declined.
    pub is_settled: bool,
}

/// Which problems a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemFilter {
    All,
    /// Open, or with a replacement or refund on its way.
    Unsettled,
    State(ProblemState),
}

#[async_trait]
pub trait ProblemQueries: Send {
    async fn problem(&mut self, id: &ProblemId) -> StoreResult<Option<Problem>>;
    /// All problems of these orders, oldest first.
    async fn problems_of(&mut self, order_ids: &[OrderId]) -> StoreResult<Vec<Problem>>;
    /// The first order of each replacement among these orders: the one that was paid. Also of replacements of replacements.
    async fn original_orders_of(
        &mut self,
        order_ids: &[OrderId],
    ) -> StoreResult<Vec<(OrderId, OrderId)>>;
    async fn count_problems(&mut self, filter: ProblemFilter) -> StoreResult<i64>;
    /// Oldest first, because the oldest is due first.
    async fn problems_page(
        &mut self,
        filter: ProblemFilter,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<ListedProblem>>;
}

#[async_trait]
pub trait ProblemRepository: Send {
    async fn insert_problem(&mut self, problem: &Problem) -> StoreResult<()>;
    /// Saves the state, the response, and what resolved the problem.
    async fn resolve_problem(&mut self, problem: &Problem) -> StoreResult<()>;
}
