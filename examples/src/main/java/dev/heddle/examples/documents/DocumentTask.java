package dev.heddle.examples.documents;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import org.jspecify.annotations.Nullable;

/** Background work on the document with this id. */
record DocumentTask(String documentId) {

    /** The handler that an application implements. */
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

    /** The dedupe key allows one live job of a type per document: a second submit returns the first job. */
    static JobRequest<DocumentTask, Void> of(JobType<DocumentTask, Void> type, String documentId) {
        return type.with(new DocumentTask(documentId)).subject(documentId)
                .dedupeKey(type + "-" + documentId);
    }
}
