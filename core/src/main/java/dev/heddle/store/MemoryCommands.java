package dev.heddle.store;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import org.jspecify.annotations.Nullable;

/** What people ask of a {@link MemoryStore}. */
final class MemoryCommands {

    private final MemoryTable table;
    private final MemoryFamilies families;

    MemoryCommands(MemoryTable table, MemoryFamilies families) {
        this.table = table;
        this.families = families;
    }

    Ruling execute(Command command) {
        return switch (command) {
            case Command.Cancel cancel -> onJob(cancel.id(), row -> cancel(row, cancel));
            case Command.Pause pause -> onJob(pause.id(), row -> pause(row, pause));
            case Command.Resume resume -> onJob(resume.id(), row -> resume(row, resume));
            case Command.Retry retry -> onJob(retry.id(), row -> retry(row, retry)
                    ? new Ruling.Done(1)
                    : new Ruling.WrongState(row.state));
            case Command.Delete delete -> onJob(delete.id(), row -> delete(row, delete));
            case Command.RetryMatching retry -> new Ruling.Done(retryMatching(retry));
            case Command.PurgeMatching purge -> new Ruling.Done(purge(purge.query()));
            case Command.PauseQueue pause -> done(table.pausedQueues.add(pause.queue()));
            case Command.ResumeQueue resume -> done(table.pausedQueues.remove(resume.queue()));
        };
    }

    @FunctionalInterface
    private interface OnRow {
        Ruling rule(MemoryRow row);
    }

    private Ruling onJob(JobId id, OnRow action) {
        @Nullable MemoryRow row = table.find(id);
        return row == null ? new Ruling.NotFound() : action.rule(row);
    }

    private static Ruling done(boolean changed) {
        return new Ruling.Done(changed ? 1 : 0);
    }

    private Ruling cancel(MemoryRow row, Command.Cancel cancel) {
        JobState from = row.state;
        return switch (from) {
            case COMPLETED, FAILED -> new Ruling.WrongState(from);
            case CANCELLED -> done(false);
            case QUEUED, SCHEDULED, PAUSED, WAITING, ASSIGNED, RUNNING -> {
                @Nullable Fence told = families.cancel(row, cancel.reason(), cancel.actor(), cancel.at());
                int children = families.cancelChildren(row, Families.PARENT_COMPLETED, cancel.actor(),
                        cancel.at());
                families.lost(row, cancel.actor(), cancel.at());
                yield told == null ? new Ruling.Done(1 + children) : new Ruling.StillRunning(told);
            }
        };
    }

    private static Ruling stillRunning(MemoryRow row) {
        return new Ruling.StillRunning(new Fence(row.seq, row.attempt, Objects.requireNonNull(row.node)));
    }

    private Ruling delete(MemoryRow row, Command.Delete delete) {
        if (row.state.isHeld()) {
            return new Ruling.WrongState(row.state);
        }
        if (row.state.isFinal() && !row.ended) {
            return stillRunning(row);
        }
        families.cancelChildren(row, Families.PARENT_DELETED, delete.actor(), delete.at());
        table.remove(row);
        families.lost(row, delete.actor(), delete.at());
        return done(true);
    }

    private Ruling pause(MemoryRow row, Command.Pause pause) {
        JobState from = row.state;
        return switch (from) {
            case PAUSED -> done(false);
            case QUEUED, SCHEDULED -> {
                table.change(row, r -> {
                    r.state = JobState.PAUSED;
                    r.reason = pause.reason();
                    r.note(from, pause.reason(), pause.actor(), pause.at());
                });
                yield done(true);
            }
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED -> new Ruling.WrongState(from);
        };
    }

    private Ruling resume(MemoryRow row, Command.Resume resume) {
        return switch (row.state) {
            case QUEUED, SCHEDULED -> done(false);
            case PAUSED -> {
                table.change(row, r -> {
                    @Nullable Instant due = r.dueAt;
                    if (due != null && due.isAfter(resume.at())) {
                        r.release(JobState.SCHEDULED);
                        r.dueAt = due;
                    } else {
                        r.release(JobState.QUEUED);
                    }
                    r.note(JobState.PAUSED, "Resumed", resume.actor(), resume.at());
                });
                yield done(true);
            }
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED ->
                new Ruling.WrongState(row.state);
        };
    }

    private boolean retry(MemoryRow row, Command retry) {
        if (row.state != JobState.FAILED || table.keyHolder(row.spec).isPresent()) {
            return false;
        }
        table.change(row, r -> {
            r.release(JobState.QUEUED);
            r.ended = false;
            r.endedAt = null;
            r.failures = 0;
            r.crashes = 0;
            r.suspect = false;
            r.phase = table.lineage.count(r.spec.id()).isEmpty() ? Phase.INGEST : r.phase;
            r.note(JobState.FAILED, "Retried", retry.actor(), retry.at());
        });
        return true;
    }

    /** A job whose key is taken does not use up the limit, else a page full of them would block all others. */
    private int retryMatching(Command.RetryMatching command) {
        int retried = 0;
        for (MemoryRow row : table.matchingDead(command.query()).toList()) {
            if (retried == command.query().limit()) {
                break;
            }
            retried += retry(row, command) ? 1 : 0;
        }
        return retried;
    }

    private int purge(JobQuery query) {
        List<MemoryRow> purged = table.matchingDead(query).limit(query.limit()).toList();
        purged.forEach(table::remove);
        return purged.size();
    }
}
