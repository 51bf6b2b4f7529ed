package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.job.JobId;
import dev.heddle.sql.Dialect;
import dev.heddle.sql.IdList;
import dev.heddle.sql.Json;
import dev.heddle.sql.Rows;
import dev.heddle.sql.SeqList;
import dev.heddle.sql.TextList;
import dev.heddle.sql.Tx;

/** PostgreSQL: tables are in a schema, and times, ids and JSON have their own types. */
final class PostgresDialect implements Dialect {

    /**
     * What {@code heddle.now()} stands for. Stores keep milliseconds. A statement has the same time throughout, so that
     * it can compare it with an index.
     */
    static final String SERVER_CLOCK = "date_trunc('milliseconds', statement_timestamp())";

    private final String prefix;
    private final PlanCaching planCaching;
    private final String clock;
    private final Map<String, String> localized = new ConcurrentHashMap<>();

    /**
     * Creates the dialect of a schema.
     *
     * @param clock the expression for the time by which jobs are due: {@link #SERVER_CLOCK}, except in tests
     */
    PostgresDialect(String schema, PlanCaching planCaching, String clock) {
        this.prefix = schema + ".";
        this.planCaching = planCaching;
        this.clock = clock;
    }

    /** Returns whether connections have the settings that Heddle gave them, including the {@link TimeLimits}. */
    boolean hasOwnConnections() {
        return planCaching == PlanCaching.CACHED;
    }

    @Override
    public PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return planCaching.apply(connection.prepareStatement(localize(sql)));
    }

    @Override
    public String localize(String sql) {
        return localized.computeIfAbsent(sql, text -> text.replace("heddle.now()", clock).replace("heddle.", prefix));
    }

    @Override
    public void bind(PreparedStatement statement, int index, Object value) throws SQLException {
        switch (value) {
            case String text -> statement.setString(index, storable(text));
            case Integer number -> statement.setInt(index, number);
            case Long number -> statement.setLong(index, number);
            case Enum<?> word -> statement.setString(index, word.name());
            case Instant time -> statement.setObject(index, time(time));
            case JobId id -> statement.setObject(index, id.value());
            // Sent without a type, which fits both json and jsonb.
            case Json.Text(String json) -> statement.setObject(index, json, Types.OTHER);
            case SeqList(var seqs) -> statement.setObject(index, seqs.stream().mapToLong(Long::longValue).toArray());
            case IdList(var ids) -> setArray(statement, index, "uuid",
                    ids.stream().map(JobId::value).toArray(UUID[]::new));
            case TextList(var texts) -> setArray(statement, index, "text",
                    texts.stream().map(PostgresDialect::storable).toArray(String[]::new));
            case byte[] bytes -> statement.setBytes(index, bytes);
            case long[] numbers -> statement.setObject(index, numbers);
            case int[] numbers -> statement.setObject(index, numbers);
            case Long[] numbers -> setArray(statement, index, "bigint", numbers);
            case String[] texts -> setArray(statement, index, "text", texts);
            default -> throw new IllegalArgumentException("cannot bind a value of " + value.getClass());
        }
    }

    private static void setArray(PreparedStatement statement, int index, String type, Object[] values)
            throws SQLException {
        statement.setArray(index, statement.getConnection().createArrayOf(type, values));
    }

    /** Replaces NUL, the one character that PostgreSQL cannot store. */
    static String storable(String text) {
        return text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
    }

    static OffsetDateTime time(Instant time) {
        return time.truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
    }

    @Override
    public String anyOf() {
        return " = ANY (?)";
    }

    @Override
    public String numbers() {
        return "unnest(?) n (value)";
    }

    @Override
    public Instant now(Tx tx) throws SQLException {
        try (ResultSet row = tx.query("SELECT heddle.now()")) {
            row.next();
            return Rows.instant(row, 1);
        }
    }

    @Override
    public String asTime() {
        return "::timestamptz";
    }

    @Override
    public boolean mergesSortedParts() {
        return true;
    }

    @Override
    public String tagged() {
        return "j.tags @> to_jsonb(ARRAY[?::text])";
    }

    @Override
    public String joinInOrder() {
        return " JOIN ";
    }

    @Override
    public String withoutIndex(String column) {
        return column;
    }

    @Override
    public String millisBetween(String from, String to) {
        return "round(extract(epoch FROM (" + to + " - " + from + ")) * 1000)";
    }

    /** Only the collation "C" leaves all other letters as they are. */
    @Override
    public String contains(String text, String other) {
        return "strpos(lower(" + text + " COLLATE \"C\"), " + other + ") > 0";
    }

    @Override
    public void limitTime(PreparedStatement statement, Duration limit) throws SQLException {
        statement.setQueryTimeout(Math.toIntExact(limit.toSeconds()));
    }

    @Override
    public boolean isOutOfTime(SQLException error) {
        return "57014".equals(error.getSQLState());
    }

    @Override
    public String spoken() {
        // Without a text search parser, which would split words differently.
        return "s.lexemes @@ replace(replace(?, '\"', ''), ' ', ' & ')::tsquery";
    }

    @Override
    public void lockKeys(Tx tx, SeqList keys) throws SQLException {
        tx.query("SELECT pg_advisory_xact_lock(key) FROM unnest(?) AS key",
                (Object) keys.values().stream().sorted().mapToLong(Long::longValue).toArray()).close();
    }

    @Override
    public void lockLogs(Tx tx, boolean toDelete) throws SQLException {
        tx.query("SELECT pg_advisory_xact_lock" + (toDelete ? "" : "_shared") + "(hashtextextended(?, 3))", prefix)
                .close();
    }

    @Override
    public boolean mayProcessEvents(Tx tx) throws SQLException {
        return tryLock(tx, 2);
    }

    @Override
    public boolean mayFoldCounts(Tx tx) throws SQLException {
        return tryLock(tx, 3);
    }

    private boolean tryLock(Tx tx, long purpose) throws SQLException {
        try (ResultSet row = tx.query("SELECT pg_try_advisory_xact_lock(hashtextextended(?, ?))", prefix, purpose)) {
            return row.next() && row.getBoolean(1);
        }
    }

    @Override
    public String firstOfGroups() {
        return """
                SELECT l.limit_group, l.seq, l.priority, l.lane, l.suspicion, l.limit_key FROM unnest(?) AS g (id)
                CROSS JOIN LATERAL (
                    SELECT limit_group, seq, priority, lane, suspicion, limit_key FROM heddle.live
                    WHERE limit_group = g.id AND state = 'QUEUED' AND lane = ANY (?)
                    ORDER BY priority DESC, seq LIMIT ?) l""";
    }

    @Override
    public String nextTurn() {
        return "nextval('heddle.job_seq_seq')";
    }

    @Override
    public String forUpdate() {
        return " FOR UPDATE";
    }

    @Override
    public String forUpdateSkipLocked(String table) {
        return " FOR UPDATE OF " + table + " SKIP LOCKED";
    }
}
