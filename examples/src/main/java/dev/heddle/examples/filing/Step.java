package dev.heddle.examples.filing;

import java.io.IOException;

import dev.heddle.job.JobException;

/** The steps in order, and what the failure of each means for the job. */
enum Step {
    UPDATE_CONTENT, ADD_SEARCH_TERMS, MOVE, REMOVE_MARKERS, POST_COMMENT;

    /** The consequence of a failed step: the job fails and is retried, or it continues with a warning. */
    sealed interface Consequence {
        record Fail(JobException failure) implements Consequence {}

        record Warn(String message) implements Consequence {}
    }

    void run(Wiki wiki, String documentId) throws IOException {
        switch (this) {
            case UPDATE_CONTENT -> wiki.updateContent(documentId);
            case ADD_SEARCH_TERMS -> wiki.addSearchTerms(documentId);
            case MOVE -> wiki.move(documentId);
            case REMOVE_MARKERS -> wiki.removeMarkers(documentId);
            case POST_COMMENT -> wiki.postComment(documentId, "✅ Document filed.");
        }
    }

    Consequence consequenceOf(IOException failure) {
        return switch (this) {
            case UPDATE_CONTENT ->
                new Consequence.Fail(JobException
                        .transientFailure("update_document_content: " + failure.getMessage(), failure)
                        .in("update_document_content")
                        .hint("Document update failed - safe to retry from beginning"));
            case ADD_SEARCH_TERMS -> new Consequence.Fail(JobException.partial("add_search_terms", failure)
                    .hint("Document updated but search terms failed - retry from this step"));
            case MOVE -> new Consequence.Fail(JobException.partial("move_document", failure)
                    .hint("Document updated and search terms added, but move failed"));
            case REMOVE_MARKERS ->
                new Consequence.Warn("Failed to remove command markers - manual cleanup required");
            case POST_COMMENT -> new Consequence.Warn("Failed to post success comment");
        };
    }
}
