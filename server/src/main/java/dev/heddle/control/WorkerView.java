package dev.heddle.control;

import java.time.Instant;
import java.util.Map;

import dev.heddle.worker.Health;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import org.jspecify.annotations.Nullable;

/**
 * A worker at one moment.
 *
 * @param job the id of what it runs, while BUSY
 * @param since when it came into its state
 * @param jobs how many it has ended
 * @param facts what else is known, such as the pid and the memory of a process
 * @param asOf when this was so: now for the node that answered, else the node's last renewal
 */
public record WorkerView(String id, String node, String group, WorkerState state, Health health,
        @Nullable String job, Instant since, long jobs, Map<String, String> facts, Instant asOf) {

    static WorkerView of(WorkerSnapshot worker, String node, Instant asOf) {
        return new WorkerView(worker.id(), node, worker.group(), worker.state(), worker.health(),
                worker.job() == null ? null : worker.job().toString(), worker.since(), worker.jobs(),
                worker.facts(), asOf);
    }
}
