package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.query.ViewStore.View;

/** The table {@code saved_view}. */
final class ViewRows {

    private ViewRows() {}

    static int save(Tx tx, View view) throws SQLException {
        return tx.update("""
                INSERT INTO heddle.saved_view (name, query, actor, saved_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET query = excluded.query, actor = excluded.actor,
                    saved_at = excluded.saved_at""", view.name(), view.query(), view.actor(), view.savedAt());
    }

    static List<View> list(Tx tx) throws SQLException {
        List<View> views = new ArrayList<>();
        try (ResultSet rows = tx.query("SELECT name, query, actor, saved_at FROM heddle.saved_view")) {
            while (rows.next()) {
                views.add(new View(rows.getString(1), rows.getString(2), rows.getString(3), Rows.instant(rows, 4)));
            }
        }
        // Sorted here, because databases sort texts differently.
        views.sort((one, other) -> one.name().compareTo(other.name()));
        return views;
    }

    static boolean remove(Tx tx, String name) throws SQLException {
        return tx.update("DELETE FROM heddle.saved_view WHERE name = ?", name) > 0;
    }
}
