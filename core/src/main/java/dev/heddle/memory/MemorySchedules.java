package dev.heddle.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.schedule.ScheduleRun;
import dev.heddle.schedule.ScheduleStore.Edit;
import dev.heddle.schedule.ScheduleStore.FirePlan;
import dev.heddle.schedule.ScheduleStore.Fired;
import dev.heddle.schedule.ScheduleStore.Firing;
import dev.heddle.schedule.ScheduleStore.PlannedRun;
import dev.heddle.schedule.ScheduleStore.Selection;
import dev.heddle.schedule.StoredSchedule;
import dev.heddle.store.NewJob;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/** The schedules of a {@link MemoryStore}, and their runs. */
final class MemorySchedules {

    private final MemoryTable table;
    private final MemoryInserts inserts;
    private final NavigableMap<String, StoredSchedule> schedules = new TreeMap<>();
    private final Map<String, NavigableMap<Instant, ScheduleRun>> runs = new HashMap<>();

    MemorySchedules(MemoryTable table, MemoryInserts inserts) {
        this.table = table;
        this.inserts = inserts;
    }

    void update(String name, Edit edit) {
        @Nullable StoredSchedule changed = edit.apply(schedules.get(name), table.now());
        if (changed == null) {
            schedules.remove(name);
        } else {
            schedules.put(name, changed);
        }
    }

    Fired fire(Selection which, FirePlan plan) {
        List<StoredSchedule> selected = select(which);
        // All decisions come first: if one throws, nothing changes.
        List<Firing> firings = selected.stream()
                .map(schedule -> plan.plan(schedule, table.now(),
                        schedule.open().stream().filter(table::isLive).collect(Collectors.toSet())))
                .toList();
        List<NewJob> stored = new ArrayList<>();
        for (Firing firing : firings) {
            schedules.put(firing.after().name(), firing.after());
            firing.runs().forEach(run -> store(firing.after().name(), run).ifPresent(stored::add));
        }
        return new Fired(selected.size(), stored, firings.stream().flatMap(one -> one.cancelled().stream()).toList(),
                due().findFirst().map(next -> Duration.between(table.now(), next.nextAt())).orElse(null));
    }

    private List<StoredSchedule> select(Selection which) {
        return switch (which) {
            case Selection.Due(int most) -> due()
                    .filter(schedule -> !Objects.requireNonNull(schedule.nextAt()).isAfter(table.now())).limit(most)
                    .toList();
            case Selection.Named(String name) -> Stream.ofNullable(schedules.get(name)).toList();
        };
    }

    private Stream<StoredSchedule> due() {
        return schedules.values().stream().filter(schedule -> schedule.nextAt() != null)
                .sorted(Comparator.comparing(schedule -> Objects.requireNonNull(schedule.nextAt())));
    }

    private Optional<NewJob> store(String schedule, PlannedRun run) {
        NavigableMap<Instant, ScheduleRun> known = runs.computeIfAbsent(schedule, _ -> new TreeMap<>());
        @Nullable ScheduleRun before = known.get(run.time());
        if (before != null && before.job() != null) {
            return Optional.empty();
        }
        @Nullable NewJob job = run.job();
        known.put(run.time(),
                new ScheduleRun(run.time(), table.now(), run.kind(), job == null ? null : job.spec().id()));
        if (job != null) {
            inserts.insert(new Submission(List.of(job)));
        }
        return Optional.ofNullable(job);
    }

    Optional<StoredSchedule> find(String name) {
        return Optional.ofNullable(schedules.get(name));
    }

    List<StoredSchedule> list(String after, int limit) {
        return schedules.tailMap(after, false).values().stream().limit(limit).toList();
    }

    List<ScheduleRun> runs(String schedule, int limit) {
        return runs.getOrDefault(schedule, new TreeMap<>()).descendingMap().values().stream().limit(limit).toList();
    }

    int deleteRunsBefore(Instant time, int limit) {
        int deleted = 0;
        for (NavigableMap<Instant, ScheduleRun> known : runs.values()) {
            List<Instant> old = known.values().stream().filter(run -> run.firedAt().isBefore(time))
                    .map(ScheduleRun::time).limit(limit - deleted).toList();
            old.forEach(known::remove);
            deleted += old.size();
        }
        return deleted;
    }
}
