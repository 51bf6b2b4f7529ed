package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.job.JobId;
import dev.heddle.schedule.ScheduleRun;
import dev.heddle.schedule.ScheduleState;
import dev.heddle.schedule.ScheduleStore.Edit;
import dev.heddle.schedule.ScheduleStore.FirePlan;
import dev.heddle.schedule.ScheduleStore.Fired;
import dev.heddle.schedule.ScheduleStore.Firing;
import dev.heddle.schedule.ScheduleStore.PlannedRun;
import dev.heddle.schedule.ScheduleStore.Selection;
import dev.heddle.schedule.StoredSchedule;
import dev.heddle.store.NewJob;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The tables {@code schedule} and {@code schedule_run}. A transaction that fires or edits a schedule locks its row, so
 * it decides alone.
 */
final class ScheduleRows {

    private static final String SELECT = "SELECT name, state, next_at, open, document FROM heddle.schedule s ";

    private static final String UPDATE = """
            UPDATE heddle.schedule SET state = ?, next_at = ?, open = ?, document = ? WHERE name = ?""";

    /** A run that was left out can be made later; any other is made once. */
    private static final String INSERT_RUN = """
            INSERT INTO heddle.schedule_run (schedule, time, fired_at, kind, job) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (schedule, time) DO UPDATE SET fired_at = excluded.fired_at, kind = excluded.kind,
                job = excluded.job
            WHERE schedule_run.job IS NULL""";

    private ScheduleRows() {}

    /** Stores jobs within a transaction. */
    interface JobWriter {
        void write(Tx tx, List<NewJob> jobs) throws SQLException;
    }

    private record OneRun(String schedule, PlannedRun run) {}

    static Fired fire(Tx tx, Selection which, FirePlan plan, JobWriter writer) throws SQLException {
        Instant now = tx.now();
        List<StoredSchedule> selected = select(tx, which, now);
        Set<JobId> live = live(tx, selected.stream().flatMap(schedule -> schedule.open().stream()).toList());
        List<Firing> firings = new ArrayList<>(selected.size());
        List<OneRun> runs = new ArrayList<>();
        for (StoredSchedule schedule : selected) {
            Set<JobId> open = new HashSet<>(schedule.open());
            open.retainAll(live);
            Firing firing = plan.plan(schedule, now, open);
            firings.add(firing);
            firing.runs().forEach(run -> runs.add(new OneRun(schedule.name(), run)));
        }
        List<NewJob> jobs = insertRuns(tx, runs, now);
        if (!jobs.isEmpty()) {
            writer.write(tx, jobs);
        }
        tx.batch(UPDATE, firings,
                firing -> new @Nullable Object[]{firing.after().state(), firing.after().nextAt(),
                    ids(firing.after().open()), new Json.Text(firing.after().document()), firing.after().name()});
        return new Fired(selected.size(), jobs, firings.stream().flatMap(one -> one.cancelled().stream()).toList(),
                untilNext(tx, now));
    }

    private static List<StoredSchedule> select(Tx tx, Selection which, Instant now) throws SQLException {
        return switch (which) {
            case Selection.Due(int most) -> read(tx.query(SELECT + "WHERE next_at <= ? ORDER BY next_at LIMIT ?"
                    + tx.dialect().forUpdateSkipLocked("s"), now, most));
            case Selection.Named(String name) -> lock(tx, name).map(List::of).orElse(List.of());
        };
    }

    private static Optional<StoredSchedule> lock(Tx tx, String name) throws SQLException {
        return read(tx.query(SELECT + "WHERE name = ?" + tx.dialect().forUpdate(), name)).stream().findFirst();
    }

    private static Set<JobId> live(Tx tx, Collection<JobId> jobs) throws SQLException {
        Set<JobId> live = new HashSet<>();
        if (!jobs.isEmpty()) {
            try (ResultSet rows = tx
                    .query("SELECT j.id FROM heddle.job j JOIN heddle.live l ON l.seq = j.seq WHERE j.id"
                            + tx.dialect().anyOf(), new IdList(jobs))) {
                while (rows.next()) {
                    live.add(JobId.of(rows.getString(1)));
                }
            }
        }
        return live;
    }

    /** Returns the jobs of the runs that were not made before. */
    private static List<NewJob> insertRuns(Tx tx, List<OneRun> runs, Instant now) throws SQLException {
        int[] inserted = tx.counted(INSERT_RUN, runs,
                one -> new @Nullable Object[]{one.schedule(), one.run().time(), now, one.run().kind(),
                    idOf(one.run())});
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < inserted.length; i++) {
            NewJob job = runs.get(i).run().job();
            if (inserted[i] > 0 && job != null) {
                jobs.add(job);
            }
        }
        return jobs;
    }

    private static @Nullable JobId idOf(PlannedRun run) {
        NewJob job = run.job();
        return job == null ? null : job.spec().id();
    }

    private static @Nullable Duration untilNext(Tx tx, Instant now) throws SQLException {
        try (ResultSet row = tx.query("SELECT min(next_at) FROM heddle.schedule WHERE next_at IS NOT NULL")) {
            Instant next = row.next() ? Rows.time(row, 1) : null;
            return next == null ? null : Duration.between(now, next);
        }
    }

    static void update(Tx tx, String name, Edit edit) throws SQLException {
        while (!tryUpdate(tx, name, edit)) {
            LoggerFactory.getLogger(ScheduleRows.class).debug("Another node created schedule '{}' at the same time",
                    name);
        }
    }

    private static boolean tryUpdate(Tx tx, String name, Edit edit) throws SQLException {
        StoredSchedule before = lock(tx, name).orElse(null);
        StoredSchedule after = edit.apply(before, tx.now());
        if (after == null) {
            tx.update("DELETE FROM heddle.schedule WHERE name = ?", name);
            return true;
        }
        if (after.equals(before)) {
            return true;
        }
        return tx.update(before == null ? """
                INSERT INTO heddle.schedule (state, next_at, open, document, name) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (name) DO NOTHING""" : UPDATE, after.state(), after.nextAt(), ids(after.open()),
                new Json.Text(after.document()), name) == 1;
    }

    private static Json.@Nullable Text ids(List<JobId> jobs) {
        return Json.ofSet(jobs.stream().map(JobId::toString).collect(Collectors.toSet()));
    }

    static Optional<StoredSchedule> find(Tx tx, String name) throws SQLException {
        return read(tx.query(SELECT + "WHERE name = ?", name)).stream().findFirst();
    }

    static List<StoredSchedule> list(Tx tx, String after, int limit) throws SQLException {
        return read(tx.query(SELECT + "WHERE name > ? ORDER BY name LIMIT ?", after, limit));
    }

    private static List<StoredSchedule> read(ResultSet opened) throws SQLException {
        List<StoredSchedule> schedules = new ArrayList<>();
        try (ResultSet rows = opened) {
            while (rows.next()) {
                schedules.add(new StoredSchedule(rows.getString(1), ScheduleState.valueOf(rows.getString(2)),
                        Rows.time(rows, 3), Json.readSet(rows.getString(4)).stream().map(JobId::of).toList(),
                        rows.getString(5)));
            }
        }
        return schedules;
    }

    static List<ScheduleRun> runs(Tx tx, String schedule, int limit) throws SQLException {
        List<ScheduleRun> runs = new ArrayList<>();
        try (ResultSet rows = tx.query("""
                SELECT time, fired_at, kind, job FROM heddle.schedule_run WHERE schedule = ?
                ORDER BY time DESC LIMIT ?""", schedule, limit)) {
            while (rows.next()) {
                String job = rows.getString(4);
                runs.add(new ScheduleRun(Rows.instant(rows, 1), Rows.instant(rows, 2),
                        ScheduleRun.Kind.valueOf(rows.getString(3)), job == null ? null : JobId.of(job)));
            }
        }
        return runs;
    }

    static int deleteRunsBefore(Tx tx, Instant time, int limit) throws SQLException {
        return tx.update("""
                DELETE FROM heddle.schedule_run WHERE (schedule, time) IN (
                    SELECT schedule, time FROM heddle.schedule_run WHERE fired_at < ? ORDER BY fired_at LIMIT ?)""",
                time, limit);
    }
}
