package dev.heddle.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.stream.Collectors;

import dev.heddle.job.JobId;
import dev.heddle.sql.Dialect;
import dev.heddle.sql.Json;
import dev.heddle.sql.Seqs;

/** Tables without a schema, times as milliseconds, JSON and ids as text. One writer, so nothing to lock. */
enum SqliteDialect implements Dialect {

    INSTANCE;

    @Override
    public String localize(String sql) {
        return sql.replace("heddle.", "");
    }

    @Override
    public void bind(PreparedStatement statement, int at, Object value) throws SQLException {
        switch (value) {
            case String text -> statement.setString(at, text);
            case Integer number -> statement.setInt(at, number);
            case Long number -> statement.setLong(at, number);
            case Enum<?> word -> statement.setString(at, word.name());
            case Instant time -> statement.setLong(at, time.toEpochMilli());
            case JobId id -> statement.setString(at, id.toString());
            case Json.Text(String json) -> statement.setString(at, json);
            case Seqs(var seqs) -> statement.setString(at,
                    seqs.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]")));
            default -> throw new IllegalArgumentException("cannot bind a " + value.getClass());
        }
    }

    @Override
    public String anyOf() {
        return " IN (SELECT value FROM json_each(?))";
    }

    @Override
    public String asTime() {
        return "";
    }

    /** It walks the index of every part by itself. */
    @Override
    public boolean mergesSortedParts() {
        return false;
    }

    @Override
    public String tagged() {
        return "EXISTS (SELECT 1 FROM json_each(j.tags) WHERE value = ?)";
    }

    @Override
    public String spoken() {
        return "s.id IN (SELECT rowid FROM spoken_words WHERE spoken_words MATCH ?)";
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
