//! What is let in: jobs by the limits of their lane, parts and results by their size. And how jobs are counted by kind.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::broker::{KindDepth, Outcome, Update};
use crate::error::{LeaseError, SubmitError};
use crate::id::Lane;
use crate::opts::{LaneLimits, MAX_INLINE, MAX_PART};
use crate::record::{Output, Phase, Record};
use crate::store::LaneRow;

/// Counts a job in, if its lane may take it.
pub(crate) fn admit(
    row: &mut LaneRow,
    limits: &LaneLimits,
    len: u64,
    now: u64,
) -> Result<(), SubmitError> {
    if row.jobs >= limits.max_jobs || row.bytes.saturating_add(len) > limits.max_bytes {
        // There is room again when a job ends, and it is not known when that is. A second is short beside the jobs that a queue is for.
        return Err(SubmitError::Full {
            retry_after: Duration::from_secs(1),
        });
    }
    take_token(row, limits, now)?;
    row.jobs += 1;
    row.bytes += len;
    Ok(())
}

/// Takes a job's worth from the bucket, if the lane has one and that is in it.
pub(crate) fn take_token(
    row: &mut LaneRow,
    limits: &LaneLimits,
    now: u64,
) -> Result<(), SubmitError> {
    let Some(rate) = limits.accept_per_s.map(u64::from) else {
        return Ok(());
    };
    let gained = now.saturating_sub(row.bucket_at).saturating_mul(rate);
    row.bucket = row.bucket.saturating_add(gained).min(rate * 1000);
    row.bucket_at = now;
    if row.bucket < 1000 {
        let millis = if rate == 0 {
            1000
        } else {
            (1000 - row.bucket).div_ceil(rate)
        };
        return Err(SubmitError::Full {
            retry_after: Duration::from_millis(millis),
        });
    }
    row.bucket -= 1000;
    Ok(())
}

pub(crate) fn check_part(update: &Update) -> Result<(), LeaseError> {
    let (Update::Part(bytes) | Update::Checkpoint(bytes)) = update;
    check(bytes.len(), MAX_PART)
}

pub(crate) fn check_outcome(outcome: &Outcome) -> Result<(), LeaseError> {
    match outcome {
        Outcome::Done(Output::Inline(bytes)) => check(bytes.len(), MAX_INLINE),
        _ => Ok(()),
    }
}

fn check(len: usize, max: usize) -> Result<(), LeaseError> {
    if len <= max {
        Ok(())
    } else {
        Err(LeaseError::TooLarge { len, max })
    }
}

/// Counts an open job among those of its lane and kind.
pub(crate) fn count_kind(
    kinds: &mut BTreeMap<(Lane, String), KindDepth>,
    record: &Record,
    now: u64,
) {
    let phase = record.phase(now);
    if phase == Phase::Settled {
        return;
    }
    let kind = kinds
        .entry((record.lane, record.kind.clone()))
        .or_insert_with(|| KindDepth {
            lane: record.lane,
            kind: record.kind.clone(),
            queued: 0,
            delayed: 0,
            leased: 0,
            oldest: Duration::ZERO,
        });
    match phase {
        Phase::Ready => kind.queued += 1,
        Phase::Delayed => kind.delayed += 1,
        Phase::Running | Phase::Settled => kind.leased += 1,
    }
    let age = Duration::from_millis(now.saturating_sub(record.submitted));
    kind.oldest = kind.oldest.max(age);
}
