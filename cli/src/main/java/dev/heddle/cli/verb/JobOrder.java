package dev.heddle.cli.verb;

import java.util.List;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.control.Control;
import dev.heddle.control.JobView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Does something to jobs that are named. */
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
        return toEach(ids, id -> give(control, id), this::done);
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
