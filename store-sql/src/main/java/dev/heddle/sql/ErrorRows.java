package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.stats.ErrorCount;
import dev.heddle.stats.ErrorFingerprint;
import dev.heddle.stats.ErrorGroup;
import dev.heddle.stats.ErrorStore;
import dev.heddle.stats.StatsWindow;
import org.jspecify.annotations.Nullable;

/** The tables {@code error_group} and {@code error_hour}. */
final class ErrorRows {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final String SELECT = """
            SELECT fingerprint, type, exception, frame, message, failures, first_seen, last_seen, last_job, sample, note,
                   assignee
            FROM heddle.error_group\s""";

    private ErrorRows() {}

    /** Writes in the order of the fingerprints, so that no two transactions wait for each other's rows. */
    static void add(Tx tx, List<ErrorCount> errors) throws SQLException {
        List<ErrorCount> ordered = errors.stream()
                .sorted(Comparator.comparing(error -> error.fingerprint().id())).toList();
        tx.batch("""
                INSERT INTO heddle.error_group (fingerprint, type, exception, frame, message, failures, first_seen,
                                                last_seen, last_job, sample)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (fingerprint) DO UPDATE SET failures = error_group.failures + excluded.failures,
                    last_seen = excluded.last_seen, last_job = excluded.last_job, sample = excluded.sample""", ordered,
                error -> new @Nullable Object[]{error.fingerprint().id(), error.fingerprint().type(),
                    error.fingerprint().exception(), error.fingerprint().frame(), error.fingerprint().message(),
                    error.failures(), error.first(), error.last(), error.lastJob(), error.sample()});
        tx.batch("""
                INSERT INTO heddle.error_hour (fingerprint, start, failures) VALUES (?, ?, ?)
                ON CONFLICT (fingerprint, start) DO UPDATE SET failures = error_hour.failures + excluded.failures""",
                ordered, error -> new Object[]{error.fingerprint().id(), StatsWindow.startOf(error.last(), HOUR),
                    error.failures()});
        dropOldest(tx);
    }

    private static void dropOldest(Tx tx) throws SQLException {
        List<String> dropped = new ArrayList<>();
        try (ResultSet rows = tx.query(
                "SELECT fingerprint FROM heddle.error_group ORDER BY last_seen DESC LIMIT ? OFFSET ?",
                ErrorStore.MOST_GROUPS, ErrorStore.MOST_GROUPS)) {
            while (rows.next()) {
                dropped.add(rows.getString(1));
            }
        }
        for (String table : dropped.isEmpty() ? List.<String>of() : List.of("error_hour", "error_group")) {
            tx.update("DELETE FROM heddle." + table + " WHERE fingerprint" + tx.dialect().anyOf(),
                    new TextList(dropped));
        }
    }

    /** Deletes the hours that are no longer shown. */
    static void deleteOldHours(Tx tx, Instant now) throws SQLException {
        tx.update("DELETE FROM heddle.error_hour WHERE start < ?",
                StatsWindow.startOf(now.minus(StatsWindow.WEEK.length()), HOUR));
    }

    static List<ErrorGroup> list(Tx tx, @Nullable String type, int limit) throws SQLException {
        return withHours(tx, type == null
                ? read(tx.query(SELECT + "ORDER BY last_seen DESC, fingerprint LIMIT ?", limit))
                : read(tx.query(SELECT + "WHERE type = ? ORDER BY last_seen DESC, fingerprint LIMIT ?", type, limit)));
    }

    static List<ErrorGroup> find(Tx tx, String prefix) throws SQLException {
        return withHours(tx, read(tx.query(SELECT + "WHERE substr(fingerprint, 1, ?) = ? ORDER BY fingerprint LIMIT 2",
                prefix.length(), prefix)));
    }

    static List<Job> deadLetters(Tx tx, String fingerprint, long before, int limit) throws SQLException {
        List<Job> jobs = new ArrayList<>();
        try (ResultSet rows = tx.query("SELECT " + Rows.JOB + """
                 FROM heddle.ended e JOIN heddle.job j ON j.seq = e.seq LEFT JOIN heddle.live l ON l.seq = e.seq
                WHERE e.state = 'FAILED' AND e.fingerprint = ? AND e.seq < ? ORDER BY e.seq DESC LIMIT ?""",
                fingerprint, before == 0 ? Long.MAX_VALUE : before, limit)) {
            while (rows.next()) {
                jobs.add(Rows.job(rows));
            }
        }
        return jobs;
    }

    static Optional<ErrorGroup> describe(Tx tx, String fingerprint, @Nullable String note, @Nullable String assignee)
            throws SQLException {
        tx.update("UPDATE heddle.error_group SET note = ?, assignee = ? WHERE fingerprint = ?", note, assignee,
                fingerprint);
        return withHours(tx, read(tx.query(SELECT + "WHERE fingerprint = ?", fingerprint))).stream().findFirst();
    }

    private static List<ErrorGroup> read(ResultSet opened) throws SQLException {
        List<ErrorGroup> groups = new ArrayList<>();
        try (ResultSet row = opened) {
            while (row.next()) {
                groups.add(new ErrorGroup(
                        new ErrorFingerprint(row.getString(1), row.getString(2), row.getString(3), row.getString(4),
                                row.getString(5)),
                        row.getLong(6), Rows.instant(row, 7), Rows.instant(row, 8), JobId.of(row.getString(9)),
                        row.getString(10), row.getString(11), row.getString(12), List.of()));
            }
        }
        return groups;
    }

    private static List<ErrorGroup> withHours(Tx tx, List<ErrorGroup> groups) throws SQLException {
        Map<String, List<ErrorGroup.Hour>> hours = new HashMap<>();
        try (ResultSet rows = tx.query("SELECT fingerprint, start, failures FROM heddle.error_hour WHERE fingerprint"
                + tx.dialect().anyOf() + " ORDER BY start",
                new TextList(groups.stream().map(group -> group.fingerprint().id()).toList()))) {
            while (rows.next()) {
                hours.computeIfAbsent(rows.getString(1), _ -> new ArrayList<>())
                        .add(new ErrorGroup.Hour(Rows.instant(rows, 2), rows.getLong(3)));
            }
        }
        return groups.stream()
                .map(group -> new ErrorGroup(group.fingerprint(), group.failures(), group.firstSeen(), group.lastSeen(),
                        group.lastJob(), group.sample(), group.note(), group.assignee(),
                        hours.getOrDefault(group.fingerprint().id(), List.of())))
                .toList();
    }
}
