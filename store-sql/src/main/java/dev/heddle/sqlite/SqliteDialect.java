package dev.heddle.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Collectors;

import dev.heddle.job.JobId;
import dev.heddle.sql.Dialect;
import dev.heddle.sql.IdList;
import dev.heddle.sql.Json;
import dev.heddle.sql.SeqList;
import dev.heddle.sql.TextList;
import dev.heddle.sql.Tx;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteErrorCode;

/**
 * SQLite: tables have no schema, times are milliseconds, JSON and ids are text. With one writer there is nothing to
 * lock.
 */
enum SqliteDialect implements Dialect {

    INSTANCE;

    private static final int STEPS_BETWEEN_LOOKS_AT_THE_TIME = 10_000;

    @Override
    public String localize(String sql) {
        return sql.replace("heddle.", "");
    }

    @Override
    public void bind(PreparedStatement statement, int index, Object value) throws SQLException {
        switch (value) {
            case String text -> statement.setString(index, text);
            case Integer number -> statement.setInt(index, number);
            case Long number -> statement.setLong(index, number);
            case Enum<?> word -> statement.setString(index, word.name());
            case Instant time -> statement.setLong(index, time.toEpochMilli());
            case JobId id -> statement.setString(index, id.toString());
            case byte[] bytes -> statement.setBytes(index, bytes);
            case Json.Text(String json) -> statement.setString(index, json);
            case SeqList(var seqs) -> statement.setString(index,
                    seqs.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]")));
            case IdList(var ids) -> statement.setString(index,
                    ids.stream().map(id -> '"' + id.toString() + '"').collect(Collectors.joining(",", "[", "]")));
            case TextList(var texts) -> statement.setString(index,
                    Objects.requireNonNull(Json.text(texts)).json());
            default -> throw new IllegalArgumentException("cannot bind a value of " + value.getClass());
        }
    }

    @Override
    public String anyOf() {
        return " IN (SELECT value FROM json_each(?))";
    }

    @Override
    public String numbers() {
        return "json_each(?) n";
    }

    /** Every transaction that writes has its time set. */
    @Override
    public Instant now(Tx tx) {
        throw new IllegalStateException("SQLite has no clock");
    }

    @Override
    public String asTime() {
        return "";
    }

    /** SQLite merges the parts by their indexes without that. */
    @Override
    public boolean mergesSortedParts() {
        return false;
    }

    @Override
    public String tagged() {
        return "EXISTS (SELECT 1 FROM json_each(j.tags) WHERE value = ?)";
    }

    @Override
    public String joinInOrder() {
        return " CROSS JOIN ";
    }

    @Override
    public String withoutIndex(String column) {
        return "+" + column;
    }

    @Override
    public String millisBetween(String from, String to) {
        return "(" + to + " - " + from + ")";
    }

    @Override
    public String contains(String text, String other) {
        return "instr(lower(" + text + "), " + other + ") > 0";
    }

    /** The time limit of the driver is about waiting for locks. */
    @Override
    public void limitTime(PreparedStatement statement, Duration limit) throws SQLException {
        if (limit.isZero()) {
            ProgressHandler.clearHandler(statement.getConnection());
            return;
        }
        long deadline = System.nanoTime() + limit.toNanos();
        ProgressHandler.setHandler(statement.getConnection(), STEPS_BETWEEN_LOOKS_AT_THE_TIME, new ProgressHandler() {
            @Override
            protected int progress() {
                return System.nanoTime() - deadline > 0 ? 1 : 0;
            }
        });
    }

    @Override
    public boolean isOutOfTime(SQLException error) {
        return error.getErrorCode() == SQLiteErrorCode.SQLITE_INTERRUPT.code;
    }

    @Override
    public String spoken() {
        return "s.id IN (SELECT rowid FROM spoken_words WHERE spoken_words MATCH ?)";
    }

    @Override
    public void lockKeys(Tx tx, SeqList keys) {
        // There is one writer.
    }

    @Override
    public void lockLogs(Tx tx, boolean toDelete) {
        // There is one writer.
    }

    @Override
    public boolean mayProcessEvents(Tx tx) {
        return true;
    }

    @Override
    public boolean mayFoldCounts(Tx tx) {
        return true;
    }

    @Override
    public String firstOfGroups() {
        return """
                SELECT l.limit_group, l.seq, l.priority, l.lane, l.suspicion, l.limit_key FROM json_each(?) g
                CROSS JOIN live l WHERE l.seq IN (
                    SELECT w.seq FROM live w WHERE w.limit_group = g.value AND w.state = 'QUEUED'
                      AND w.lane IN (SELECT value FROM json_each(?))
                    ORDER BY w.priority DESC, w.seq LIMIT ?)""";
    }

    @Override
    public String nextTurn() {
        return """
                (SELECT 1 + max(coalesce((SELECT max(turn) FROM limit_group), 0),
                                coalesce((SELECT max(seq) FROM job), 0)))""";
    }

    @Override
    public String forUpdate() {
        return "";
    }

    @Override
    public String forUpdateSkipLocked(String table) {
        return "";
    }
}
