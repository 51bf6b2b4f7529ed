package dev.heddle.examples.filing;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;

/** Runs the example: the move fails once, and the second attempt continues with the move. */
final class FilingDemo implements Wiki {

    private boolean shelfIsFree;

    private FilingDemo() {}

    public static void main(String[] args) throws Exception {
        FilingHandler handler = new FilingHandler(new FilingDemo());
        try (Pool pool = Pool.on(SqliteStore.at(Path.of(args.length == 0 ? "filing.db" : args[0])))
                .retry(RetryPolicy.linear(2, Duration.ofMillis(100)))
                .register(FilingHandler.FILE, handler)
                .open()) {
            pool.submit(FilingHandler.request("doc-7")).await(Duration.ofSeconds(30));
        }
    }

    @Override
    public void updateContent(String documentId) {
        System.out.println("updated " + documentId);
    }

    @Override
    public void addSearchTerms(String documentId) {
        System.out.println("added search terms to " + documentId);
    }

    @Override
    public void move(String documentId) throws IOException {
        if (!shelfIsFree) {
            shelfIsFree = true;
            System.out.println("could not move " + documentId);
            throw new IOException("the shelf is full");
        }
        System.out.println("moved " + documentId);
    }

    @Override
    public void removeMarkers(String documentId) {
        System.out.println("removed markers from " + documentId);
    }

    @Override
    public void postComment(String documentId, String text) {
        System.out.println("commented on " + documentId + ": " + text);
    }
}
