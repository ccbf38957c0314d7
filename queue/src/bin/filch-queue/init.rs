//! `init`: makes a queue, and prints which rights submitters and workers need on its server.

use std::io::Write;

use filch_queue::Limits;

use super::place::{Outcome, open};

pub fn init(out: &mut dyn Write, place: &str, name: &str) -> Outcome {
    let queue = open(place, name, Limits::default())?;
    // Makes the place of blobs, too, which others may not have the right to.
    queue.broker().blobs().get("none")?;
    writeln!(out, "{place} is ready")?;
    if !place.contains("://") {
        writeln!(
            out,
            "Its owner may submit, work and tend it; others may not even read it."
        )?;
        return Ok(());
    }
    let streams = |what: &[&str], subjects: &[&str]| -> Vec<String> {
        let of = |stream: &str| -> Vec<String> {
            let stream = match stream {
                "BLOB" => format!("OBJ_FQ_{name}_BLOB"),
                stream => format!("FQ_{name}_{stream}"),
            };
            let full = |subject: &&str| subject.replace('@', &stream);
            subjects.iter().map(full).collect()
        };
        what.iter().flat_map(|stream| of(stream)).collect()
    };
    let lanes = ["HIGH", "NORMAL", "LOW"];
    let all = ["HIGH", "NORMAL", "LOW", "STATE", "PART", "DEAD", "BLOB"];
    let own = |ends: &[&str]| -> Vec<String> {
        ends.iter().map(|end| format!("fq.{name}.{end}")).collect()
    };
    let submitter = [
        own(&["job.>", "st.*", "part.*", "dead.*", "clock.*", "bell.*"]),
        streams(
            &all,
            &[
                "$JS.API.STREAM.INFO.@",
                "$JS.API.STREAM.MSG.GET.@",
                "$JS.API.DIRECT.GET.@",
                "$JS.API.DIRECT.GET.@.>",
            ],
        ),
        streams(&["STATE", "PART", "DEAD"], &["$JS.API.STREAM.PURGE.@"]),
        // A blob is read by a consumer of the reader's own.
        streams(
            &["BLOB"],
            &[
                "$JS.API.CONSUMER.CREATE.@",
                "$JS.API.CONSUMER.CREATE.@.>",
                "$JS.API.CONSUMER.DELETE.@.*",
            ],
        ),
    ]
    .concat();
    let worker = [
        own(&["worker.*"]),
        streams(
            &lanes,
            &[
                "$JS.API.CONSUMER.INFO.@.*",
                "$JS.API.CONSUMER.LIST.@",
                "$JS.API.CONSUMER.CREATE.@.>",
                "$JS.API.CONSUMER.DURABLE.CREATE.@.*",
                "$JS.API.CONSUMER.MSG.NEXT.@.*",
                "$JS.ACK.@.>",
            ],
        ),
        vec![format!("$O.FQ_{name}_BLOB.>")],
        streams(&["BLOB"], &["$JS.API.STREAM.PURGE.@"]),
    ]
    .concat();
    let everyone = [vec!["_INBOX.>".to_owned()], own(&["bell.*"])].concat();
    let lines = [
        ("Everyone subscribes to", everyone),
        ("A submitter publishes to", submitter),
        (
            "A worker publishes to all that a submitter does, and to",
            worker,
        ),
    ];
    for (who, subjects) in lines {
        writeln!(out, "\n{who}")?;
        subjects
            .iter()
            .try_for_each(|subject| writeln!(out, "  {subject}"))?;
    }
    write!(
        out,
        "
Administrators alone make streams: only they need $JS.API.STREAM.CREATE.*.
Submitters and workers can write records, and so forge results: one queue and one
account a tenant.
"
    )?;
    Ok(())
}
