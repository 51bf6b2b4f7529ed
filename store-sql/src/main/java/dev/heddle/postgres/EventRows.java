package dev.heddle.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.heddle.event.EventBatch;
import dev.heddle.event.EventStore;
import dev.heddle.event.NodeEvent;
import dev.heddle.job.JsonErrors;
import dev.heddle.sql.Json;
import dev.heddle.sql.Tx;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The tables {@code event_source}, {@code event_batch} and {@code event_subscriber}. */
final class EventRows {

    private static final Logger LOG = LoggerFactory.getLogger(EventRows.class);
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();
    private static final TypeReference<List<NodeEvent>> EVENTS = new TypeReference<>() {};

    private EventRows() {}

    /** Subscribes, and deletes what is old; returns whether nobody subscribed before. */
    static boolean subscribe(Tx tx, String subscriber, Duration length) throws SQLException {
        boolean first = subscribed(tx).isZero();
        tx.update("DELETE FROM heddle.event_subscriber WHERE until <= heddle.now() AND subscriber <> ?", subscriber);
        tx.update("""
                INSERT INTO heddle.event_subscriber (subscriber, until) VALUES (?, heddle.now() + ? * interval '1 ms')
                ON CONFLICT (subscriber) DO UPDATE SET until = excluded.until""", subscriber, length.toMillis());
        tx.update("""
                WITH gone AS (DELETE FROM heddle.event_source WHERE at < heddle.now() - ? * interval '1 ms'
                              RETURNING source)
                DELETE FROM heddle.event_batch WHERE source IN (SELECT source FROM gone)""",
                EventStore.RETENTION.toMillis());
        return first;
    }

    static Duration subscribed(Tx tx) throws SQLException {
        try (ResultSet row = tx.query("""
                SELECT coalesce(ceil(extract(epoch FROM max(until) - heddle.now()) * 1000), 0)::bigint
                FROM heddle.event_subscriber WHERE until > heddle.now()""")) {
            row.next();
            return Duration.ofMillis(row.getLong(1));
        }
    }

    static int publish(Tx tx, EventBatch batch, int kept) throws SQLException {
        // What is lost in a crash of the server is only what was shown live.
        tx.update("SET LOCAL synchronous_commit = off");
        tx.update("""
                INSERT INTO heddle.event_source (source, position, at) VALUES (?, ?, heddle.now())
                ON CONFLICT (source) DO UPDATE SET position = excluded.position, at = excluded.at""", batch.source(),
                batch.last());
        tx.update("DELETE FROM heddle.event_batch WHERE source = ? AND last <= ?", batch.source(),
                batch.last() - kept);
        return batch.events().isEmpty() ? 0
                : tx.update("""
                        INSERT INTO heddle.event_batch (source, last, after, events) VALUES (?, ?, ?, ?)
                        ON CONFLICT (source, last) DO NOTHING""", batch.source(), batch.last(), batch.after(),
                        new Json.Text(MAPPER.writeValueAsString(batch.events())));
    }

    static Map<String, Long> positions(Tx tx) throws SQLException {
        Map<String, Long> positions = new HashMap<>();
        try (ResultSet rows = tx.query("SELECT source, position FROM heddle.event_source")) {
            while (rows.next()) {
                positions.put(rows.getString(1), rows.getLong(2));
            }
        }
        return positions;
    }

    static List<EventBatch> after(Tx tx, Map<String, Long> positions, int most) throws SQLException {
        ArrayColumns<Map.Entry<String, Long>> from = new ArrayColumns<>(List.copyOf(positions.entrySet()));
        List<EventBatch> batches = new ArrayList<>();
        try (ResultSet rows = tx.query("""
                SELECT b.source, b.after, b.events FROM unnest(?, ?) AS s (source, position)
                CROSS JOIN LATERAL (SELECT * FROM heddle.event_batch e
                                    WHERE e.source = s.source AND e.last > s.position ORDER BY e.last LIMIT ?) b
                ORDER BY b.source, b.last""", from.texts(Map.Entry::getKey), from.longs(Map.Entry::getValue), most)) {
            while (rows.next()) {
                batches.add(new EventBatch(rows.getString(1), rows.getLong(2), read(rows.getString(3))));
            }
        }
        return batches;
    }

    /** Reads events; none if a newer version wrote something that this one cannot read, which readers see as a gap. */
    private static List<NodeEvent> read(String json) {
        try {
            return MAPPER.readValue(json, EVENTS);
        } catch (JacksonException e) {
            LOG.debug("Cannot read events of another node: {}", JsonErrors.describe(e));
            return List.of();
        }
    }
}
