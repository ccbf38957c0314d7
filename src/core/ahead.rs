//! What lies in the queues of a pool without threads at one moment. A thread can run that, and no more: other jobs may come meanwhile, and there may be no end
//! of them.

use super::job::JobRef;
use super::pool::Pool;
use super::root::Root;
use super::worker::Worker;

/// How many jobs there were in each queue. Each queue gives its oldest job first, so as many jobs taken out of it are these, or others that came before.
pub(super) struct Ahead {
    mail: usize,
    injected: usize,
    /// The roots of which jobs were brought, and how many of each.
    brought: Vec<(Root, usize)>,
}

impl Ahead {
    pub(super) fn of(pool: &Pool) -> Self {
        Ahead {
            mail: pool.seats[0].mail.len(),
            injected: pool.injector.len(),
            brought: pool.brought.counts(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.mail == 0 && self.injected == 0 && self.brought.is_empty()
    }

    /// Takes one of these jobs, for a thread that has the turn. `None`: all of them were taken.
    pub(super) fn next(&mut self, worker: Worker<'_>) -> Option<JobRef> {
        let pool = worker.pool();
        if count_down(&mut self.mail)
            && let Some(job) = worker.take_mail()
        {
            return Some(job);
        }
        if count_down(&mut self.injected)
            && let Some(job) = pool.take_unbound()
        {
            return Some(worker.note_taken_from_outside(job));
        }
        while let Some((root, left)) = self.brought.last_mut() {
            if count_down(left)
                && let Some(job) = pool.brought.take_from(*root)
            {
                return Some(worker.note_taken_from_outside(job));
            }
            self.brought.pop();
        }
        None
    }
}

/// False: it was 0.
fn count_down(count: &mut usize) -> bool {
    let is_left = *count > 0;
    *count = count.saturating_sub(1);
    is_left
}
