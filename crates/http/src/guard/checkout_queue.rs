//! Limits the concurrent checkouts of one customer. A checkout may wait many seconds for the gateway. Each customer has a
//! short queue of their own, so that dozens of checkouts of one customer do not delay others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mirasa_app::{AppError, ErrorCode};
use mirasa_domain::user::UserId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Two, so that a checkout that hangs does not block a second attempt.
const MAX_CONCURRENT: usize = 2;
/// Enough for repeated clicks and a second tab.
const MAX_QUEUED: usize = 16;

#[derive(Default)]
pub struct CheckoutQueue(Mutex<HashMap<UserId, UserQueue>>);

struct UserQueue {
    running: Arc<Semaphore>,
    /// Running checkouts included.
    length: usize,
}

impl CheckoutQueue {
    fn users(&self) -> MutexGuard<'_, HashMap<UserId, UserQueue>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the customer's turn; an error if too many wait already.
    pub async fn acquire(&self, user: &UserId) -> Result<CheckoutPermit<'_>, AppError> {
        let (mut permit_guard, running) = self.enqueue(user)?;
        permit_guard.permit = running.acquire_owned().await.ok();
        Ok(permit_guard)
    }

    fn enqueue(&self, user: &UserId) -> Result<(CheckoutPermit<'_>, Arc<Semaphore>), AppError> {
        let mut users = self.users();
        let queue = users.entry(user.clone()).or_insert_with(|| UserQueue {
            running: Arc::new(Semaphore::new(MAX_CONCURRENT)),
            length: 0,
        });
        if queue.length >= MAX_QUEUED {
            return Err(AppError::new(
                ErrorCode::RateLimited,
                "Too many requests. Please try again in a moment.",
            ));
        }
        queue.length += 1;
        let permit_guard = CheckoutPermit {
            queues: self,
            user: user.clone(),
            permit: None,
        };
        Ok((permit_guard, queue.running.clone()))
    }
}

/// A place in the queue, waiting or running, until it is dropped.
pub struct CheckoutPermit<'t> {
    queues: &'t CheckoutQueue,
    user: UserId,
    permit: Option<OwnedSemaphorePermit>,
}

impl Drop for CheckoutPermit<'_> {
    fn drop(&mut self) {
        drop(self.permit.take());
        let mut users = self.queues.users();
        if let Some(queue) = users.get_mut(&self.user) {
            queue.length -= 1;
            if queue.length == 0 {
                users.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn checkouts_wait_for_those_of_the_same_customer_only() {
        let queues = CheckoutQueue::default();
        let (asha, ravi) = (UserId("asha".into()), UserId("ravi".into()));
        let mut running = vec![
            queues.acquire(&asha).await.unwrap(),
            queues.acquire(&asha).await.unwrap(),
        ];
        let mut waiting: Vec<_> = (MAX_CONCURRENT..MAX_QUEUED)
            .map(|_| Box::pin(queues.acquire(&asha)))
            .collect();
        for one in &mut waiting {
            assert!(one.now_or_never().is_none(), "it is not their turn");
        }
        let refused = queues.acquire(&asha).await.err().unwrap();
        assert_eq!(refused.code, ErrorCode::RateLimited);
        assert!(queues.acquire(&ravi).await.is_ok());

        running.pop();
        let next = (&mut waiting[0]).now_or_never();
        assert!(
            next.is_some_and(|permit_guard| permit_guard.is_ok()),
            "the next one's turn"
        );
        drop((running, waiting));
        assert!(queues.users().is_empty(), "empty queues are removed");
    }
}
