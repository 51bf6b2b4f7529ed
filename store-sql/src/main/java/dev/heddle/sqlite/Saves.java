package dev.heddle.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.heddle.store.Saved;
import org.jspecify.annotations.Nullable;

/** Checkpoints and steps. */
final class Saves {

    private Saves() {}

    static Saved load(Session session, long seq) throws SQLException {
        @Nullable String checkpoint = null;
        try (ResultSet rows = session.query("SELECT json FROM checkpoint WHERE seq = ?", seq)) {
            if (rows.next()) {
                checkpoint = rows.getString(1);
            }
        }
        Map<String, String> steps = new LinkedHashMap<>();
        try (ResultSet rows = session
                .query("SELECT name, json FROM step WHERE seq = ? ORDER BY saved_at, name", seq)) {
            while (rows.next()) {
                steps.put(rows.getString(1), rows.getString(2));
            }
        }
        return new Saved(checkpoint, steps);
    }

    static void delete(Session session, long seq) throws SQLException {
        session.update("DELETE FROM checkpoint WHERE seq = ?", seq);
        session.update("DELETE FROM step WHERE seq = ?", seq);
    }
}
