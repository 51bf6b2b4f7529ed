package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.job.JobState;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;

/** What must not be left once there are no more faults and every job has ended: claims, workers, sessions and so on. */
final class Leftovers {

    private Leftovers() {}

    /** Returns what is left; empty if nothing is. */
    static List<String> of(World world) {
        MemoryStore store = world.observer();
        List<String> left = new ArrayList<>();
        store.countJobs().live().forEach(line -> left.add(line + " has not ended"));
        store.list(JobQuery.all().states(JobState.CANCELLED).limit(1_000)).stream()
                .filter(job -> job.endedAt().isEmpty())
                .forEach(job -> left.add("job number " + job.seq() + " is cancelled and still held"));
        Set<String> known = store.nodes().stream().map(NodeRecord::id).collect(Collectors.toSet());
        known.stream().filter(node -> !world.isUp(node)).sorted()
                .forEach(node -> left.add("node " + node + " is gone and has not been removed"));
        store.sessions(1_000).stream().filter(session -> session.worker() != null && !known.contains(session.node()))
                .forEach(session -> left.add(session + " is on a node that is gone"));
        world.plan().work().forEach(work -> work.workload().unfinished(store).ifPresent(left::add));
        for (SimulatedNode node : world.nodes()) {
            store.reservedFor(node.machine().name())
                    .forEach(attempt -> left.add(attempt + " is reserved and has ended"));
            Pool pool = node.pool();
            if (pool != null) {
                pool.admin().workers().stream().filter(worker -> !isIdle(worker))
                        .forEach(worker -> left.add(worker + " is not idle"));
                world.stories().all().stream().filter(story -> story.unanswered().contains(node.name()))
                        .forEach(story -> left.add(story + " is awaited on " + node.name() + " without an answer"));
            }
        }
        return left;
    }

    private static boolean isIdle(WorkerSnapshot worker) {
        return worker.job() == null
                && (worker.state() == WorkerState.READY || worker.state() == WorkerState.INITIALIZING);
    }
}
