package dev.heddle.control.model;

import java.time.Instant;
import java.util.Map;

import dev.heddle.worker.Health;
import dev.heddle.worker.WorkerState;
import org.jspecify.annotations.Nullable;

/**
 * A worker at one moment.
 *
 * @param id the id, which starts with the id of its node
 * @param node the id of its node
 * @param group the group it belongs to
 * @param state what it is doing
 * @param health the result of its health checks
 * @param job the id of the job it runs, while BUSY
 * @param since when it entered its state
 * @param jobs the number of jobs it has finished
 * @param facts what else is known, such as the pid and the memory of a process
 * @param asOf the time of this information: now for the node that answered, otherwise the node's last renewal
 */
public record WorkerView(String id, String node, String group, WorkerState state, Health health, @Nullable String job,
        Instant since, long jobs, Map<String, String> facts, Instant asOf) {}
