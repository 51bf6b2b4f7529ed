package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import org.jspecify.annotations.Nullable;

/**
 * A column of the table {@code job}: its name, its kind, and the value that a {@link JobSpec} has for it. The kind is
 * the type of the record. A store decides by the kind how a value travels to its database.
 *
 * <p>{@link JobColumns} declares all of them.
 */
public sealed interface JobColumn {

    /**
     * Returns the column's place, from 2: in the parameters of an insert, and in a result of
     * {@link JobColumns#SELECT}.
     */
    int index();

    /** Returns the name that the column has in both databases. */
    String name();

    /** Returns the job's value for this column as a parameter that every {@link Dialect} accepts. */
    @Nullable Object parameter(JobSpec spec);

    /** A text, or null. */
    record Text(int index, String name, Function<JobSpec, @Nullable String> value) implements JobColumn {
        @Override
        public @Nullable Object parameter(JobSpec spec) {
            return value.apply(spec);
        }

        @Nullable String read(ResultSet row) throws SQLException {
            return row.getString(index);
        }
    }

    /** A number that every job has. */
    record Int(int index, String name, ToIntFunction<JobSpec> value) implements JobColumn {
        @Override
        public Object parameter(JobSpec spec) {
            return value.applyAsInt(spec);
        }
    }

    /** A number, or null. */
    record OptionalNumber(int index, String name, Function<JobSpec, @Nullable Long> value) implements JobColumn {
        @Override
        public @Nullable Object parameter(JobSpec spec) {
            return value.apply(spec);
        }

        @Nullable Long read(ResultSet row) throws SQLException {
            return Rows.number(row, index);
        }
    }

    /** A time that every job has. */
    record Time(int index, String name, Function<JobSpec, Instant> value) implements JobColumn {
        @Override
        public Object parameter(JobSpec spec) {
            return value.apply(spec);
        }
    }

    /** The id of a job, or null. */
    record Uuid(int index, String name, Function<JobSpec, @Nullable JobId> value) implements JobColumn {
        @Override
        public @Nullable Object parameter(JobSpec spec) {
            return value.apply(spec);
        }

        @Nullable JobId read(ResultSet row) throws SQLException {
            String id = row.getString(index);
            return id == null ? null : JobId.of(id);
        }
    }

    /** A JSON document, or null. */
    record JsonText(int index, String name, Function<JobSpec, Json.@Nullable Text> value) implements JobColumn {
        @Override
        public @Nullable Object parameter(JobSpec spec) {
            return value.apply(spec);
        }

        @Nullable String read(ResultSet row) throws SQLException {
            return row.getString(index);
        }
    }

    /** True, or null for false: most jobs then have no value in any optional column. */
    record Flag(int index, String name, Predicate<JobSpec> value) implements JobColumn {
        @Override
        public @Nullable Object parameter(JobSpec spec) {
            return value.test(spec) ? 1 : null;
        }

        boolean read(ResultSet row) throws SQLException {
            return row.getBoolean(index);
        }
    }
}
