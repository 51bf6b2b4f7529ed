package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.heddle.job.JobId;

/** What was told of one job: a fold over its {@link Report}s, which may come late and out of order between nodes. */
final class Story {

    /** The order in which a job was given to nodes, whichever tells of it first. */
    private static final Comparator<Execution> ORDER = Comparator.comparingInt((Execution e) -> e.attempt)
            .thenComparingLong(e -> e.startedAt);

    private final JobId id;
    private final int number;
    private final Work work;
    private final int behavior;
    private final long submittedAt;
    private final Set<Report.Order> orders = EnumSet.noneOf(Report.Order.class);
    private final List<Execution> executions = new ArrayList<>();
    private boolean acknowledged;

    /** One call of the handler. */
    static final class Execution {
        private final int attempt;
        private final String node;
        private final long startedAt;
        private final List<Report.Event> events = new ArrayList<>();
        private boolean ended;
        private long endedAt = Long.MAX_VALUE;

        private Execution(Report start) {
            this.attempt = start.attempt();
            this.node = start.node();
            this.startedAt = start.at();
        }

        int attempt() {
            return attempt;
        }

        String node() {
            return node;
        }

        long startedAt() {
            return startedAt;
        }

        /** Returns when the handler returned; {@link Long#MAX_VALUE} if it has not told so. */
        long endedAt() {
            return endedAt;
        }

        boolean hasEnded() {
            return ended;
        }

        /** Returns what the handler told between its start and its end. */
        List<Report.Event> events() {
            return events;
        }
    }

    /**
     * Creates the story of a job that is about to be submitted.
     *
     * @param number its place in the order of submission, from 1; ids differ between runs that are otherwise equal
     */
    Story(Report report, int number, Report.Submitted submitted) {
        this.id = report.job();
        this.number = number;
        this.submittedAt = report.at();
        this.work = submitted.work();
        this.behavior = submitted.behavior();
    }

    JobId id() {
        return id;
    }

    int number() {
        return number;
    }

    Work work() {
        return work;
    }

    Workload workload() {
        return work.workload();
    }

    /** Returns how the job behaves, as its workload decides. */
    int behavior() {
        return behavior;
    }

    /** Returns when a client was about to submit the job. */
    long submittedAt() {
        return submittedAt;
    }

    boolean isAcknowledged() {
        return acknowledged;
    }

    boolean wasOrdered(Report.Order order) {
        return orders.contains(order);
    }

    /** Returns all calls of the handler, in the order of their attempts. */
    List<Execution> executions() {
        return executions;
    }

    void add(Report report) {
        switch (report.event()) {
            case Report.Submitted _ -> {
            }
            case Report.Acknowledged _ -> acknowledged = true;
            case Report.Ordered(Report.Order order) -> orders.add(order);
            case Report.Started _ -> {
                executions.add(new Execution(report));
                executions.sort(ORDER);
            }
            case Report.Ended _ -> {
                Execution execution = execution(report);
                execution.ended = true;
                execution.endedAt = report.at();
            }
            default -> execution(report).events.add(report.event());
        }
    }

    /** An attempt may run twice on one node, but not at the same time. */
    private Execution execution(Report report) {
        return executions.reversed().stream()
                .filter(each -> each.attempt == report.attempt() && each.node.equals(report.node()) && !each.ended)
                .findFirst().orElseThrow(() -> new IllegalStateException("no call of a handler told: " + report));
    }

    @Override
    public String toString() {
        return "job " + number + " (" + workload().type().name() + ")";
    }
}
