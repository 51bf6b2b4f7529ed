package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.heddle.store.ClaimRequest.Wanted;

/**
 * Finds the next jobs over several lanes. Each lane has its own range of the index {@code live_ready}, in claiming
 * order, and the database merges the ranges. Jobs in other lanes cost nothing, however many there are and however
 * urgent.
 */
public final class ClaimCandidates {

    /** SQLite allows 500 terms in a compound select. */
    private static final int MAX_TERMS = 200;

    static final Comparator<Candidate> CLAIM_ORDER = Comparator.comparingInt(Candidate::priority).reversed()
            .thenComparingLong(Candidate::seq);

    private ClaimCandidates() {}

    /** A job that could be claimed. */
    public record Candidate(long seq, int priority, Lanes.Open lane, boolean isCapped) {}

    /**
     * Returns the first jobs in claiming order, and no more for each {@link Wanted} than its limit. The first suspect
     * that has a cap is the last.
     */
    public static List<Candidate> choose(Tx tx, List<Lanes.Open> lanes, int limit) throws SQLException {
        List<Candidate> candidates = new ArrayList<>();
        for (int from = 0; from < lanes.size(); from += MAX_TERMS) {
            addFirstOf(tx, lanes.subList(from, Math.min(from + MAX_TERMS, lanes.size())), limit, candidates);
        }
        candidates.sort(CLAIM_ORDER);
        List<Candidate> chosen = new ArrayList<>();
        Map<Wanted, Integer> taken = new HashMap<>();
        for (Candidate candidate : candidates) {
            Wanted wanted = candidate.lane().wanted();
            if (chosen.size() < limit && taken.merge(wanted, 1, Integer::sum) <= wanted.limit()) {
                chosen.add(candidate);
                if (candidate.isCapped()) {
                    return chosen;
                }
            }
        }
        return chosen;
    }

    private static void addFirstOf(Tx tx, List<Lanes.Open> lanes, int limit, List<Candidate> candidates)
            throws SQLException {
        // Only suspects have a suspicion that matters here, and the index does not have it.
        boolean suspects = lanes.stream().anyMatch(lane -> lane.wanted().suspect());
        String columns = suspects ? "seq, priority, lane, suspicion" : "seq, priority, lane";
        StringBuilder sql = new StringBuilder();
        List<Object> parameters = new ArrayList<>();
        int extra = 0;
        for (Lanes.Open lane : lanes) {
            sql.append(sql.isEmpty() ? "" : "\nUNION ALL ");
            parameters.add(lane.id());
            boolean filtered = !lane.wanted().excludedTags().isEmpty();
            String select = filtered ? selectUntagged(tx, columns, lane.wanted().excludedTags(), parameters)
                    : "SELECT " + columns + " FROM heddle.live WHERE state = 'QUEUED' AND lane = ?";
            boolean limited = lane.wanted().limit() < limit;
            if (filtered || limited || tx.dialect().mergesSortedParts()) {
                sql.append("SELECT * FROM (").append(select).append(" ORDER BY priority DESC, seq LIMIT ?) one");
                parameters.add(limited ? lane.wanted().limit() : limit);
                extra += limited ? lane.wanted().limit() : 0;
            } else {
                sql.append(select);
            }
        }
        sql.append("\nORDER BY 2 DESC, 1 LIMIT ?");
        parameters.add(limit + extra);
        Map<Long, Lanes.Open> byId = lanes.stream().collect(Collectors.toMap(Lanes.Open::id, Function.identity()));
        try (ResultSet rows = tx.query(sql.toString(), parameters.toArray())) {
            while (rows.next()) {
                Lanes.Open lane = byId.get(rows.getLong(3));
                if (lane != null) {
                    candidates.add(new Candidate(rows.getLong(1), rows.getInt(2), lane,
                            suspects && Suspicions.read(rows.getString(4), lane.wanted().suspect()).isCapped()));
                }
            }
        }
    }

    /**
     * Selects from the first {@link Wanted#MAX_SCANNED} jobs of a lane those that have none of the tags. The subquery
     * is called {@code j} because {@link Dialect#tagged} looks at {@code j.tags}.
     */
    private static String selectUntagged(Tx tx, String columns, Set<String> tags, List<Object> parameters) {
        parameters.add(Wanted.MAX_SCANNED);
        parameters.addAll(tags);
        return "SELECT " + columns + """
                 FROM (
                    SELECT l.seq, l.priority, l.lane, l.suspicion, job.tags
                    FROM heddle.live l JOIN heddle.job job ON job.seq = l.seq
                    WHERE l.state = 'QUEUED' AND l.lane = ? ORDER BY l.priority DESC, l.seq LIMIT ?) j
                WHERE j.tags IS NULL OR NOT ("""
                + String.join(" OR ", Collections.nCopies(tags.size(), tx.dialect().tagged())) + ")";
    }
}
