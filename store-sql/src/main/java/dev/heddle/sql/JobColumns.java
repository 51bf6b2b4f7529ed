package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

import dev.heddle.job.Dedupe;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.limit.LimitIds;
import dev.heddle.sql.JobColumn.Flag;
import dev.heddle.sql.JobColumn.Int;
import dev.heddle.sql.JobColumn.JsonText;
import dev.heddle.sql.JobColumn.OptionalNumber;
import dev.heddle.sql.JobColumn.Text;
import dev.heddle.sql.JobColumn.Time;
import dev.heddle.sql.JobColumn.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * The one list of the columns of the table {@code job}. Both stores derive their inserts, their parameters and their
 * selects from it, so a new option of a job is one declaration here, one argument in {@link #options}, and a
 * migration in each store.
 *
 * <p>Columns are numbered in the order of their declaration. The number {@code seq} comes before all of them and is
 * not in the list, because a store assigns it.
 */
public final class JobColumns {

    private static final List<JobColumn> DECLARED = new ArrayList<>();

    static final Uuid ID = declare(i -> new Uuid(i, "id", JobSpec::id));
    /** The job's type. */
    public static final Text TYPE = declare(i -> new Text(i, "type", JobSpec::type));
    /** The job's queue. */
    public static final Text QUEUE = declare(i -> new Text(i, "queue", JobSpec::queue));
    /** The job's priority. */
    public static final Int PRIORITY = declare(i -> new Int(i, "priority", JobSpec::priority));
    private static final JsonText PAYLOAD = declare(
            i -> new JsonText(i, "payload", spec -> new Json.Text(spec.payload())));
    static final Time CREATED_AT = declare(i -> new Time(i, "created_at", JobSpec::createdAt));

    /** The columns that every job fills. */
    public static final List<JobColumn> REQUIRED = List.copyOf(DECLARED);

    private static final OptionalNumber MAX_RETRIES = declare(i -> new OptionalNumber(i, "max_retries",
            spec -> spec.extras().maxRetries() == null ? null : spec.extras().maxRetries().longValue()));
    private static final OptionalNumber TIMEOUT_MS = declare(i -> new OptionalNumber(i, "timeout_ms",
            spec -> spec.extras().timeout() == null ? null : spec.extras().timeout().toMillis()));
    static final Uuid PARENT = declare(i -> new Uuid(i, "parent", spec -> spec.extras().parent()));
    private static final Text SESSION = declare(i -> new Text(i, "session", spec -> spec.extras().session()));
    private static final Text SUBJECT = declare(i -> new Text(i, "subject", spec -> spec.extras().subject()));
    static final JsonText TAGS = declare(
            i -> new JsonText(i, "tags", spec -> Json.ofSet(spec.extras().tags())));
    private static final Text DEDUPE_KEY = declare(i -> new Text(i, "dedupe_key", spec -> spec.extras().dedupeKey()));
    private static final Flag OUTLIVES_PARENT = declare(
            i -> new Flag(i, "outlives_parent", spec -> spec.extras().outlivesParent()));
    static final JsonText HEADERS = declare(
            i -> new JsonText(i, "headers", spec -> Json.ofMap(spec.extras().headers())));

    static final JsonText LIMITS = declare(
            i -> new JsonText(i, "limits", spec -> Json.ofLimits(spec.limits())));
    static final OptionalNumber LIMIT_GROUP = declare(
            i -> new OptionalNumber(i, "limit_group", spec -> spec.limits().isEmpty() ? null : LimitIds.group(spec)));
    private static final Text DEDUPE_MODE = declare(
            i -> new Text(i, "dedupe_mode", spec -> spec.dedupe().isDefault() ? null : spec.dedupe().text()));

    private static final JsonText SEARCHABLE = declare(
            i -> new JsonText(i, "searchable", spec -> Json.ofMap(spec.extras().searchable())));

    /** All columns: the required ones, then the options. */
    public static final List<JobColumn> ALL = List.copyOf(DECLARED);

    /** The select list that {@link #read} expects, with the table {@code job} as {@code j}. */
    public static final String SELECT = "j.seq, "
            + ALL.stream().map(column -> "j." + column.name()).collect(Collectors.joining(", "));

    /** The index of the first column after {@link #SELECT}. */
    public static final int NEXT = ALL.getLast().index() + 1;

    private JobColumns() {}

    private static <C extends JobColumn> C declare(IntFunction<C> column) {
        C declared = column.apply(DECLARED.size() + 2);
        DECLARED.add(declared);
        return declared;
    }

    /** Returns the names of columns, separated by commas. */
    public static String names(List<JobColumn> columns) {
        return columns.stream().map(JobColumn::name).collect(Collectors.joining(", "));
    }

    /** Returns whether the job sets none of the options, as most jobs do: then it needs only the required columns. */
    public static boolean isPlain(JobSpec spec) {
        return spec.extras().equals(JobSpec.Extras.NONE);
    }

    /** Reads a spec from a row that begins with {@link #SELECT}. */
    public static JobSpec read(ResultSet row) throws SQLException {
        return new JobSpec(JobId.of(row.getString(ID.index())), row.getString(TYPE.index()),
                row.getString(QUEUE.index()), row.getInt(PRIORITY.index()), row.getString(PAYLOAD.index()),
                Rows.instant(row, CREATED_AT.index()), hasOptions(row) ? readOptions(row) : JobSpec.Extras.NONE);
    }

    /** Reads the other columns of a row of which these are known. */
    static JobSpec spec(ResultSet row, JobId id, Instant createdAt, @Nullable JobId parent, Set<String> tags,
            Map<String, String> headers) throws SQLException {
        return new JobSpec(id, row.getString(TYPE.index()), row.getString(QUEUE.index()), row.getInt(PRIORITY.index()),
                row.getString(PAYLOAD.index()), createdAt, options(row, parent, tags, headers));
    }

    private static boolean hasOptions(ResultSet row) throws SQLException {
        for (int column = REQUIRED.size() + 2; column < NEXT; column++) {
            if (row.getObject(column) != null) {
                return true;
            }
        }
        return false;
    }

    private static JobSpec.Extras readOptions(ResultSet row) throws SQLException {
        return options(row, PARENT.read(row), Json.readSet(TAGS.read(row)), Json.readMap(HEADERS.read(row)));
    }

    private static JobSpec.Extras options(ResultSet row, @Nullable JobId parent, Set<String> tags,
            Map<String, String> headers) throws SQLException {
        @Nullable Long maxRetries = MAX_RETRIES.read(row);
        @Nullable Long timeout = TIMEOUT_MS.read(row);
        return new JobSpec.Extras(maxRetries == null ? null : maxRetries.intValue(),
                timeout == null ? null : Duration.ofMillis(timeout), parent, SESSION.read(row), SUBJECT.read(row), tags,
                DEDUPE_KEY.read(row), dedupe(DEDUPE_MODE.read(row)), OUTLIVES_PARENT.read(row), headers,
                Json.readLimits(LIMITS.read(row)), Json.readSearchable(SEARCHABLE.read(row)));
    }

    private static Dedupe dedupe(@Nullable String mode) {
        return mode == null ? Dedupe.whileActive() : Dedupe.parse(mode);
    }
}
