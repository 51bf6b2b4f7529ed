-- Not logged: these tables pass on what is shown live. If the server crashes they are empty, and readers are told.
CREATE UNLOGGED TABLE heddle.event_source (
    source   text        PRIMARY KEY,
    position bigint      NOT NULL,
    at       timestamptz NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE heddle.event_source IS 'Where the events of each node stand.';
COMMENT ON COLUMN heddle.event_source.position IS 'The number of its last event in event_batch, or of the one before its first.';
COMMENT ON COLUMN heddle.event_source.at IS 'When it published for the last time.';

CREATE UNLOGGED TABLE heddle.event_batch (
    source text   NOT NULL,
    last   bigint NOT NULL,
    after  bigint NOT NULL,
    events json   NOT NULL,
    PRIMARY KEY (source, last)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE heddle.event_batch IS
    'The newest events of each node, for readers on other nodes. Written only while anyone subscribes.';
COMMENT ON COLUMN heddle.event_batch.after IS 'The number of the event before the first one.';

CREATE UNLOGGED TABLE heddle.event_subscriber (
    subscriber text        PRIMARY KEY,
    until      timestamptz NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE heddle.event_subscriber IS 'Who has readers of events, and until when that holds unless it is prolonged.';
