"""The metrics of several processes as those of one server."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from server.app.merged_metrics import Family, MergedCollector, counted, families_of, merge


def process(moves: int, tables: int) -> list[Family]:
    """What a process measures that has seen so many moves and runs so many tables."""
    registry = CollectorRegistry()
    counter = Counter("moves", "Moves.", ["kind"], namespace="quatch", registry=registry)
    counter.labels("person").inc(moves)
    Gauge("tables", "Tables.", namespace="quatch", registry=registry).set(tables)
    Gauge("sessions", "Sessions.", namespace="quatch", registry=registry).set(1)
    Histogram("move_seconds", "Time.", namespace="quatch", registry=registry, buckets=(1.0,)).observe(moves)
    return families_of(registry)


def page(*processes: list[Family]) -> list[str]:
    """The figures of the page that shows these."""
    registry = CollectorRegistry()
    registry.register(MergedCollector(lambda: merge(processes)))
    return [
        line for line in generate_latest(registry).decode().splitlines() if line[0] != "#" and "created" not in line
    ]


def test_figures_are_summed_up_but_for_what_all_processes_share() -> None:
    """Each process runs every table that is awake."""
    assert page(process(1, 7), process(2, 8)) == [
        'quatch_moves_total{kind="person"} 3.0',
        "quatch_tables 8.0",
        "quatch_sessions 2.0",
        'quatch_move_seconds_bucket{le="1.0"} 1.0',
        'quatch_move_seconds_bucket{le="+Inf"} 2.0',
        "quatch_move_seconds_count 2.0",
        "quatch_move_seconds_sum 3.0",
    ]


def test_what_an_ended_process_has_counted_stays() -> None:
    """Its sessions do not."""
    ended = counted(process(5, 9))
    assert page(ended, process(0, 7))[:3] == [
        'quatch_moves_total{kind="person"} 5.0',
        'quatch_move_seconds_bucket{le="1.0"} 1.0',
        'quatch_move_seconds_bucket{le="+Inf"} 2.0',
    ]
    assert "quatch_sessions 1.0" in page(ended, process(0, 7))
