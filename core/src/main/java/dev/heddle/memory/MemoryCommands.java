package dev.heddle.memory;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.FamilyReasons;
import dev.heddle.store.Fence;
import dev.heddle.store.Suspicion;
import org.jspecify.annotations.Nullable;

/** Executes commands on a {@link MemoryStore}. */
final class MemoryCommands {

    private final MemoryTable table;
    private final MemoryFamilies families;

    MemoryCommands(MemoryTable table, MemoryFamilies families) {
        this.table = table;
        this.families = families;
    }

    CommandResult execute(AdminCommand command) {
        return switch (command) {
            case AdminCommand.Cancel cancel -> onJob(cancel.id(), row -> cancel(row, cancel));
            case AdminCommand.Pause pause -> onJob(pause.id(), row -> pause(row, pause));
            case AdminCommand.Resume resume -> onJob(resume.id(), row -> resume(row, resume));
            case AdminCommand.Reschedule reschedule -> onJob(reschedule.id(), row -> reschedule(row, reschedule));
            case AdminCommand.Reprioritize(JobId id, int priority, String actor, Instant at) -> onJob(id,
                    row -> place(row, row.spec.queue(), priority, "priority set to " + priority, actor, at));
            case AdminCommand.Move(JobId id, String queue, String actor, Instant at) -> onJob(id,
                    row -> place(row, queue, row.spec.priority(), "moved to queue '" + queue + "'", actor, at));
            case AdminCommand.Retry retry -> onJob(retry.id(), row -> retry(row, retry));
            case AdminCommand.Delete delete -> onJob(delete.id(), row -> delete(row, delete));
            case AdminCommand.RetryMatching retry -> new CommandResult.Done(retryMatching(retry));
            case AdminCommand.PurgeMatching purge -> new CommandResult.Done(
                    purge(table, table.matchingDead(purge.query()).limit(purge.query().limit()).toList()));
            case AdminCommand.RetryErrors retry -> new CommandResult.Done(retryErrors(retry));
            case AdminCommand.PurgeErrors(String fingerprint, int limit, _, _) -> new CommandResult.Done(
                    purge(table, table.deadLetters(fingerprint, 0).limit(limit).toList()));
            case AdminCommand.PauseQueue pause -> done(table.pausedQueues.add(pause.queue()));
            case AdminCommand.ResumeQueue resume -> done(table.pausedQueues.remove(resume.queue()));
        };
    }

    @FunctionalInterface
    private interface RowCommand {
        CommandResult execute(MemoryRow row);
    }

    private CommandResult onJob(JobId id, RowCommand action) {
        @Nullable MemoryRow row = table.find(id);
        return row == null ? new CommandResult.NotFound() : action.execute(row);
    }

    private static CommandResult done(boolean changed) {
        return new CommandResult.Done(changed ? 1 : 0);
    }

    private CommandResult cancel(MemoryRow row, AdminCommand.Cancel cancel) {
        JobState from = row.state;
        return switch (from) {
            case COMPLETED, FAILED -> new CommandResult.WrongState(from);
            case CANCELLED -> done(false);
            case QUEUED, SCHEDULED, PAUSED, WAITING, ASSIGNED, RUNNING -> {
                @Nullable Fence running = families.cancel(row, cancel.reason(), cancel.actor(), cancel.at());
                int children = families.cancelChildren(row, FamilyReasons.PARENT_CANCELLED, cancel.actor(),
                        cancel.at());
                families.childEnded(row, cancel.actor(), cancel.at());
                yield running == null ? new CommandResult.Done(1 + children) : new CommandResult.StillRunning(running);
            }
        };
    }

    private static CommandResult stillRunning(MemoryRow row) {
        return new CommandResult.StillRunning(new Fence(row.seq, row.attempt, Objects.requireNonNull(row.node)));
    }

    private CommandResult delete(MemoryRow row, AdminCommand.Delete delete) {
        if (row.state.isHeld()) {
            return new CommandResult.WrongState(row.state);
        }
        if (row.state.isFinal() && !row.ended) {
            return stillRunning(row);
        }
        families.cancelChildren(row, FamilyReasons.PARENT_DELETED, delete.actor(), delete.at());
        table.keys.forget(row);
        table.remove(row);
        families.childEnded(row, delete.actor(), delete.at());
        return done(true);
    }

    private CommandResult pause(MemoryRow row, AdminCommand.Pause pause) {
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
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED -> new CommandResult.WrongState(from);
        };
    }

    private CommandResult resume(MemoryRow row, AdminCommand.Resume resume) {
        return switch (row.state) {
            case QUEUED, SCHEDULED -> done(false);
            case PAUSED -> {
                table.change(row, r -> {
                    @Nullable Instant due = r.dueAt;
                    if (due != null && due.isAfter(table.now())) {
                        r.release(JobState.SCHEDULED);
                        r.dueAt = due;
                    } else {
                        r.release(JobState.QUEUED);
                    }
                    r.note(JobState.PAUSED, "resumed", resume.actor(), resume.at());
                });
                yield done(true);
            }
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED -> new CommandResult.WrongState(row.state);
        };
    }

    private CommandResult reschedule(MemoryRow row, AdminCommand.Reschedule command) {
        JobState from = row.state;
        return switch (from) {
            case QUEUED, SCHEDULED, PAUSED -> {
                @Nullable Instant due = command.start().dueAt(table.now()).orElse(null);
                boolean staysPaused = from == JobState.PAUSED && !(command.start() instanceof Start.AtOnce);
                if (from == JobState.QUEUED && due == null) {
                    yield done(false);
                }
                table.change(row, r -> {
                    @Nullable String pausedFor = r.reason;
                    r.release(staysPaused ? JobState.PAUSED : due == null ? JobState.QUEUED : JobState.SCHEDULED);
                    r.reason = staysPaused ? pausedFor : null;
                    r.dueAt = due == null ? null : MemoryRow.millis(due);
                    r.isDueAfterSpan = command.start() instanceof Start.After;
                    r.note(from, command.reason(), command.actor(), command.at());
                });
                yield done(true);
            }
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED -> new CommandResult.WrongState(from);
        };
    }

    private CommandResult place(MemoryRow row, String queue, int priority, String reason, String actor, Instant at) {
        return switch (row.state) {
            case QUEUED, SCHEDULED, PAUSED -> {
                if (row.spec.queue().equals(queue) && row.spec.priority() == priority) {
                    yield done(false);
                }
                table.change(row, r -> {
                    r.spec = r.spec.placed(queue, priority);
                    r.note(r.state, reason, actor, at);
                });
                yield done(true);
            }
            case ASSIGNED, RUNNING, WAITING, COMPLETED, FAILED, CANCELLED -> new CommandResult.WrongState(row.state);
        };
    }

    private CommandResult retry(MemoryRow row, AdminCommand.Retry retry) {
        List<String> steps = row.stepNames();
        String from = retry.fromStep();
        if (from != null && row.state == JobState.FAILED && !steps.contains(from)) {
            return new CommandResult.NoSuchStep(from, steps);
        }
        if (!revive(row, retry, retry.reason())) {
            return new CommandResult.WrongState(row.state);
        }
        row.forgetSteps(from == null ? List.of() : steps.subList(steps.indexOf(from), steps.size()));
        row.checkpoint = retry.forgetCheckpoint() ? null : row.checkpoint;
        return done(true);
    }

    private boolean revive(MemoryRow row, AdminCommand retry, String reason) {
        if (row.state != JobState.FAILED || table.keyHolder(row.spec).isPresent()) {
            return false;
        }
        table.change(row, r -> {
            r.release(JobState.QUEUED);
            r.ended = false;
            r.endedAt = null;
            r.failures = 0;
            r.crashes = 0;
            r.suspicion = Suspicion.NONE;
            r.noteSubmission(table.now());
            r.phase = table.children.count(r.spec.id()).isEmpty() ? Phase.INGEST : r.phase;
            r.note(JobState.FAILED, reason, retry.actor(), retry.at());
        });
        return true;
    }

    /** A job whose dedupe key is in use does not count, because a page full of them would block all others. */
    private int retryMatching(AdminCommand.RetryMatching command) {
        int retried = 0;
        for (MemoryRow row : table.matchingDead(command.query()).toList()) {
            if (retried == command.query().limit()) {
                break;
            }
            retried += revive(row, command, AdminCommand.Retry.BY_HAND) ? 1 : 0;
        }
        return retried;
    }

    private int retryErrors(AdminCommand.RetryErrors command) {
        List<MemoryRow> rows = table.deadLetters(command.fingerprint(), command.before()).limit(command.limit())
                .toList();
        return (int) rows.stream().filter(row -> revive(row, command, AdminCommand.Retry.BY_HAND)).count();
    }

    private static int purge(MemoryTable table, List<MemoryRow> purged) {
        purged.forEach(table.keys::forget);
        purged.forEach(table::remove);
        return purged.size();
    }
}
