package dev.heddle.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.heddle.sql.Kinship;
import dev.heddle.sql.Rows;
import dev.heddle.sql.Seqs;
import dev.heddle.sql.Session;
import dev.heddle.store.Change;
import dev.heddle.store.Families;
import org.jspecify.annotations.Nullable;

/** A job that ends and has a parent, children, or both. */
record Relative(Change.Ended end, @Nullable Long parent, boolean hasChildren) {

    /** Looked for only where there are families at all, so that all others pay nothing for them. */
    static List<Relative> among(Session session, List<Change.Ended> ended) throws SQLException {
        try (ResultSet rows = session.query("SELECT 1 FROM live WHERE parent IS NOT NULL LIMIT 1")) {
            if (!rows.next()) {
                return List.of();
            }
        }
        Map<Long, Change.Ended> bySeq = new HashMap<>();
        ended.forEach(end -> bySeq.put(end.fence().seq(), end));
        List<Relative> relatives = new ArrayList<>();
        try (ResultSet rows = session.query("""
                SELECT seq, parent, has_children FROM live
                WHERE seq IN (SELECT value FROM json_each(?)) AND (parent IS NOT NULL OR has_children)""",
                new Seqs(bySeq.keySet()))) {
            while (rows.next()) {
                relatives.add(new Relative(Objects.requireNonNull(bySeq.get(rows.getLong(1))),
                        Rows.number(rows, 2), rows.getBoolean(3)));
            }
        }
        return relatives;
    }

    /** What its end means to the others. */
    void leave(Session session, Kinship kin) throws SQLException {
        String node = end.fence().node();
        Instant at = end.execution().endedAt();
        kin.lost(parent, node, at);
        if (hasChildren) {
            kin.cancelChildren(session, List.of(end.fence().seq()), Families.PARENT_COMPLETED, node, at);
        }
    }
}
