package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.heddle.store.Saved;
import org.jspecify.annotations.Nullable;

/** Checkpoints and steps. */
public final class Saves {

    private Saves() {}

    static Saved load(Session session, long seq) throws SQLException {
        @Nullable String checkpoint = null;
        try (ResultSet rows = session.query("SELECT json FROM heddle.checkpoint WHERE seq = ?", seq)) {
            if (rows.next()) {
                checkpoint = rows.getString(1);
            }
        }
        Map<String, String> steps = new LinkedHashMap<>();
        try (ResultSet rows = session
                .query("SELECT name, json FROM heddle.step WHERE seq = ? ORDER BY saved_at, name", seq)) {
            while (rows.next()) {
                steps.put(rows.getString(1), rows.getString(2));
            }
        }
        return new Saved(checkpoint, steps);
    }

    /** Nothing is left for another attempt of these jobs. */
    public static void delete(Session session, Seqs seqs) throws SQLException {
        String these = " WHERE seq" + session.dialect().anyOf();
        session.update("DELETE FROM heddle.checkpoint" + these, seqs);
        session.update("DELETE FROM heddle.step" + these, seqs);
    }
}
