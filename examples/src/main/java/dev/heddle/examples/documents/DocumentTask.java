package dev.heddle.examples.documents;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import org.jspecify.annotations.Nullable;

/** Background work on one document, known by its id. */
record DocumentTask(String documentId) {

    /** What a user writes. */
    @FunctionalInterface
    interface Handler extends JobHandler<DocumentTask, Void> {

        void handle(JobContext ctx, String documentId) throws Exception;

        @Override
        default @Nullable Void handle(DocumentTask task, JobContext ctx) throws Exception {
            handle(ctx, task.documentId());
            return null;
        }
    }

    static JobType<DocumentTask, Void> type(String name) {
        return JobType.of(name, DocumentTask.class, Void.class);
    }

    /** At most one live job of a type for each document: the key is what makes a second submit find the first. */
    static JobRequest<DocumentTask, Void> of(JobType<DocumentTask, Void> type, String documentId) {
        return type.with(new DocumentTask(documentId)).subject(documentId)
                .dedupeKey(type + "-" + documentId);
    }
}
