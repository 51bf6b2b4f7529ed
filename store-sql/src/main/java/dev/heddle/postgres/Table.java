package dev.heddle.postgres;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

import dev.heddle.job.JobId;
import dev.heddle.postgres.PostgresDialect.Column;
import org.jspecify.annotations.Nullable;

/** Turns many values into columns, for statements that read their rows {@code FROM unnest(...)}. */
record Table<T>(List<T> rows) {

    long[] longs(ToLongFunction<T> value) {
        return rows.stream().mapToLong(value).toArray();
    }

    int[] ints(ToIntFunction<T> value) {
        return rows.stream().mapToInt(value).toArray();
    }

    /** Numbers that may be missing. */
    Column bigints(Function<T, @Nullable Long> value) {
        return column("bigint", value);
    }

    Column texts(Function<T, @Nullable String> value) {
        return column("text", row -> {
            String text = value.apply(row);
            return text == null ? null : PostgresDialect.storable(text);
        });
    }

    Column ids(Function<T, @Nullable JobId> value) {
        return column("uuid", row -> {
            JobId id = value.apply(row);
            return id == null ? null : id.value();
        });
    }

    /** As text: the driver turns that into an array, and PostgreSQL into times. */
    Column times(Function<T, @Nullable Instant> value) {
        return column("timestamptz", row -> {
            Instant time = value.apply(row);
            return time == null ? null : PostgresDialect.time(time).toString();
        });
    }

    private Column column(String type, Function<T, ? extends @Nullable Object> value) {
        List<@Nullable Object> values = new ArrayList<>(rows.size());
        for (T row : rows) {
            values.add(value.apply(row));
        }
        return new Column(type, values);
    }
}
