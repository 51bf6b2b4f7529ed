package dev.heddle.control.local;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.JobView;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobState;
import dev.heddle.job.Limits;
import dev.heddle.pool.WrongStateException;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import org.jspecify.annotations.Nullable;

/** Executes commands on single jobs, and explains why a command is refused. */
record JobCommands(Backend backend, String actor, SubmissionGate gate) {

    JobView cancel(Job job, String reason) {
        String given = InputChecks.reason(reason, "cancelled by " + actor);
        return execute("cancel", new AdminCommand.Cancel(job.id(), given, actor, backend.now()), job.id());
    }

    JobView pause(Job job, String reason) {
        String given = InputChecks.reason(reason, "paused by " + actor);
        return execute("pause", new AdminCommand.Pause(job.id(), given, actor, backend.now()), job.id());
    }

    JobView resume(Job job) {
        return execute("resume", new AdminCommand.Resume(job.id(), actor, backend.now()), job.id());
    }

    JobView runNow(Job job) {
        return execute("run", reschedule(job, new Start.AtOnce()), job.id());
    }

    JobView reschedule(Job job, @Nullable Duration delay, @Nullable Instant runAt) {
        if ((delay == null) == (runAt == null)) {
            throw ControlException.invalid("reschedule needs a delay or a runAt, and not both");
        }
        Start start = InputChecks
                .checked(() -> delay != null ? new Start.After(Limits.notNegative("delay", delay))
                        : new Start.At(Limits.time("runAt", Objects.requireNonNull(runAt))));
        return execute("reschedule", reschedule(job, start), job.id());
    }

    private AdminCommand reschedule(Job job, Start start) {
        return new AdminCommand.Reschedule(job.id(), start, actor, backend.now());
    }

    JobView retry(Job job, @Nullable String fromStep, boolean forgetCheckpoint) {
        gate.requireRetryable(job.type());
        return execute("retry",
                new AdminCommand.Retry(job.id(), fromStep, forgetCheckpoint, actor, backend.now()), job.id());
    }

    /** Returns the job as it was before it was deleted. */
    JobView delete(Job job) {
        CommandResult ruling = backend.execute(new AdminCommand.Delete(job.id(), actor, backend.now()));
        if (ruling instanceof CommandResult.StillRunning) {
            throw new ControlException(Kind.CONFLICT,
                    String.valueOf(WrongStateException.stillRunning("delete", job.id()).getMessage()));
        }
        require("delete", job.id(), ruling);
        return Views.job(job);
    }

    private JobView execute(String verb, AdminCommand command, JobId job) {
        require(verb, job, backend.execute(command));
        return Views.job(backend.jobs().find(job).orElseThrow(() -> JobResolver.notFound(job.toString())));
    }

    private static void require(String verb, JobId id, CommandResult ruling) {
        switch (ruling) {
            case CommandResult.Done _, CommandResult.StillRunning _ -> {
            }
            case CommandResult.NotFound _ -> throw JobResolver.notFound(id.toString());
            case CommandResult.NoSuchStep unknown -> throw ControlException.invalid(unknown.message(id));
            case CommandResult.WrongState(JobState state) -> throw new ControlException(Kind.CONFLICT,
                    "cannot " + verb + " job " + id + ": it is " + state + advice(verb, state));
        }
    }

    private static String advice(String verb, JobState state) {
        if (verb.equals("delete")) {
            return "; cancel it first";
        }
        return verb.equals("retry") && state == JobState.FAILED
                ? ", and another job that has not ended has the same dedupe key" : "";
    }
}
