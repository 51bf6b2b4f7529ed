package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.job.JobId;
import dev.heddle.sql.Dialect;
import dev.heddle.sql.Json;
import dev.heddle.sql.Seqs;

/** Tables in a schema of their own, and the types that PostgreSQL has for times, ids and JSON. */
final class PostgresDialect implements Dialect {

    private final String prefix;
    private final Plans plans;
    private final Map<String, String> localized = new ConcurrentHashMap<>();

    PostgresDialect(String schema, Plans plans) {
        this.prefix = schema + ".";
        this.plans = plans;
    }

    @Override
    public PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return plans.apply(connection.prepareStatement(localize(sql)));
    }

    @Override
    public String localize(String sql) {
        return localized.computeIfAbsent(sql, text -> text.replace("heddle.", prefix));
    }

    @Override
    public void bind(PreparedStatement statement, int at, Object value) throws SQLException {
        switch (value) {
            case String text -> statement.setString(at, storable(text));
            case Integer number -> statement.setInt(at, number);
            case Long number -> statement.setLong(at, number);
            case Enum<?> word -> statement.setString(at, word.name());
            case Instant time -> statement.setObject(at, time(time));
            case JobId id -> statement.setObject(at, id.value());
            // Sent without a type, so that it fits json and jsonb alike.
            case Json.Text(String json) -> statement.setObject(at, json, Types.OTHER);
            case Seqs(var seqs) ->
                statement.setObject(at, seqs.stream().mapToLong(Long::longValue).toArray());
            case long[] numbers -> statement.setObject(at, numbers);
            case int[] numbers -> statement.setObject(at, numbers);
            case Long[] numbers -> setArray(statement, at, "bigint", numbers);
            case String[] texts -> setArray(statement, at, "text", texts);
            default -> throw new IllegalArgumentException("cannot bind a " + value.getClass());
        }
    }

    private static void setArray(PreparedStatement statement, int at, String type, Object[] values)
            throws SQLException {
        statement.setArray(at, statement.getConnection().createArrayOf(type, values));
    }

    /** PostgreSQL keeps every character but this one. */
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
    public String spoken() {
        // Not by a parser, which has ideas of its own about what a word is.
        return "s.lexemes @@ replace(replace(?, '\"', ''), ' ', ' & ')::tsquery";
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
