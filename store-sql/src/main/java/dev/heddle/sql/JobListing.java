package dev.heddle.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.query.Condition;
import dev.heddle.query.Field;
import dev.heddle.query.QueryTimeoutException;
import dev.heddle.store.JobQuery;
import org.jspecify.annotations.Nullable;

/**
 * Lists and counts the jobs of a {@link JobQuery}. A query starts from the table that has an index for one of its
 * conditions, in the order of {@code seq}. It then reads hardly more rows than it returns, and sorts nothing.
 *
 * <p>Indexes of times have another order, and no single index has every state. If few jobs meet such a condition, they
 * are looked up first, and the query reads only them. If many do, it reads the jobs one after the other: it soon finds
 * enough.
 */
final class JobListing {

    /** How long a query may take that has conditions without an index. */
    static final Duration LIMIT = Duration.ofSeconds(2);

    /** Up to how many jobs that meet a condition are looked up first. */
    static final int FEW = 5_000;

    private final Start start;
    private final List<String> conditions = new ArrayList<>();
    private final ConditionSql sql;
    private final JobQuery query;

    /** The table from which a query starts, the first one that has an index for a condition. */
    private enum Start {
        PAYLOAD("p", "heddle.payload_value p JOIN heddle.job j ON j.seq = p.seq"
                + " LEFT JOIN heddle.live l ON l.seq = p.seq LEFT JOIN heddle.ended e ON e.seq = p.seq"), //
        ENDED("e", "heddle.ended e JOIN heddle.job j ON j.seq = e.seq LEFT JOIN heddle.live l ON l.seq = e.seq"), //
        TAG("t", "heddle.tag t JOIN heddle.job j ON j.seq = t.seq"
                + " LEFT JOIN heddle.live l ON l.seq = t.seq LEFT JOIN heddle.ended e ON e.seq = t.seq"), //
        LIVE("l", "heddle.live l JOIN heddle.job j ON j.seq = l.seq LEFT JOIN heddle.ended e ON e.seq = l.seq"), //
        JOB("j", "heddle.job j LEFT JOIN heddle.live l ON l.seq = j.seq LEFT JOIN heddle.ended e ON e.seq = j.seq");

        private final String seq;
        private final String tables;

        Start(String alias, String tables) {
            this.seq = alias + ".seq";
            this.tables = tables;
        }
    }

    private JobListing(JobQuery query, Dialect dialect, @Nullable SeqList candidates) {
        this.query = query;
        this.sql = new ConditionSql(dialect);
        Optional<Condition> first = candidates == null ? best(query.conditions()) : Optional.empty();
        this.start = first.map(JobListing::start).orElse(Start.JOB);
        if (candidates != null) {
            sql.parameters().add(candidates);
            conditions.add("j.seq" + dialect.anyOf());
        }
        for (Condition condition : query.conditions()) {
            conditions.add(first.filter(condition::equals).isPresent() ? opening(condition) : sql.translate(condition));
        }
        if (query.before() != 0) {
            conditions.add(start.seq + " < " + sql.parameter(query.before()));
        }
        if (query.after() != null) {
            conditions.add(start.seq + " > " + sql.parameter(query.after()));
        }
    }

    /** Returns the condition that decides where to start, the one that few jobs meet first. */
    private static Optional<Condition> best(List<Condition> conditions) {
        return conditions.stream().anyMatch(JobListing::isForFew) ? Optional.empty()
                : conditions.stream().filter(condition -> start(condition) != Start.JOB)
                        .min(Comparator.comparing(JobListing::start));
    }

    /** Returns whether few jobs meet the condition, whatever their state, and {@code job} has an index for it. */
    private static boolean isForFew(Condition condition) {
        return switch (condition) {
            case Condition.Is(Field field, _) ->
                field == Field.SUBJECT || field == Field.SESSION || field == Field.KEY;
            case Condition.IdIn _ -> true;
            case Condition _ -> false;
        };
    }

    private static Start start(Condition condition) {
        return switch (condition) {
            case Condition.Payload _ -> Start.PAYLOAD;
            case Condition.Is(Field field, _) when field == Field.TAG -> Start.TAG;
            case Condition.InState(var states) when isOneRareEnd(states) -> Start.ENDED;
            case Condition.InState(var states) when !states.isEmpty()
                    && states.stream().noneMatch(JobState::isFinal) ->
                Start.LIVE;
            case Condition _ -> Start.JOB;
        };
    }

    /** Returns whether there is an index for jobs that ended like this. Most jobs complete, so there is none for that. */
    private static boolean isOneRareEnd(Set<JobState> states) {
        return states.equals(Set.of(JobState.FAILED));
    }

    private String opening(Condition condition) {
        return switch (condition) {
            case Condition.Payload(String path, String value) ->
                "p.path = " + sql.parameter(path) + " AND p.value = " + sql.parameter(value);
            case Condition.Is(_, String tag) -> "t.name = " + sql.parameter(tag);
            case Condition.InState(var states) when start == Start.ENDED ->
                "e.state = " + ConditionSql.names(states);
            case Condition.InState(var states) -> "l.state IN (" + ConditionSql.names(states) + ")";
            case Condition _ -> throw new IllegalArgumentException("no table starts with " + condition);
        };
    }

    /** Without the hint, SQLite may read the jobs of a common type first, and sort them. */
    private String tables() {
        return start == Start.JOB ? start.tables : start.tables.replaceFirst(" JOIN ", sql.dialect().joinInOrder());
    }

    private String where() {
        return " FROM " + tables() + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions));
    }

    /** Returns the SQL of a query, and adds its parameters to the list. */
    static String sql(JobQuery query, Dialect dialect, @Nullable SeqList candidates, List<Object> parameters) {
        JobListing listing = new JobListing(query, dialect, candidates);
        parameters.addAll(listing.sql.parameters());
        parameters.add(query.limit());
        return listing.select();
    }

    private String select() {
        return "SELECT " + Rows.JOB + where() + " ORDER BY " + start.seq + (query.after() == null ? " DESC" : "")
                + " LIMIT ?";
    }

    static List<Job> list(Tx tx, JobQuery query) throws SQLException {
        SeqList candidates = candidates(tx, query);
        List<Object> parameters = new ArrayList<>();
        String sql = sql(query, tx.dialect(), candidates, parameters);
        return read(tx, query, sql, parameters, rows -> {
            List<Job> jobs = new ArrayList<>();
            while (rows.next()) {
                jobs.add(Rows.job(rows));
            }
            return jobs;
        });
    }

    static long count(Tx tx, JobQuery query) throws SQLException {
        JobListing listing = new JobListing(query, tx.dialect(), candidates(tx, query));
        return read(tx, query, "SELECT count(*)" + listing.where(), listing.sql.parameters(), rows -> {
            rows.next();
            return rows.getLong(1);
        });
    }

    private interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    private static <T> T read(Tx tx, JobQuery query, String sql, List<Object> parameters, Reader<T> reader)
            throws SQLException {
        Set<String> withoutIndex = new Condition.All(query.conditions()).withoutIndex();
        PreparedStatement statement = tx.prepare(sql, parameters.toArray());
        if (withoutIndex.isEmpty()) {
            try (ResultSet rows = statement.executeQuery()) {
                return reader.read(rows);
            }
        }
        tx.dialect().limitTime(statement, LIMIT);
        try (ResultSet rows = statement.executeQuery()) {
            return reader.read(rows);
        } catch (SQLException e) {
            if (tx.dialect().isOutOfTime(e)) {
                throw new QueryTimeoutException(LIMIT, withoutIndex);
            }
            throw e;
        } finally {
            tx.dialect().limitTime(statement, Duration.ZERO);
        }
    }

    /** Returns the jobs that meet the first condition that few jobs meet and no table starts with; null for none. */
    private static @Nullable SeqList candidates(Tx tx, JobQuery query) throws SQLException {
        if (query.conditions().stream()
                .anyMatch(condition -> isForFew(condition) || start(condition) == Start.PAYLOAD)) {
            return null;
        }
        for (Condition condition : query.conditions()) {
            SeqList few = switch (condition) {
                case Condition.During range when range.field() == Field.CREATED ->
                    few(tx, List.of(Lookup.during(tx, range, "heddle.job", "created_at", "1 = 1")));
                case Condition.During range when range.field() == Field.ENDED ->
                    few(tx, Stream.of("state = 'FAILED'", "state <> 'FAILED'")
                            .map(part -> Lookup.during(tx, range, "heddle.ended", "ended_at", part)).toList());
                case Condition.InState(var states) when start(condition) == Start.JOB
                        && !states.contains(JobState.COMPLETED) ->
                    few(tx, states.stream().flatMap(Lookup::inState).toList());
                case Condition _ -> null;
            };
            if (few != null) {
                return few;
            }
        }
        return null;
    }

    /** A query for the numbers of jobs that meet a condition, by an index. */
    private record Lookup(String sql, List<Object> parameters) {

        static Lookup during(Tx tx, Condition.During range, String table, String column, String part) {
            ConditionSql condition = new ConditionSql(tx.dialect());
            return new Lookup("SELECT seq FROM " + table + " WHERE " + part + " AND "
                    + condition.within(range, column), condition.parameters());
        }

        static Stream<Lookup> inState(JobState state) {
            String where = " WHERE state = '" + state + "'";
            Lookup live = new Lookup("SELECT seq FROM heddle.live" + where, List.of());
            return state.isFinal() ? Stream.of(live, new Lookup("SELECT seq FROM heddle.ended" + where, List.of()))
                    : Stream.of(live);
        }
    }

    private static @Nullable SeqList few(Tx tx, List<Lookup> lookups) throws SQLException {
        List<Long> seqs = new ArrayList<>();
        for (Lookup lookup : lookups) {
            try (ResultSet rows = tx.query(lookup.sql + " LIMIT " + (FEW + 1), lookup.parameters.toArray())) {
                while (rows.next()) {
                    seqs.add(rows.getLong(1));
                }
            }
            if (seqs.size() > FEW) {
                return null;
            }
        }
        return new SeqList(seqs);
    }
}
