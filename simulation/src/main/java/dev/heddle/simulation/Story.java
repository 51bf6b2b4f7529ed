package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.job.JobId;

/** What the outside world knows of one job. */
final class Story {

    final JobId id;
    final Workload workload;
    /** How the job behaves, as its workload decides. */
    final int behavior;
    boolean acknowledged;
    boolean cancelRequested;
    final List<Execution> executions = new ArrayList<>();
    /** The steps that were committed as far as a handler knows. */
    final Set<String> steps = new HashSet<>();
    /** The last checkpoint that was committed as far as a handler knows. */
    int checkpoint;

    /** One call of the handler. */
    static final class Execution {
        final int attempt;
        final SimulatedNode node;
        boolean ended;

        Execution(int attempt, SimulatedNode node) {
            this.attempt = attempt;
            this.node = node;
        }

        boolean isRunning() {
            return !ended && !node.process().isDead();
        }
    }

    Story(JobId id, Workload workload, int behavior) {
        this.id = id;
        this.workload = workload;
        this.behavior = behavior;
    }
}
