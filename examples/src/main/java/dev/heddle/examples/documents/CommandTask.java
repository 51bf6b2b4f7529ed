package dev.heddle.examples.documents;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import org.jspecify.annotations.Nullable;

/** What a user asked for in a document: a command, and some guidance for it. */
record CommandTask(Document document, String command, String guidance) {

    /** What a user writes. */
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

    /** Each command is a type of its own, so that it has its own retries, time-out and breaker. */
    static JobType<CommandTask, Void> type(String command) {
        return JobType.of(command, CommandTask.class, Void.class);
    }

    static JobRequest<CommandTask, Void> of(Document document, String command, String guidance) {
        return type(command).with(new CommandTask(document, command, guidance)).subject(document.id())
                .dedupeKey("cmd-" + command + "-" + document.id());
    }
}
