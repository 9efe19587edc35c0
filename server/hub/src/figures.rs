//! What is counted, as whoever reads it takes it from here: a scraper as text, a collector as OTLP. A figure says nothing
//! of whom it is about.

/// Its name is that of Prometheus: `vivarium_`, what it is, and its unit.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    pub(crate) values: Values,
}

#[derive(Clone, Debug)]
pub(crate) enum Values {
    /// From the start of the process.
    Counter(Vec<Value>),
    /// At this moment.
    Gauge(Vec<Value>),
    Histogram(Histogram),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    /// What tells it from the others of its figure, and how it is called there.
    pub(crate) of: Option<(&'static str, &'static str)>,
    pub(crate) value: u64,
}

/// How long something took, in milliseconds.
#[derive(Clone, Debug)]
pub(crate) struct Histogram {
    pub(crate) bounds: &'static [u64],
    /// How many kept each bound and none below it; the last one kept none.
    pub(crate) buckets: Vec<u64>,
    pub(crate) sum: u64,
}

impl Figure {
    pub(crate) fn counter(name: &'static str, help: &'static str, value: u64) -> Self {
        Self { name, help, values: Values::Counter(vec![Value { of: None, value }]) }
    }

    pub(crate) fn gauge(name: &'static str, help: &'static str, value: u64) -> Self {
        Self { name, help, values: Values::Gauge(vec![Value { of: None, value }]) }
    }

    /// A counter for each of these.
    pub(crate) fn counters<const N: usize>(
        name: &'static str,
        help: &'static str,
        label: &'static str,
        values: [(&'static str, u64); N],
    ) -> Self {
        let values = values.into_iter().map(|(of, value)| Value { of: Some((label, of)), value }).collect();
        Self { name, help, values: Values::Counter(values) }
    }
}
