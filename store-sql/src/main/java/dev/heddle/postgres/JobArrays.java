package dev.heddle.postgres;

import java.util.ArrayList;
import java.util.List;

import dev.heddle.job.JobSpec;
import dev.heddle.sql.JobColumn;
import dev.heddle.sql.Json;
import org.jspecify.annotations.Nullable;

/**
 * Sends the columns of a job to PostgreSQL: as an array per column, or as single values in a row of {@code VALUES}.
 * In both cases the statement reads them from {@code i} and converts them to the type of the column.
 */
final class JobArrays {

    private JobArrays() {}

    /** Returns an array for each column, with a value of each job. */
    static List<@Nullable Object> of(List<JobColumn> columns, ArrayColumns<JobSpec> specs) {
        List<@Nullable Object> arrays = new ArrayList<>(columns.size());
        for (JobColumn column : columns) {
            arrays.add(switch (column) {
                case JobColumn.Text text -> specs.texts(text.value());
                case JobColumn.Int number -> specs.ints(number.value());
                case JobColumn.OptionalNumber number -> specs.bigints(number.value());
                case JobColumn.Time time -> specs.longs(spec -> time.value().apply(spec).toEpochMilli());
                case JobColumn.Uuid id -> specs.ids(id.value());
                case JobColumn.JsonText json -> specs.texts(spec -> text(json.value().apply(spec)));
                case JobColumn.Flag flag -> specs.ints(spec -> flag.value().test(spec) ? 1 : 0);
            });
        }
        return arrays;
    }

    private static @Nullable String text(Json.@Nullable Text json) {
        return json == null ? null : json.json();
    }

    /** Returns the expression that converts an element of the array to a value of the column. */
    static String convert(JobColumn column) {
        String name = column.name();
        return switch (column) {
            case JobColumn.Text _, JobColumn.Int _, JobColumn.OptionalNumber _ -> "i." + name;
            case JobColumn.Time _ -> ArrayColumns.time(name);
            case JobColumn.Uuid _ -> ArrayColumns.id(name);
            case JobColumn.JsonText _ -> "i." + name + "::jsonb AS " + name;
            case JobColumn.Flag _ -> "CASE WHEN i." + name + " = 1 THEN TRUE END AS " + name;
        };
    }

    /** Returns the placeholder of a single value, with its type. */
    static String placeholder(JobColumn column) {
        return switch (column) {
            case JobColumn.Text _ -> "?::text";
            case JobColumn.Int _, JobColumn.Flag _ -> "?::integer";
            case JobColumn.OptionalNumber _, JobColumn.Time _ -> "?::bigint";
            case JobColumn.Uuid _ -> "?::uuid";
            case JobColumn.JsonText _ -> "?::jsonb";
        };
    }

    /** Returns a single value, for {@link #placeholder}. */
    static @Nullable Object value(JobColumn column, JobSpec spec) {
        return column instanceof JobColumn.Time time ? time.value().apply(spec).toEpochMilli() : column.parameter(spec);
    }
}
