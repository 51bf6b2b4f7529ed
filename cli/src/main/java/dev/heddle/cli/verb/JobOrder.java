package dev.heddle.cli.verb;

import java.util.ArrayList;
import java.util.List;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.Exits;
import dev.heddle.cli.shell.Exit;
import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.JobView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Does something to jobs, one after the other; what cannot be done to one does not keep it from the next. */
abstract class JobOrder extends Question {

    @Parameters(paramLabel = "ID", arity = "1..*", description = "The jobs, by their ids or the beginnings of them.") private List<String> ids = List
            .of();

    JobOrder(Desk desk) {
        super(desk, Access.Intent.CHANGE);
    }

    abstract JobView give(Control control, String id);

    /** What to say of a job to which it was done. */
    String done(JobView job) {
        return job.id() + " " + job.state();
    }

    @Override
    Exit ask(Control control) {
        List<JobView> done = new ArrayList<>();
        List<ControlException> refusals = new ArrayList<>();
        for (String id : ids) {
            try {
                done.add(give(control, id));
            } catch (ControlException e) {
                refusals.add(e);
            }
        }
        if (ids.size() == 1 && refusals.size() == 1) {
            throw refusals.getFirst();
        }
        format().many(screen(), done, jobs -> jobs.forEach(job -> screen().print(done(job))));
        refusals.forEach(refusal -> screen().say(String.valueOf(refusal.getMessage())));
        return refusals.isEmpty() ? Exit.OK : Exits.of(refusals.getFirst().kind());
    }

    @Command(name = "retry", description = "Queue dead letters again, with all their retries.")
    static final class Retry extends JobOrder {
        Retry(Desk desk) {
            super(desk);
        }

        @Override
        JobView give(Control control, String id) {
            return control.retry(id);
        }
    }

    @Command(name = "cancel", description = "End jobs that have not ended, with their children; running ones are told to stop.")
    static final class Cancel extends JobOrder {
        @Option(names = "--reason", paramLabel = "TEXT", description = "Why; kept in the job's history.") private String reason = "";

        Cancel(Desk desk) {
            super(desk);
        }

        @Override
        JobView give(Control control, String id) {
            return control.cancel(id, reason);
        }
    }

    @Command(name = "pause", description = "Hold back jobs that wait.")
    static final class Pause extends JobOrder {
        @Option(names = "--reason", paramLabel = "TEXT", description = "Why; kept in the job's history.") private String reason = "";

        Pause(Desk desk) {
            super(desk);
        }

        @Override
        JobView give(Control control, String id) {
            return control.pause(id, reason);
        }
    }

    @Command(name = "resume", description = "Let paused jobs go on.")
    static final class Resume extends JobOrder {
        Resume(Desk desk) {
            super(desk);
        }

        @Override
        JobView give(Control control, String id) {
            return control.resume(id);
        }
    }

    @Command(name = "delete", description = "Remove jobs that no node runs, with everything of theirs; children at work are cancelled.")
    static final class Delete extends JobOrder {
        Delete(Desk desk) {
            super(desk);
        }

        @Override
        JobView give(Control control, String id) {
            return control.delete(id);
        }

        @Override
        String done(JobView job) {
            return job.id() + " deleted";
        }
    }
}
