//! Jobs in lanes that are begun in order of priority, and no more than a number of them at once.
//!
//! The pool is not given the job itself, but a *ticket*: the permission to begin one. When a thread runs a ticket, it takes the job whose
//! turn it is then, which need not be the job that the ticket was made for. There are as many tickets as jobs, but no more than jobs may
//! run at once. So priorities need no change to the pool's own queues, and a limit blocks no thread.
//!
//! A child process after `fork` may go on in its parent's frames, and run tickets there. If another thread of the parent held the lock, the jobs are lost.

use crate::core::ProcessLock;
use std::collections::VecDeque;

/// How often a waiting lane is passed over before it gets its turn.
pub(super) const AGING: u32 = 8;

pub(super) struct Tickets<J, const LANES: usize> {
    state: ProcessLock<TicketState<J, LANES>>,
    /// How many jobs may run at once.
    most: usize,
}

struct TicketState<J, const LANES: usize> {
    /// The first lane is the most urgent. Each is a queue.
    lanes: [VecDeque<J>; LANES],
    /// How many jobs of more urgent lanes were begun while a lane had jobs.
    passed: [u32; LANES],
    waiting: usize,
    /// Tickets that were not used yet. As many as jobs wait, but for the limit.
    tickets: usize,
    running: usize,
}

impl<J, const LANES: usize> TicketState<J, LANES> {
    fn wants_ticket(&mut self, most: usize) -> bool {
        let wants = self.waiting > self.tickets && self.tickets + self.running < most;
        self.tickets += usize::from(wants);
        wants
    }

    /// The job whose turn it is.
    fn take(&mut self) -> Option<J> {
        let urgent = self.lanes.iter().position(|lane| !lane.is_empty())?;
        // Of the lanes that waited too long, the one that waited longest; of two equal ones, the more urgent.
        let due = (urgent + 1..LANES)
            .rev()
            .filter(|&lane| self.passed[lane] >= AGING);
        let turn = due.max_by_key(|&lane| self.passed[lane]).unwrap_or(urgent);
        let job = self.lanes[turn].pop_front();
        self.passed[turn] = 0;
        for lane in urgent + 1..LANES {
            if lane != turn && !self.lanes[lane].is_empty() {
                self.passed[lane] += 1;
            }
        }
        self.waiting -= 1;
        job
    }
}

impl<J, const LANES: usize> Tickets<J, LANES> {
    pub(super) fn new(most: usize) -> Self {
        Tickets {
            state: ProcessLock::new(TicketState {
                lanes: [const { VecDeque::new() }; LANES],
                passed: [0; LANES],
                waiting: 0,
                tickets: 0,
                running: 0,
            }),
            most,
        }
    }

    /// Puts a job at the end of a lane; says whether a ticket is to be issued. If `limit` jobs wait already, or the lock is lost, gives the job back.
    pub(super) fn push<T>(
        &self,
        lane: usize,
        limit: usize,
        job: T,
        pack: impl FnOnce(T) -> J,
    ) -> Result<bool, T> {
        let Some(mut state) = self.state.lock().filter(|state| state.waiting < limit) else {
            return Err(job);
        };
        state.lanes[lane].push_back(pack(job));
        state.waiting += 1;
        Ok(state.wants_ticket(self.most))
    }

    /// Uses a ticket: the job to run. `None`: the lock is lost.
    pub(super) fn begin(&self) -> Option<J> {
        let mut state = self.state.lock()?;
        state.tickets -= 1;
        state.running += 1;
        Some(state.take().expect("a job for each ticket"))
    }

    /// The job is done; says whether a ticket is to be issued for another one.
    pub(super) fn end(&self) -> bool {
        let Some(mut state) = self.state.lock() else {
            return false;
        };
        state.running -= 1;
        state.wants_ticket(self.most)
    }

    /// How many jobs wait in each lane. `None`: the lock is lost.
    pub(super) fn waiting(&self) -> Option<[usize; LANES]> {
        let state = self.state.lock()?;
        Some(std::array::from_fn(|lane| state.lanes[lane].len()))
    }

    /// How many jobs run. `None`: the lock is lost.
    pub(super) fn running(&self) -> Option<usize> {
        Some(self.state.lock()?.running)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(all(unix, not(miri)))]
    use crate::core::assert_well_in_child;

    fn order(tickets: &Tickets<(usize, u32), 3>) -> Vec<(usize, u32)> {
        let waiting: usize = tickets.waiting().unwrap().iter().sum();
        (0..waiting)
            .map(|_| {
                let job = tickets.begin().unwrap();
                tickets.end();
                job
            })
            .collect()
    }

    fn push(tickets: &Tickets<(usize, u32), 3>, lane: usize, jobs: u32) {
        for n in 0..jobs {
            assert!(tickets.push(lane, usize::MAX, (lane, n), |job| job).is_ok());
        }
    }

    #[test]
    fn urgent_lanes_go_first_and_each_lane_keeps_its_order() {
        let tickets = Tickets::new(usize::MAX);
        push(&tickets, 2, 2);
        push(&tickets, 0, 2);
        push(&tickets, 1, 2);
        let expected = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)];
        assert_eq!(order(&tickets), expected);
    }

    #[test]
    fn no_lane_is_passed_over_for_ever() {
        let tickets = Tickets::new(usize::MAX);
        for lane in 0..3 {
            push(&tickets, lane, 1000);
        }
        let order = order(&tickets);
        for lane in 1..3 {
            let turns: Vec<_> = (0..3000).filter(|&at| order[at].0 == lane).collect();
            let gaps = turns.windows(2).map(|pair| pair[1] - pair[0]);
            // While a more urgent lane has jobs: two lanes may be due at once.
            let longest = gaps.max().unwrap();
            assert!(longest <= AGING as usize + 2, "lane {lane}: {longest}");
        }
    }

    #[test]
    fn a_lane_that_was_empty_has_waited_for_nothing() {
        let tickets = Tickets::new(usize::MAX);
        push(&tickets, 0, 100);
        assert_eq!(order(&tickets).len(), 100);
        push(&tickets, 0, 3);
        push(&tickets, 2, 1);
        assert_eq!(order(&tickets).last(), Some(&(2, 0)));
    }

    #[test]
    fn there_are_as_many_tickets_as_jobs_but_for_the_limit() {
        let tickets = Tickets::<(), 1>::new(2);
        let push = || tickets.push(0, 5, (), |()| ());
        assert_eq!([push(), push(), push()], [Ok(true), Ok(true), Ok(false)]);
        tickets.begin();
        assert_eq!(push(), Ok(false));
        assert!(tickets.end(), "one may run instead");
        tickets.begin();
        tickets.begin();
        assert_eq!(tickets.running(), Some(2));
        assert!(tickets.end());
        assert!(!tickets.end(), "only one job is left, which has a ticket");
        tickets.begin();
        assert!(!tickets.end());
        assert_eq!((tickets.waiting(), tickets.running()), (Some([0]), Some(0)));
    }

    #[test]
    fn what_is_too_much_comes_back() {
        let tickets = Tickets::<_, 1>::new(1);
        assert_eq!(tickets.push(0, 1, "first", |job| job), Ok(true));
        assert_eq!(tickets.push(0, 1, "second", |job| job), Err("second"));
        assert_eq!(tickets.begin(), Some("first"));
    }

    /// Another thread may have held the lock at the fork.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_child_waits_for_no_lock() {
        let tickets = Tickets::<_, 1>::new(1);
        assert_eq!(tickets.push(0, 1, "first", |job| job), Ok(true));
        let locked = tickets.state.lock();
        assert_well_in_child(|| {
            let pushed = tickets.push(0, 9, "second", |job| job);
            let counts = (tickets.waiting(), tickets.running());
            pushed == Err("second")
                && tickets.begin().is_none()
                && !tickets.end()
                && counts == (None, None)
        });
        drop(locked);
        assert_well_in_child(|| tickets.begin() == Some("first"));
    }
}
