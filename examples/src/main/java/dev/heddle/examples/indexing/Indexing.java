package dev.heddle.examples.indexing;

import java.time.Duration;

import dev.heddle.job.Dedupe;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;

/**
 * Indexes documents. While a user types, each change submits a job, and all of them become one: it runs two seconds
 * after the last change, or ten seconds after the first. A change that comes while the document is being indexed leads to
 * one more run.
 */
final class Indexing {

    static final JobType<Document, Integer> INDEX = JobType.of("index", Document.class, Integer.class);

    private static final Dedupe QUIET = Dedupe.debounce(Duration.ofSeconds(2), Duration.ofSeconds(10));

    private Indexing() {}

    /**
     * The payload.
     *
     * @param id the document
     * @param text its text
     */
    record Document(String id, String text) {}

    /** Returns the request to index a document once it has not changed for a while. */
    static JobRequest<Document, Integer> request(Document document) {
        return INDEX.with(document).dedupeKey(document.id(), QUIET);
    }

    /** Has a document indexed; the handle says whether a job was created or changed. */
    static JobHandle<Integer> changed(Pool pool, Document document) {
        return pool.submit(request(document));
    }
}
