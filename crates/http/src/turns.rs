//! One customer's checkouts take turns. A checkout may wait for the gateway for many seconds; whoever begins
//! dozens of them meanwhile waits in their own line, which is short, and nobody else waits for them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mirasa_app::{AppError, ErrorKind};
use mirasa_domain::user::UserId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Two, so that a checkout that hangs does not keep the customer from trying another way.
const AT_ONCE: usize = 2;
/// Impatient clicks and a second tab; more is not a person.
const MOST_IN_LINE: usize = 16;

#[derive(Default)]
pub struct Turns(Mutex<HashMap<UserId, Line>>);

struct Line {
    going: Arc<Semaphore>,
    /// Those whose turn it is, too.
    length: usize,
}

impl Turns {
    fn lines(&self) -> MutexGuard<'_, HashMap<UserId, Line>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the customer's turn; refuses if too many of theirs wait already.
    pub async fn take(&self, user: &UserId) -> Result<Turn<'_>, AppError> {
        let (mut turn, going) = self.stand_in_line(user)?;
        turn.permit = going.acquire_owned().await.ok();
        Ok(turn)
    }

    fn stand_in_line(&self, user: &UserId) -> Result<(Turn<'_>, Arc<Semaphore>), AppError> {
        let mut lines = self.lines();
        let line = lines.entry(user.clone()).or_insert_with(|| Line {
            going: Arc::new(Semaphore::new(AT_ONCE)),
            length: 0,
        });
        if line.length >= MOST_IN_LINE {
            return Err(AppError::new(
                ErrorKind::RateLimited,
                "Too many requests. Please try again in a moment.",
            ));
        }
        line.length += 1;
        let turn = Turn {
            turns: self,
            user: user.clone(),
            permit: None,
        };
        Ok((turn, line.going.clone()))
    }
}

/// In line, or at it, until it is dropped.
pub struct Turn<'t> {
    turns: &'t Turns,
    user: UserId,
    permit: Option<OwnedSemaphorePermit>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        drop(self.permit.take());
        let mut lines = self.turns.lines();
        if let Some(line) = lines.get_mut(&self.user) {
            line.length -= 1;
            if line.length == 0 {
                lines.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn one_customers_checkouts_wait_for_each_other_and_for_nobody_else() {
        let turns = Turns::default();
        let (asha, ravi) = (UserId("asha".into()), UserId("ravi".into()));
        let mut going = vec![
            turns.take(&asha).await.unwrap(),
            turns.take(&asha).await.unwrap(),
        ];
        let mut waiting: Vec<_> = (AT_ONCE..MOST_IN_LINE)
            .map(|_| Box::pin(turns.take(&asha)))
            .collect();
        for one in &mut waiting {
            assert!(one.now_or_never().is_none(), "it is not their turn");
        }
        let refused = turns.take(&asha).await.err().unwrap();
        assert_eq!(refused.kind, ErrorKind::RateLimited);
        assert!(turns.take(&ravi).await.is_ok());

        going.pop();
        let next = (&mut waiting[0]).now_or_never();
        assert!(next.is_some_and(|turn| turn.is_ok()), "the next one's turn");
        drop((going, waiting));
        assert!(turns.lines().is_empty(), "whoever is gone is forgotten");
    }
}
