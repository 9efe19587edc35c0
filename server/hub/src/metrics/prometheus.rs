//! Figures in the text format of Prometheus (0.0.4).

use crate::figures::{Figure, Histogram, Value, Values};
use std::fmt::Write;

pub(super) fn page(figures: &[Figure]) -> String {
    let mut page = String::new();
    for figure in figures {
        write(&mut page, figure).expect("a text takes every line");
    }
    page
}

fn write(page: &mut String, Figure { name, help, values }: &Figure) -> std::fmt::Result {
    let kind = match values {
        Values::Counter(_) => "counter",
        Values::Gauge(_) => "gauge",
        Values::Histogram(_) => "histogram",
    };
    writeln!(page, "# HELP {name} {help}\n# TYPE {name} {kind}")?;
    match values {
        Values::Counter(values) | Values::Gauge(values) => {
            for Value { of, value } in values {
                match of {
                    Some((label, of)) => writeln!(page, "{name}{{{label}=\"{of}\"}} {value}")?,
                    None => writeln!(page, "{name} {value}")?,
                }
            }
            Ok(())
        }
        Values::Histogram(Histogram { bounds, buckets, sum }) => {
            let mut below = 0;
            let bounds = bounds.iter().map(|bound| seconds(*bound)).chain(["+Inf".to_owned()]);
            for (bound, count) in bounds.zip(buckets) {
                below += count;
                writeln!(page, "{name}_bucket{{le=\"{bound}\"}} {below}")?;
            }
            writeln!(page, "{name}_sum {}\n{name}_count {below}", seconds(*sum))
        }
    }
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1000, millis % 1000)
}
