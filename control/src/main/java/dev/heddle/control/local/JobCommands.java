package dev.heddle.control.local;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.JobView;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.WrongStateException;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;

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

    JobView retry(Job job) {
        gate.requireRetryable(job.type());
        return execute("retry", new AdminCommand.Retry(job.id(), actor, backend.now()), job.id());
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
