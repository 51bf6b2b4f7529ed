package dev.heddle.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The lanes and paused queues, kept in memory: only this process writes, so they cannot change behind its back.
 * Used under the write lock only. After a rollback they are read anew, since new lanes may have gone with it.
 */
final class Lanes {

    private final Map<Lane, Long> ids = new HashMap<>();
    private final Set<String> pausedQueues = new HashSet<>();
    private boolean loaded;

    record Lane(String queue, String type, boolean suspect) {}

    void load(Session session) throws SQLException {
        if (loaded) {
            return;
        }
        ids.clear();
        pausedQueues.clear();
        try (ResultSet rows = session.query("SELECT id, queue, type, suspect FROM lane")) {
            while (rows.next()) {
                ids.put(new Lane(rows.getString(2), rows.getString(3), rows.getInt(4) == 1), rows.getLong(1));
            }
        }
        try (ResultSet rows = session.query("SELECT name FROM paused_queue")) {
            while (rows.next()) {
                pausedQueues.add(rows.getString(1));
            }
        }
        loaded = true;
    }

    void forget() {
        loaded = false;
    }

    long id(Session session, Lane lane) throws SQLException {
        @Nullable Long known = ids.get(lane);
        if (known != null) {
            return known;
        }
        long id = ids.size() + 1L;
        session.update("INSERT INTO lane (id, queue, type, suspect) VALUES (?, ?, ?, ?)", id, lane.queue(),
                lane.type(),
                lane.suspect() ? 1 : 0);
        ids.put(lane, id);
        return id;
    }

    Map<Lane, Long> all() {
        return ids;
    }

    boolean isPaused(String queue) {
        return pausedQueues.contains(queue);
    }
}
