package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.store.ClaimRequest.Wanted;
import org.jspecify.annotations.Nullable;

/**
 * Lanes: all jobs that are alike for claiming, of one queue, one type, suspect or not. They are made in pairs, are
 * never deleted and never change, so what is known of them stays true, unless the transaction that made them fails. Only
 * those where jobs wait for one worker ({@link SessionRows}) go with it, and nobody remembers them.
 */
public final class Lanes {

    private final Map<Lane, Long> plain = new ConcurrentHashMap<>();

    public record Lane(String queue, String type) {}

    /** A lane that may be claimed from, and for what. */
    public record Open(long id, Wanted wanted) {}

    /** The lane for jobs that are not suspect; null where it has not been seen yet. */
    public @Nullable Long known(Lane lane) {
        return plain.get(lane);
    }

    /** Finds or makes the lane. */
    public long id(Session session, Lane lane) throws SQLException {
        Long known = plain.get(lane);
        if (known != null) {
            return known;
        }
        session.update("""
                INSERT INTO heddle.lane (queue, type, suspect) VALUES (?, ?, FALSE), (?, ?, TRUE)
                ON CONFLICT (queue, type, suspect) DO NOTHING""", lane.queue(), lane.type(), lane.queue(),
                lane.type());
        try (ResultSet rows = session.query(
                "SELECT id FROM heddle.lane WHERE queue = ? AND type = ? AND NOT suspect", lane.queue(),
                lane.type())) {
            if (!rows.next()) {
                throw new SQLException("lane " + lane + " was made and is not there");
            }
            long id = rows.getLong(1);
            plain.put(lane, id);
            return id;
        }
    }

    /** What was made in a transaction that failed is gone. */
    public void forget() {
        plain.clear();
    }

    /** The lanes of what is wanted, but for paused queues. */
    public static List<Open> open(Session session, List<Wanted> wanted) throws SQLException {
        List<Open> open = new ArrayList<>();
        try (ResultSet rows = session.query("""
                SELECT l.id, l.type, l.suspect FROM heddle.lane l
                WHERE NOT EXISTS (SELECT 1 FROM heddle.paused_queue p WHERE p.name = l.queue)""")) {
            while (rows.next()) {
                String type = rows.getString(2);
                boolean suspect = rows.getBoolean(3);
                for (Wanted kind : wanted) {
                    if (kind.suspect() == suspect && kind.type().equals(type)) {
                        open.add(new Open(rows.getLong(1), kind));
                    }
                }
            }
        }
        return open;
    }
}
