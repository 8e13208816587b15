//! Problems that customers report.

use async_trait::async_trait;
use mirasa_app::repository::orders::problems::{
    ListedProblem, ProblemFilter, ProblemQueries, ProblemRepository,
};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::order::OrderId;
use mirasa_domain::problem::{Problem, ProblemId, ProblemState};
use mirasa_domain::refund::RefundId;

use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct ProblemRow {
        id: ProblemId,
        order_id: OrderId,
        message: String,
        lines: String,
        images: String,
        state: String,
        response: String,
        created_at: i64,
        resolved_at: Option<i64>,
        resolved_by: Option<String>,
        refund_id: Option<RefundId>,
        replacement_order_id: Option<OrderId>,
        repeated: Option<i64>,
    }
}

row! {
    struct OriginalRow {
        id: OrderId,
        original_id: OrderId,
    }
}

row! {
    struct ListedProblemRow {
        ..problem: ProblemRow,
        customer_name: String,
        customer_email: String,
        settled: i64,
    }
}

impl ProblemRow {
    fn into_problem(self) -> StoreResult<Problem> {
        let broken =
            |what: &str| StoreError::Broken(anyhow::anyhow!("problem {}: {what}", self.id));
        Ok(Problem {
            state: ProblemState::parse(&self.state).ok_or_else(|| broken("state"))?,
            lines: serde_json::from_str(&self.lines).map_err(|_| broken("lines"))?,
            images: serde_json::from_str(&self.images).map_err(|_| broken("images"))?,
            id: self.id,
            order_id: self.order_id,
            message: self.message,
            response: self.response,
            created_at_ms: self.created_at,
            resolved_at_ms: self.resolved_at,
            resolved_by: self.resolved_by,
            refund_id: self.refund_id,
            replacement_order_id: self.replacement_order_id,
            is_repeated: self.repeated.map(|repeated| repeated > 0),
        })
    }
}

const FROM: &str =
    "from order_problems p join orders o on o.id = p.order_id join users u on u.id = o.user_id
    left join orders r on r.id = p.replacement_order_id left join refunds f on f.id = p.refund_id";

const SETTLED: &str =
    "case when p.state = 'declined' or (p.state = 'replaced' and r.order_status = 'delivered')
    or (p.state = 'refunded' and (f.state = 'completed' or p.refund_id is null)) then 1 else 0 end";

fn condition(filter: ProblemFilter) -> String {
    match filter {
        ProblemFilter::All => "p.state in ('open', 'replaced', 'refunded', 'declined')".into(),
        ProblemFilter::Unsettled => {
            format!("p.state in ('open', 'replaced', 'refunded') and {SETTLED} = 0")
        }
        ProblemFilter::State(state) => format!("p.state = '{}'", state.as_str()),
    }
}

#[async_trait]
impl ProblemQueries for SqlRepository<'_> {
    async fn problem(&mut self, id: &ProblemId) -> StoreResult<Option<Problem>> {
        let find = query("select * from order_problems where id = $1").bind(id);
        let row: Option<ProblemRow> = self.fetch_optional(find).await?;
        row.map(ProblemRow::into_problem).transpose()
    }

    async fn problems_of(&mut self, order_ids: &[OrderId]) -> StoreResult<Vec<Problem>> {
        if order_ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select * from order_problems where order_id in ({}) order by created_at, id",
            placeholders(1, order_ids.len())
        );
        let find = order_ids.iter().fold(query(text), Query::bind);
        let rows: Vec<ProblemRow> = self.fetch_all(find).await?;
        rows.into_iter().map(ProblemRow::into_problem).collect()
    }

    async fn original_orders_of(
        &mut self,
        order_ids: &[OrderId],
    ) -> StoreResult<Vec<(OrderId, OrderId)>> {
        if order_ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "with recursive chain (id, original_id) as (
                select id, replaces_order_id from orders where replaces_order_id is not null and id in ({})
                union
                select c.id, o.replaces_order_id from chain c join orders o on o.id = c.original_id
                where o.replaces_order_id is not null)
             select c.id, c.original_id from chain c join orders o on o.id = c.original_id where o.replaces_order_id is null",
            placeholders(1, order_ids.len())
        );
        let find = order_ids.iter().fold(query(text), Query::bind);
        let rows: Vec<OriginalRow> = self.fetch_all(find).await?;
        let pair = |row: OriginalRow| (row.id, row.original_id);
        Ok(rows.into_iter().map(pair).collect())
    }

    async fn count_problems(&mut self, filter: ProblemFilter) -> StoreResult<i64> {
        let text = format!("select count(*) {FROM} where {}", condition(filter));
        self.fetch_one(query(text)).await
    }

    async fn problems_page(
        &mut self,
        filter: ProblemFilter,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<ListedProblem>> {
        let text = format!(
            "select p.*, u.name as customer_name, u.email as customer_email, cast({SETTLED} as bigint) as settled {FROM}
             where {} order by p.created_at, p.id limit $1 offset $2",
            condition(filter)
        );
        let find = query(text).bind(limit).bind(offset);
        let rows: Vec<ListedProblemRow> = self.fetch_all(find).await?;
        let listed = |row: ListedProblemRow| {
            Ok(ListedProblem {
                problem: row.problem.into_problem()?,
                customer_name: row.customer_name,
                customer_email: row.customer_email,
                is_settled: row.settled > 0,
            })
        };
        rows.into_iter().map(listed).collect()
    }
}

#[async_trait]
impl ProblemRepository for SqlRepository<'_> {
    async fn insert_problem(&mut self, problem: &Problem) -> StoreResult<()> {
        const INSERT: &str = "insert into order_problems (id, order_id, message, lines, images, state, response, created_at)
            values ($1, $2, $3, $4, $5, $6, $7, $8)";
        let json = |error: serde_json::Error| StoreError::Broken(error.into());
        let insert = query(INSERT)
            .bind(&problem.id)
            .bind(&problem.order_id)
            .bind(&problem.message)
            .bind(serde_json::to_string(&problem.lines).map_err(json)?)
            .bind(serde_json::to_string(&problem.images).map_err(json)?)
            .bind(problem.state.as_str())
            .bind(&problem.response)
            .bind(problem.created_at_ms);
        self.execute_deferred(insert).await
    }

    async fn resolve_problem(&mut self, problem: &Problem) -> StoreResult<()> {
        const RESOLVE: &str = "update order_problems set state = $2, response = $3, resolved_at = $4, resolved_by = $5, refund_id = $6,
            replacement_order_id = $7, repeated = $8 where id = $1";
        let resolve = query(RESOLVE)
            .bind(&problem.id)
            .bind(problem.state.as_str())
            .bind(&problem.response)
            .bind(problem.resolved_at_ms)
            .bind(&problem.resolved_by)
            .bind(&problem.refund_id)
            .bind(&problem.replacement_order_id)
            .bind(problem.is_repeated.map(i64::from));
        self.execute_deferred(resolve).await
    }
}
