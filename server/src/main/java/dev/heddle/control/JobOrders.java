package dev.heddle.control;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.Command;
import dev.heddle.store.Ruling;

/** What somebody wants done to one job, and the answer where that cannot be. */
record JobOrders(Ground ground, String actor) {

    JobView cancel(Job job, String reason) {
        String why = Translation.reason(reason, "cancelled by " + actor);
        return done("cancel", new Command.Cancel(job.id(), why, actor, ground.now()), job.id());
    }

    JobView pause(Job job, String reason) {
        String why = Translation.reason(reason, "paused by " + actor);
        return done("pause", new Command.Pause(job.id(), why, actor, ground.now()), job.id());
    }

    JobView resume(Job job) {
        return done("resume", new Command.Resume(job.id(), actor, ground.now()), job.id());
    }

    JobView retry(Job job) {
        return done("retry", new Command.Retry(job.id(), actor, ground.now()), job.id());
    }

    JobView delete(Job job) {
        Ruling ruling = ground.execute(new Command.Delete(job.id(), actor, ground.now()));
        if (ruling instanceof Ruling.StillRunning) {
            throw new ControlException(Kind.CONFLICT, "cannot delete job " + job.id()
                    + ": it is cancelled, but its attempt has not ended; try again in a moment");
        }
        require("delete", job.id(), ruling);
        return JobView.of(job);
    }

    private JobView done(String what, Command command, JobId job) {
        require(what, job, ground.execute(command));
        return JobView.of(ground.find(job).orElseThrow(() -> Lookup.gone(job.toString())));
    }

    private static void require(String what, JobId id, Ruling ruling) {
        switch (ruling) {
            case Ruling.Done _,Ruling.StillRunning _ -> {
            }
            case Ruling.NotFound _ -> throw Lookup.gone(id.toString());
            case Ruling.WrongState(JobState state) -> throw new ControlException(Kind.CONFLICT,
                    "cannot " + what + " job " + id + ": it is " + state + advice(what, state));
        }
    }

    private static String advice(String what, JobState state) {
        if (what.equals("delete")) {
            return "; cancel it first";
        }
        return what.equals("retry") && state == JobState.FAILED
                ? ", and another job that has not ended holds its dedupe key"
                : "";
    }
}
