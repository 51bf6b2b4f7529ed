package dev.heddle.engine.execute;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

import dev.heddle.worker.Worker;

/** The last workers of a group that are gone, so that people can find out why. Thread-safe. */
final class PastWorkers {

    private static final int MAX = 50;

    private final SequencedMap<String, Worker> workers = new LinkedHashMap<>();

    /** Remembers a worker, and forgets the oldest if there are too many. */
    synchronized void add(Worker worker) {
        workers.putIfAbsent(worker.id(), worker);
        if (workers.size() > MAX) {
            workers.pollFirstEntry();
        }
    }

    /** Returns the workers, newest first. */
    synchronized List<Worker> newestFirst() {
        return List.copyOf(workers.values()).reversed();
    }
}
