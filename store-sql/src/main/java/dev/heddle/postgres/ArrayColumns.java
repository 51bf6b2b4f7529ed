package dev.heddle.postgres;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows into one array per column, for statements that read their rows {@code FROM unnest(...)}. There are only
 * arrays of numbers and of texts, which the driver sends without conversion. Times are sent as milliseconds and ids
 * as text, and the statement converts them.
 */
record ArrayColumns<T>(List<T> rows) {

    /** Returns the expression that converts an element of {@link #times}. */
    static String time(String column) {
        return "to_timestamp(i." + column + "::float8 / 1000) AS " + column;
    }

    /** Returns the expression that converts an element of {@link #ids}. */
    static String id(String column) {
        return "i." + column + "::uuid AS " + column;
    }

    long[] longs(ToLongFunction<T> value) {
        return rows.stream().mapToLong(value).toArray();
    }

    int[] ints(ToIntFunction<T> value) {
        return rows.stream().mapToInt(value).toArray();
    }

    /** Returns numbers that may be null. */
    @Nullable Long[] bigints(Function<T, @Nullable Long> value) {
        @Nullable Long[] column = new Long[rows.size()];
        for (int i = 0; i < column.length; i++) {
            column[i] = value.apply(rows.get(i));
        }
        return column;
    }

    @Nullable Long[] times(Function<T, @Nullable Instant> value) {
        return bigints(row -> {
            Instant time = value.apply(row);
            return time == null ? null : time.toEpochMilli();
        });
    }

    @Nullable String[] texts(Function<T, @Nullable String> value) {
        @Nullable String[] column = new String[rows.size()];
        for (int i = 0; i < column.length; i++) {
            String text = value.apply(rows.get(i));
            column[i] = text == null ? null : PostgresDialect.storable(text);
        }
        return column;
    }

    @Nullable String[] ids(Function<T, @Nullable JobId> value) {
        return texts(row -> {
            JobId id = value.apply(row);
            return id == null ? null : id.toString();
        });
    }
}
