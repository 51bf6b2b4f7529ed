package dev.heddle.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which ids and names a shell offers after a command: those that another command lists at that moment. */
final class CompletedNames {

    private static final String JOBS = "job list -q -n 200";
    private static final String DEAD_LETTERS = "dead list -q -n 200";

    private CompletedNames() {}

    /** Returns the listing command by the command that takes the names, such as {@code queue pause}. */
    static Map<String, String> listings() {
        Map<String, String> listings = new LinkedHashMap<>();
        put(listings, "job", JOBS, "show", "why", "tree", "logs", "conversation", "artifacts", "wait", "cancel",
                "pause", "resume", "run-now", "reschedule", "delete");
        put(listings, "job", DEAD_LETTERS, "retry");
        put(listings, "dead", DEAD_LETTERS, "show", "retry");
        put(listings, "queue", "queue list -q", "pause", "resume");
        put(listings, "worker", "worker list -q", "show", "stop", "drain", "logs", "attach");
        put(listings, "schedule", "schedule list -q", "show", "next", "pause", "resume", "reset", "delete", "trigger",
                "backfill");
        put(listings, "batch", "batch list -q", "show", "results", "approve", "retry");
        put(listings, "limit", "limit list -q", "remove");
        put(listings, "session", "session list -q", "drop");
        return listings;
    }

    private static void put(Map<String, String> listings, String noun, String listing, String... verbs) {
        List.of(verbs).forEach(verb -> listings.put(noun + " " + verb, listing));
    }
}
