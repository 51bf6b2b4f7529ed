package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

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
    private final Set<Order> orders = EnumSet.noneOf(Order.class);
    private final List<Execution> executions = new ArrayList<>();
    private final Map<Integer, String> awaits = new LinkedHashMap<>();
    private final Set<String> answers = new LinkedHashSet<>();
    private boolean acknowledged;

    /** One call of the handler. */
    static final class Execution {
        private final int attempt;
        private final String node;
        private final long startedAt;
        private final boolean held;
        private final List<Report> reports = new ArrayList<>();
        private boolean ended;
        private long endedAt = Long.MAX_VALUE;

        private Execution(Report start, boolean held) {
            this.attempt = start.attempt();
            this.node = start.node();
            this.startedAt = start.at();
            this.held = held;
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

        /** Returns whether the store had the job for this attempt when the handler was called. */
        boolean wasHeld() {
            return held;
        }

        /** Returns what the handler told between its start and its end. */
        List<Report> reports() {
            return reports;
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

    boolean wasOrdered(Order order) {
        return orders.contains(order);
    }

    /** Returns the nodes whose clients wait for the end of the job and have not been answered. */
    Collection<String> unanswered() {
        return awaits.values();
    }

    /** Returns what clients that waited for the end of the job were told. */
    Set<String> answers() {
        return answers;
    }

    /** Returns what all calls of the handler told, in the order of their attempts. */
    Stream<Report> reports() {
        return executions.stream().flatMap(each -> each.reports.stream());
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
            case Report.Ordered(Order order) -> orders.add(order);
            case Report.Obeyed _ -> {
            }
            case Report.Awaits(int wait) -> awaits.put(wait, report.node());
            case Report.Answered(int wait, String answer) -> {
                awaits.remove(wait);
                answers.add(answer);
            }
            case Report.Started(boolean held) -> {
                executions.add(new Execution(report, held));
                executions.sort(ORDER);
            }
            case Report.Ended _ -> {
                Execution execution = execution(report);
                execution.ended = true;
                execution.endedAt = report.at();
            }
            default -> execution(report).reports.add(report);
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
