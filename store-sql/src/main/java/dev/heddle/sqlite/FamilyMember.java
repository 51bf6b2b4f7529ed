package dev.heddle.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.heddle.sql.FamilyChanges;
import dev.heddle.sql.Rows;
import dev.heddle.sql.SeqList;
import dev.heddle.sql.Tx;
import dev.heddle.store.Change;
import dev.heddle.store.FamilyReasons;
import org.jspecify.annotations.Nullable;

/** A job that ends, and that has a parent, children, or both. */
record FamilyMember(Change.Ended end, @Nullable Long parent, boolean hasChildren) {

    /** Finds the members of families among ended jobs. Costs one look at an index if there are no families. */
    static List<FamilyMember> among(Tx tx, List<Change.Ended> ended) throws SQLException {
        try (ResultSet rows = tx.query("SELECT 1 FROM live WHERE parent IS NOT NULL LIMIT 1")) {
            if (!rows.next()) {
                return List.of();
            }
        }
        Map<Long, Change.Ended> bySeq = new HashMap<>();
        ended.forEach(end -> bySeq.put(end.fence().seq(), end));
        List<FamilyMember> members = new ArrayList<>();
        try (ResultSet rows = tx.query("""
                SELECT seq, parent, has_children FROM live
                WHERE seq IN (SELECT value FROM json_each(?)) AND (parent IS NOT NULL OR has_children)""",
                new SeqList(bySeq.keySet()))) {
            while (rows.next()) {
                members.add(new FamilyMember(Objects.requireNonNull(bySeq.get(rows.getLong(1))), Rows.number(rows, 2),
                        rows.getBoolean(3)));
            }
        }
        return members;
    }

    /** Notes the end for the parent, and cancels the children. */
    void end(Tx tx, FamilyChanges families) throws SQLException {
        String node = end.fence().node();
        Instant at = end.execution().endedAt();
        families.childEnded(parent, node, at);
        if (hasChildren) {
            families.cancelChildren(tx, List.of(end.fence().seq()),
                    FamilyReasons.parentEnded(end.transition().target()), node, at);
        }
    }
}
