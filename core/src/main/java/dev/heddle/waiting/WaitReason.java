package dev.heddle.waiting;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.LimitKey;
import dev.heddle.job.Limits;
import dev.heddle.limit.Rate;
import org.jspecify.annotations.Nullable;

import static dev.heddle.waiting.WaitText.because;
import static dev.heddle.waiting.WaitText.time;

/** Something that keeps a job from running, or the fact that it runs or has ended. */
public sealed interface WaitReason {

    /** Returns the reason as a sentence. */
    String text();

    /** Something that keeps nodes from claiming the job, although they have a handler. */
    sealed interface OnNodes extends WaitReason {

        /** Returns the nodes; never empty. */
        List<String> nodes();

        /** Returns the same reason on other nodes. */
        OnNodes on(List<String> others);
    }

    /**
     * The job has ended.
     *
     * @param state how
     * @param at when
     * @param why why it failed or was cancelled; null if it completed
     */
    record Ended(JobState state, Instant at, @Nullable String why) implements WaitReason {
        @Override
        public String text() {
            return switch (state) {
                case COMPLETED -> "It completed at " + time(at) + ".";
                case FAILED -> "It failed for good at " + time(at) + because(why)
                        + "; 'heddle job retry' queues it again.";
                default -> "It was cancelled at " + time(at) + because(why) + ".";
            };
        }
    }

    /**
     * The job runs.
     *
     * @param node the node that runs it
     * @param since since when
     */
    record Running(String node, Instant since) implements WaitReason {
        @Override
        public String text() {
            return "It does not wait: it has been running on node " + node + " since " + time(since) + ".";
        }
    }

    /**
     * The job was cancelled, and its handler has not returned yet.
     *
     * @param node the node that runs it
     * @param why why it was cancelled
     */
    record Stopping(String node, @Nullable String why) implements WaitReason {
        @Override
        public String text() {
            return "It was cancelled" + because(why) + ", and its handler is still stopping on node " + node + ".";
        }
    }

    /**
     * A node has claimed the job and not started it yet.
     *
     * @param node the node
     * @param since since when
     */
    record Claimed(String node, Instant since) implements WaitReason {
        @Override
        public String text() {
            return "Node " + node + " claimed it at " + time(since) + " and starts it as soon as a worker is free.";
        }
    }

    /**
     * Someone paused the job.
     *
     * @param why why; null if no reason was given
     * @param dueAt when it may run once it is resumed; null if at once
     */
    record Paused(@Nullable String why, @Nullable Instant dueAt) implements WaitReason {
        @Override
        public String text() {
            return "It is paused" + because(why) + "; 'heddle job resume' lets it run"
                    + (dueAt == null ? "" : ", not before " + time(dueAt)) + ".";
        }
    }

    /**
     * The job waits for its children.
     *
     * @param left how many have not ended
     * @param more whether there are even more, which were not counted
     */
    record ChildrenLeft(int left, boolean more) implements WaitReason {
        @Override
        public String text() {
            return left == 0 ? "All its children have ended; it goes on within moments."
                    : "It waits for its children, of which " + WaitText.count(left, more)
                            + (left == 1 ? " has" : " have") + " not ended.";
        }
    }

    /**
     * The job is scheduled for a time.
     *
     * @param at the time
     */
    record Scheduled(Instant at) implements WaitReason {
        @Override
        public String text() {
            return "It is scheduled for " + time(at) + "; 'heddle job run-now' runs it at once.";
        }
    }

    /**
     * The job failed and waits for its next attempt.
     *
     * @param at when it runs again
     * @param failures how many attempts have failed
     * @param error the message of the last failure; null if there is none
     */
    record RetryBackoff(Instant at, int failures, @Nullable String error) implements WaitReason {
        @Override
        public String text() {
            return "It failed " + WaitText.times(failures) + " and is tried again at " + time(at)
                    + (error == null ? "" : "; the last failure was: " + Limits.cut(error, Limits.NAME)) + ".";
        }
    }

    /**
     * The node that ran the job died. Such jobs start again one after the other.
     *
     * @param at when it starts again
     * @param why what the recovery noted, with the place of the job; null if nothing
     */
    record RecoveryStage(Instant at, @Nullable String why) implements WaitReason {
        @Override
        public String text() {
            return "The node that ran it died. Such jobs start again one after the other, this one at " + time(at)
                    + because(why) + ".";
        }
    }

    /**
     * The queue is paused.
     *
     * @param queue its name
     */
    record QueuePaused(String queue) implements WaitReason {
        @Override
        public String text() {
            return "Queue '" + queue + "' is paused; 'heddle queue resume' lets its jobs run.";
        }
    }

    /** No node is alive. */
    record NoNode() implements WaitReason {
        @Override
        public String text() {
            return "No node is running; start one, for example with 'heddle serve'.";
        }
    }

    /**
     * No node has a handler for the type.
     *
     * @param type the type
     * @param nodes the types that each node has
     */
    record NoHandler(String type, SequencedMap<String, List<String>> nodes) implements WaitReason {
        /** Copies the map. */
        public NoHandler {
            nodes = Collections.unmodifiableSequencedMap(new TreeMap<>(nodes));
        }

        @Override
        public String text() {
            List<String> each = nodes.entrySet().stream().map(NoHandler::types).toList();
            return "No node has a handler for type '" + type + "'; " + String.join("; ", each) + ".";
        }

        private static String types(Map.Entry<String, List<String>> node) {
            return "node " + node.getKey() + " has "
                    + (node.getValue().isEmpty() ? "none" : WaitText.names(node.getValue()));
        }
    }

    /**
     * Nodes that do not say what they run, because they are of an older version.
     *
     * @param nodes the nodes
     */
    record Unknown(List<String> nodes) implements WaitReason {
        @Override
        public String text() {
            return "It is not known what runs on " + WaitText.nodes(nodes)
                    + "; an older Heddle does not tell other nodes.";
        }
    }

    /**
     * Nodes that have a handler are closing.
     *
     * @param nodes the nodes
     */
    record NodeClosing(List<String> nodes) implements OnNodes {
        @Override
        public OnNodes on(List<String> others) {
            return new NodeClosing(others);
        }

        @Override
        public String text() {
            return "On " + WaitText.nodes(nodes) + ", nothing more starts: "
                    + (nodes.size() == 1 ? "it is" : "they are") + " closing.";
        }
    }

    /**
     * As many jobs of a key run as its limit allows.
     *
     * @param key the limit and the key
     * @param most how many may run at once
     * @param held how many jobs nodes hold
     * @param holders the first of these jobs
     */
    record LimitFull(LimitKey key, int most, long held, List<JobId> holders) implements WaitReason {
        @Override
        public String text() {
            return "Limit '" + key.limit() + "' is full" + WaitText.forKey(key) + ": " + held + " of " + most
                    + (most == 1 ? " job runs: " : " jobs run: ") + WaitText.ids(holders, held) + ".";
        }
    }

    /**
     * The rate of a limit is used up.
     *
     * @param key the limit and the key
     * @param rate the rate
     * @param nextAt when the next job may start
     */
    record RateUsedUp(LimitKey key, Rate rate, Instant nextAt) implements WaitReason {
        @Override
        public String text() {
            return "Limit '" + key.limit() + "' lets " + rate + " start" + WaitText.forKey(key)
                    + "; the next may start at " + time(nextAt) + ".";
        }
    }

    /**
     * A gate holds the job back.
     *
     * @param gate the name of the gate: {@code budget}, {@code machine}, or that of an application
     * @param why why
     * @param nodes the nodes on which it does
     */
    record GateClosed(String gate, String why, List<String> nodes) implements OnNodes {
        @Override
        public OnNodes on(List<String> others) {
            return new GateClosed(gate, why, others);
        }

        @Override
        public String text() {
            return "On " + WaitText.nodes(nodes) + ", the gate '" + gate + "' holds it back: " + why + ".";
        }
    }

    /**
     * The circuit breaker of the type is open, because its last jobs failed.
     *
     * @param type the type
     * @param until when a job may try; null if one is trying now
     * @param nodes the nodes on which it is open
     */
    record BreakerOpen(String type, @Nullable Instant until, List<String> nodes) implements OnNodes {
        @Override
        public OnNodes on(List<String> others) {
            return new BreakerOpen(type, until, others);
        }

        @Override
        public String text() {
            return "On " + WaitText.nodes(nodes) + ", the circuit breaker of type '" + type
                    + "' is open, because its last jobs failed; "
                    + (until == null ? "one job is on trial now." : "one job may try at " + time(until) + ".");
        }
    }

    /**
     * As many jobs of the type run on nodes as its {@code maxConcurrentPerNode} allows.
     *
     * @param type the type
     * @param most how many may run at once on one node
     * @param nodes the nodes
     */
    record TypeFull(String type, int most, List<String> nodes) implements OnNodes {
        @Override
        public OnNodes on(List<String> others) {
            return new TypeFull(type, most, others);
        }

        @Override
        public String text() {
            return "On " + WaitText.nodes(nodes) + ", " + most + (most == 1 ? " job" : " jobs") + " of type '" + type
                    + "' " + (most == 1 ? "runs" : "run") + ", as many as its maxConcurrentPerNode allows.";
        }
    }

    /**
     * The worker that has the session of the job is busy.
     *
     * @param session the session
     * @param worker the worker
     * @param node the node of the worker
     * @param job the job that it runs; null if it runs none, or that is not known
     */
    record SessionBusy(String session, String worker, String node, @Nullable JobId job) implements WaitReason {
        @Override
        public String text() {
            return "Only worker " + worker + " of node " + node + " has its session '" + session + "', and "
                    + (job == null ? "it has not taken the job yet." : "it runs job " + job + ".");
        }
    }

    /**
     * The session of the job was lost with its worker. The job fails as soon as a node sees that.
     *
     * @param session the session
     */
    record SessionLost(String session) implements WaitReason {
        @Override
        public String text() {
            return "Its session '" + session + "' is lost, so it fails as soon as a node looks at it.";
        }
    }

    /**
     * Nodes start few jobs at once, because one of them crashed a node.
     *
     * @param why how many may start
     * @param nodes the nodes
     */
    record SuspectsFirst(String why, List<String> nodes) implements OnNodes {
        @Override
        public OnNodes on(List<String> others) {
            return new SuspectsFirst(why, others);
        }

        @Override
        public String text() {
            return "On " + WaitText.nodes(nodes) + ", it has to wait for others: " + why + ".";
        }
    }

    /**
     * The job may have crashed its node, so it starts with care.
     *
     * @param deaths at how many deaths of nodes it may have been the cause
     * @param cap how many jobs may be on probation beside it, itself included; null for any number
     */
    record Suspect(int deaths, @Nullable Integer cap) implements WaitReason {
        @Override
        public String text() {
            return "It may have crashed its node" + (deaths > 1 ? " " + WaitText.times(deaths) : "") + ", so "
                    + (cap == null ? "its next start is written down before its handler runs."
                            : cap == 1 ? "it starts when no other job is on probation on its node."
                                    : "at most " + cap + " jobs on probation start at a time on its node.");
        }
    }

    /**
     * Another job with the same dedupe key runs, and this one starts once that has ended.
     *
     * @param job the other job
     */
    record BehindJob(JobId job) implements WaitReason {
        @Override
        public String text() {
            return "It follows job " + job + ", which has the same dedupe key, and starts once that has ended.";
        }
    }

    /**
     * No worker is there that could run the job.
     *
     * @param group the worker group of its type
     * @param ill how many workers of the group take no jobs until they recover
     * @param nodes the nodes that have a handler
     */
    record NoWorker(String group, int ill, List<String> nodes) implements WaitReason {
        @Override
        public String text() {
            return "On " + WaitText.nodes(nodes) + ", the worker group '" + group + "' has no worker"
                    + (ill == 0 ? "."
                            : " that takes jobs: " + ill + (ill == 1 ? " is" : " are")
                                    + " DEGRADED; see 'heddle worker list'.");
        }
    }

    /**
     * All workers are busy.
     *
     * @param workers how many there are
     * @param nodes the nodes that have a handler
     * @param ahead how many jobs of its queue and type are ahead of it
     * @param more whether there are even more, which were not counted
     */
    record WorkersBusy(int workers, List<String> nodes, int ahead, boolean more) implements WaitReason {
        @Override
        public String text() {
            return (workers == 1 ? "The only worker of "
                    : workers == 2 ? "Both workers of " : "All " + workers + " workers of ") + WaitText.nodes(nodes)
                    + (workers == 1 ? " is busy" : " are busy")
                    + (ahead == 0 ? "; it is the next of its queue and type."
                            : ", and " + WaitText.ahead(ahead, more) + ".");
        }
    }

    /**
     * Nothing keeps the job from running: a worker is free and about to take it.
     *
     * @param nodes the nodes with a free worker
     * @param ahead how many jobs of its queue and type are ahead of it
     * @param more whether there are even more, which were not counted
     */
    record Next(List<String> nodes, int ahead, boolean more) implements WaitReason {
        @Override
        public String text() {
            return "Nothing holds it back: " + WaitText.nodes(nodes) + (nodes.size() == 1 ? " has" : " have")
                    + " a free worker" + (ahead == 0 ? " and will claim it within moments."
                            : "; " + WaitText.ahead(ahead, more) + ".");
        }
    }
}
