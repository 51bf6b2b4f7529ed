package dev.heddle.examples.documents;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import org.jspecify.annotations.Nullable;

/** A command that a user wrote into a document, with guidance for it. */
record CommandTask(Document document, String command, String guidance) {

    /** The handler that an application implements. */
    @FunctionalInterface
    interface Processor extends JobHandler<CommandTask, Void> {

        void processCommand(JobContext ctx, Document document, String command, String guidance)
                throws Exception;

        @Override
        default @Nullable Void handle(CommandTask task, JobContext ctx) throws Exception {
            processCommand(ctx, task.document(), task.command(), task.guidance());
            return null;
        }
    }

    /** Each command is a separate job type with its own retries, time-out and circuit breaker. */
    static JobType<CommandTask, Void> type(String command) {
        return JobType.of(command, CommandTask.class, Void.class);
    }

    static JobRequest<CommandTask, Void> of(Document document, String command, String guidance) {
        return type(command).with(new CommandTask(document, command, guidance)).subject(document.id())
                .dedupeKey("cmd-" + command + "-" + document.id());
    }
}
