package dev.heddle.postgres;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.heddle.sql.CountRows;
import dev.heddle.sql.JobColumn;
import dev.heddle.sql.JobColumns;

/**
 * The statements that store jobs, each with all of its rows in one execution. They are made from {@link JobColumns}
 * when the class is loaded. The parameters are those of the columns, and then those that each statement names.
 */
final class InsertStatements {

    private static final String STATE = "CASE WHEN due_at IS NULL THEN 'QUEUED' ELSE 'SCHEDULED' END";
    private static final String NEXT_SEQ = "nextval('heddle.job_seq_seq') AS seq";
    private static final String LIVE = """
            INSERT INTO heddle.live (seq, lane, priority, state, attempt, failures, crashes, due_at, due_after_span%s)
            SELECT seq, lane, priority, $STATE, 0, 0, 0, due_at,
                   due_after_span%s
            FROM input
            """.replace("$STATE", STATE);
    /** A time that is past already means at once. */
    private static final String DUE = """
            CASE WHEN i.delay IS NOT NULL THEN heddle.now() + i.delay * interval '1 ms'
                 WHEN i.run_at > 1000 * extract(epoch FROM heddle.now()) THEN to_timestamp(i.run_at::float8 / 1000)
            END AS due_at, i.delay IS NOT NULL AS due_after_span""";
    /** A parent that is stored in the same statement as its child has no number before. */
    private static final String PARENT_SEQ = """
            CASE WHEN parent IS NULL OR parent_seq IS NOT NULL THEN parent_seq
            ELSE (SELECT stored_with.seq FROM input stored_with WHERE stored_with.id = input.parent) END""";

    /** For jobs without options, as most are. Parameters: arrays of {@link JobColumns#REQUIRED}, lane, run_at, delay. */
    static final String PLAIN = input(JobColumns.REQUIRED) + counting("input", STATE) + LIVE.formatted("", "");

    /**
     * For jobs with options. Parameters: arrays of {@link JobColumns#ALL}, lane, run_at, delay, dedupe, parent_seq,
     * has_children, joining (1 if the job joins the group of its limits at once), limit_key. Returns how many jobs were
     * not stored because another transaction took their dedupe key.
     */
    static final String FULL = input(JobColumns.ALL, "dedupe", "parent_seq", "has_children", "joining", "limit_key")
            + counting("input", STATE) + ", lived AS (\n"
            + LIVE.formatted(", dedupe, has_children, limit_group, limit_key, parent, submitted_at",
                    ", dedupe, has_children = 1, CASE WHEN joining = 1 THEN limit_group END, limit_key, " + PARENT_SEQ
                            + ", CASE WHEN session IS NOT NULL THEN heddle.now() END")
            + """
                        ON CONFLICT (dedupe) WHERE dedupe IS NOT NULL DO NOTHING RETURNING 1)
                    SELECT (SELECT count(*) FROM input) - (SELECT count(*) FROM lived)
                    """;

    /** The columns in which plain jobs of one batch are usually equal. */
    static final List<JobColumn> SHARED = List.of(JobColumns.TYPE, JobColumns.QUEUE, JobColumns.PRIORITY);

    /** The other columns of plain jobs. */
    static final List<JobColumn> VARYING = JobColumns.REQUIRED.stream().filter(column -> !SHARED.contains(column))
            .toList();

    private static final String ALIKE = """
            WITH stored AS (
                INSERT INTO heddle.job (seq, %s, %s)
                SELECT %s, %s, %s FROM %%s AS i (%2$s) RETURNING seq, priority)
            %6$sINSERT INTO heddle.live (seq, priority, lane, state, attempt, failures, crashes)
            SELECT seq, priority, ?, 'QUEUED', 0, 0, 0 FROM stored
            """.formatted(JobColumns.names(SHARED), JobColumns.names(VARYING), NEXT_SEQ, placeholders(SHARED.size()),
            converted(VARYING), CountRows.countingNew());

    /**
     * The most jobs for which single values are cheaper than arrays: about what callers submitting one job each bring
     * together.
     */
    static final int FEW = 16;

    /**
     * By the number of jobs, for plain jobs with equal {@link #SHARED} columns that may run at once. Parameters: the
     * shared values, the {@link #VARYING} values of each job, queue, type and number of the jobs, then lane.
     */
    static final List<String> FEW_ALIKE = IntStream
            .rangeClosed(0,
                    FEW)
            .mapToObj(
                    number -> ALIKE
                            .formatted(
                                    "(VALUES "
                                            + String.join(", ",
                                                    Collections.nCopies(number,
                                                            VARYING.stream().map(JobArrays::placeholder)
                                                                    .collect(Collectors.joining(", ", "(", ")"))))
                                            + ")"))
            .toList();

    /** The same for more jobs, with an array for each of the {@link #VARYING} columns. */
    static final String MANY_ALIKE = ALIKE.formatted("unnest(" + placeholders(VARYING.size()) + ")");

    private InsertStatements() {}

    /** Reads jobs from arrays as {@code input}, and stores their specs. */
    private static String input(List<JobColumn> columns, String... more) {
        List<String> extra = Stream.concat(Stream.of("lane", "run_at", "delay"), Stream.of(more)).toList();
        String read = Stream.concat(Stream.of("i.lane", DUE), Stream.of(more).map(name -> "i." + name))
                .collect(Collectors.joining(", "));
        return """
                WITH input AS (
                    SELECT %s, %s, %s FROM unnest(%s) AS i (%s, %s)),
                stored AS (
                    INSERT INTO heddle.job (seq, %5$s) SELECT seq, %5$s FROM input)
                """.formatted(NEXT_SEQ, converted(columns), read, placeholders(columns.size() + extra.size()),
                JobColumns.names(columns), String.join(", ", extra));
    }

    private static String counting(String rows, String to) {
        return CountRows.counting(rows, "NULL", to);
    }

    private static String converted(List<JobColumn> columns) {
        return columns.stream().map(JobArrays::convert).collect(Collectors.joining(", "));
    }

    private static String placeholders(int count) {
        return String.join(", ", Collections.nCopies(count, "?"));
    }
}
