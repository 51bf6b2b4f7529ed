package dev.heddle.cli.command;

import java.time.Duration;
import java.time.Instant;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.DurationConverter;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.Control;
import dev.heddle.control.model.JobView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that changes the jobs it is given. */
abstract class JobActionCommand extends ControlCommand {

    private static final String REASON = "Reason to record in the job's history.";

    @Mixin
    private final JobIdsParameter ids = new JobIdsParameter();

    JobActionCommand(CliContext context) {
        super(context, Intent.WRITE);
    }

    abstract JobView apply(Control control, String id);

    /** Returns the line to print for a changed job. */
    String describe(JobView job) {
        return job.id() + " " + job.state();
    }

    @Override
    ExitCode execute(Control control) {
        return applyToEach(ids.get(), id -> apply(control, id), this::describe);
    }

    @Command(name = "retry", description = {"Queue dead letters again, with a fresh set of retries.",
        "They go on from their checkpoint and do not repeat the steps they have saved."})
    static final class Retry extends JobActionCommand {
        @Option(names = "--from-step", paramLabel = "NAME",
                description = "Repeat this step and all steps after it: forget their saved results.")
        private @Nullable String fromStep;

        @Option(names = "--forget-checkpoint", description = "Forget the checkpoint.")
        private boolean forgetCheckpoint;

        Retry(CliContext context) {
            super(context);
        }

        @Override
        JobView apply(Control control, String id) {
            return control.retry(id, fromStep, forgetCheckpoint);
        }
    }

    @Command(name = "cancel", description = {"Cancel jobs and their children.", "Running jobs are asked to stop."})
    static final class Cancel extends JobActionCommand {
        @Option(names = "--reason", paramLabel = "TEXT", description = REASON)
        private String reason = "";

        Cancel(CliContext context) {
            super(context);
        }

        @Override
        JobView apply(Control control, String id) {
            return control.cancel(id, reason);
        }
    }

    @Command(name = "pause", description = "Pause jobs that have not started.")
    static final class Pause extends JobActionCommand {
        @Option(names = "--reason", paramLabel = "TEXT", description = REASON)
        private String reason = "";

        Pause(CliContext context) {
            super(context);
        }

        @Override
        JobView apply(Control control, String id) {
            return control.pause(id, reason);
        }
    }

    @Command(name = "resume", description = "Resume paused jobs.")
    static final class Resume extends JobActionCommand {
        Resume(CliContext context) {
            super(context);
        }

        @Override
        JobView apply(Control control, String id) {
            return control.resume(id);
        }
    }

    @Command(name = "run-now", description = {"Run waiting jobs as soon as a worker is free.",
        "Works for jobs that are delayed, wait for a retry, or are paused."})
    static final class RunNow extends JobActionCommand {
        RunNow(CliContext context) {
            super(context);
        }

        @Override
        JobView apply(Control control, String id) {
            return control.runNow(id);
        }
    }

    @Command(name = "reschedule", description = {"Set when waiting jobs may run.", "Paused jobs stay paused."})
    static final class Reschedule extends JobActionCommand {
        @Option(names = "--in", paramLabel = "DURATION", converter = DurationConverter.class,
                description = "Run after this delay, such as 10m.")
        private @Nullable Duration in;

        @Option(names = "--at", paramLabel = "TIME", converter = InstantConverter.class,
                description = "Run at or after this time (ISO 8601).")
        private @Nullable Instant at;

        Reschedule(CliContext context) {
            super(context);
        }

        @Override
        void validate() {
            if ((in == null) == (at == null)) {
                throw CliException.usage("use --in or --at" + (in == null ? "" : ", not both"));
            }
        }

        @Override
        JobView apply(Control control, String id) {
            return control.reschedule(id, in, at);
        }
    }

    @Command(name = "delete", description = {"Delete jobs and everything stored for them.",
        "Fails for a job that a node is running. Unfinished children are cancelled."})
    static final class Delete extends JobActionCommand {
        Delete(CliContext context) {
            super(context);
        }

        @Override
        JobView apply(Control control, String id) {
            return control.delete(id);
        }

        @Override
        String describe(JobView job) {
            return job.id() + " deleted";
        }
    }
}
