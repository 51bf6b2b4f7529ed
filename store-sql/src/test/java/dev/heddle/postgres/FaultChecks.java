package dev.heddle.postgres;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.job.Attempt;
import dev.heddle.job.Attempt.End;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.postgres.FaultHandlers.Done;
import dev.heddle.postgres.FaultLog.Kind;
import dev.heddle.postgres.FaultLog.Line;
import dev.heddle.store.JobDetails;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What must be true after a {@link FaultTest}, according to the log of the nodes and the store. */
final class FaultChecks {

    private static final JsonMapper JSON = new JsonMapper();

    private final List<Line> log;
    private final FaultNodes nodes;
    private final Map<String, JobDetails> stories = new LinkedHashMap<>();

    FaultChecks(List<Line> log, FaultNodes nodes) {
        this.log = log;
        this.nodes = nodes;
    }

    private Stream<Line> lines(Kind kind) {
        return log.stream().filter(line -> line.kind() == kind);
    }

    private JobDetails story(String job) {
        return Objects.requireNonNull(stories.get(job), job);
    }

    private static List<Attempt> accepted(JobDetails story) {
        return story.attempts().stream().filter(attempt -> attempt.end() == End.COMPLETED).toList();
    }

    /** Every job that was acknowledged, or that ran, exists and has ended as its handler decides. */
    void noJobIsLost(PostgresStore store) {
        Stream.concat(lines(Kind.ACK), lines(Kind.START)).map(Line::job).distinct().forEach(id -> stories.put(id,
                store.details(JobId.of(id)).orElseThrow(() -> new AssertionError("lost: " + id))));
        for (JobDetails story : stories.values()) {
            boolean orphaned = story.job().type().equals(FaultHandlers.CAREFUL.name())
                    && story.job().reason().filter(reason -> reason.startsWith("orphaned")).isPresent();
            boolean dies = orphaned || story.job().type().equals(FaultHandlers.DOOMED.name());
            assertThat(story.job().state()).as("%s", story).isEqualTo(dies ? JobState.FAILED : JobState.COMPLETED);
        }
    }

    /** A completed job has one completed attempt, its last, and the result of that attempt. */
    void oneResultIsAccepted() {
        for (JobDetails story : stories.values()) {
            assertThat(story.attempts()).as("%s", story).extracting(Attempt::number).doesNotHaveDuplicates();
            if (story.job().state() != JobState.COMPLETED) {
                assertThat(accepted(story)).as("%s", story).isEmpty();
                continue;
            }
            assertThat(accepted(story)).as("%s", story).hasSize(1);
            Attempt attempt = accepted(story).getFirst();
            assertThat(attempt.number()).as("%s", story).isEqualTo(story.job().counts().attempt());
            assertThat(JSON.readValue(story.job().result().orElseThrow(), Done.class)).as("%s", story)
                    .isEqualTo(new Done(FaultNodes.firstName(attempt.node()), attempt.number()));
        }
    }

    /** Once a step has returned, no later attempt runs it, and an earlier one only if its node was suspended. */
    void noStepIsRepeated() {
        Map<String, Integer> done = new HashMap<>();
        for (Line line : log) {
            String step = line.job() + " " + line.detail();
            if (line.kind() == Kind.DONE) {
                done.merge(step, line.attempt(), Math::min);
            } else if (line.kind() == Kind.RUN && done.containsKey(step)) {
                assertThat(line.attempt() < done.get(step) && nodes.wasSuspended(line.node()))
                        .as("%s, but attempt %s had done it", line, done.get(step)).isTrue();
            }
        }
        assertThat(done).isNotEmpty();
    }

    /**
     * An attempt does nothing once the next has started, unless its handler ignores cancellation or its node was
     * suspended.
     */
    void attemptsDoNotOverlap() {
        Map<String, Integer> latest = new HashMap<>();
        for (Line line : log) {
            if (line.kind() == Kind.START) {
                latest.merge(line.job(), line.attempt(), Math::max);
            } else if ((line.kind() == Kind.RUN || line.kind() == Kind.RESULT)
                    && !line.detail().equals(FaultHandlers.STUBBORN.name()) && !nodes.wasSuspended(line.node())) {
                assertThat(line.attempt()).as("%s, but a later attempt had started", line)
                        .isEqualTo(latest.get(line.job()));
            }
        }
    }

    /** No job that is not idempotent has finished twice. */
    void nonIdempotentJobsFinishOnce() {
        Set<String> finished = new HashSet<>();
        lines(Kind.RESULT).filter(line -> line.detail().equals(FaultHandlers.CAREFUL.name()))
                .forEach(line -> assertThat(finished.add(line.job())).as("%s, a second time", line).isTrue());
        assertThat(finished).isNotEmpty();
    }

    /** Two jobs of one type and key are never live at the same time. */
    void eachKeyHasOneLiveJob() {
        Map<String, String> holders = new HashMap<>();
        Set<String> ended = new HashSet<>();
        int keyed = 0;
        for (Line line : log) {
            JobDetails story = story(line.job());
            String key = story.job().type() + " " + story.job().spec().extras().dedupeKey();
            if (story.job().spec().extras().dedupeKey() == null || story.job().state() != JobState.COMPLETED) {
                continue;
            }
            if (line.kind() == Kind.START && !ended.contains(line.job())) {
                keyed++;
                assertThat(holders.getOrDefault(key, line.job())).as("%s, while another job has its key", line)
                        .isEqualTo(line.job());
                holders.put(key, line.job());
            } else if (line.kind() == Kind.RESULT && line.attempt() == story.job().counts().attempt()) {
                ended.add(line.job());
                holders.remove(key, line.job());
            }
        }
        assertThat(keyed).isPositive();
    }

    /** No node is declared dead that was neither killed nor suspended and could reach the server. */
    void noLiveNodeIsDeclaredDead() {
        for (JobDetails story : stories.values()) {
            for (Attempt attempt : story.attempts()) {
                if (nodeDied(attempt)) {
                    assertThat(nodes.wasKilled(attempt.node()) || nodes.wasSuspended(attempt.node())
                            || hasLapsed(attempt.node())).as("%s, by a live node", story).isTrue();
                }
            }
        }
    }

    /** No outage loses a result: those of nodes that were never declared dead are accepted. */
    void resultsOfLiveNodesAreAccepted() {
        Set<String> alive = lines(Kind.RESULT).map(Line::node).filter(node -> !nodes.wasKilled(node))
                .filter(node -> nodes.lines()
                        .noneMatch(line -> line.contains("Node " + node) && line.contains("was declared dead")))
                .collect(Collectors.toSet());
        lines(Kind.RESULT).filter(line -> alive.contains(line.node()))
                .filter(line -> !line.detail().equals(FaultHandlers.STUBBORN.name()))
                .forEach(line -> assertThat(accepted(story(line.job()))).as("%s: %s", line, story(line.job()))
                        .extracting(Attempt::number).containsExactly(line.attempt()));
    }

    /** A claim that is released because its answer was lost was never started. */
    void lostClaimsWereNeverStarted() {
        for (JobDetails story : stories.values()) {
            assertThat(story.history()).as("%s", story)
                    .filteredOn(change -> change.reason().equals("its claim never reached the node"))
                    .extracting(HistoryEntry::from).allMatch(JobState.ASSIGNED::equals);
        }
    }

    private boolean hasLapsed(String node) {
        return nodes.lines().anyMatch(line -> line.contains("Node " + node + " stops its "));
    }

    /** The results of nodes that resumed after they had been declared dead are refused. */
    void resultsOfResumedNodesAreRefused(List<Faults.Resumed> resumed) {
        assertThat(resumed).isNotEmpty();
        for (Faults.Resumed one : resumed) {
            int number = one.job().counts().attempt();
            JobDetails story = story(one.job().id().toString());
            assertThat(log).as("its late result").anyMatch(line -> line.kind() == Kind.RESULT
                    && line.job().equals(one.job().id().toString()) && line.attempt() == number);
            assertThat(story.attempts()).as("%s", story).filteredOn(attempt -> attempt.number() == number)
                    .hasSize(1).allMatch(FaultChecks::nodeDied);
            assertThat(stories.values()).allSatisfy(any -> assertThat(any.attempts())
                    .noneMatch(attempt -> attempt.node().equals(one.node()) && attempt.endedAt().isAfter(one.at())));
        }
    }

    /**
     * After the faults every job runs once, even long ones, and every node gets some. Only a node that was delayed
     * for most of a lease even then has released its jobs.
     */
    void allNodesWorkAgain() {
        Map<String, List<String>> starts = lines(Kind.START)
                .filter(line -> line.detail().equals(FaultHandlers.FRESH.name()))
                .collect(Collectors.groupingBy(Line::job, Collectors.mapping(Line::node, Collectors.toList())));
        Set<String> working = starts.values().stream().flatMap(List::stream).collect(Collectors.toSet());
        assertThat(starts).isNotEmpty().allSatisfy((job, ran) -> assertThat(ran.subList(0, ran.size() - 1))
                .as("nodes that did not finish %s", job).allMatch(nodes::lapsedAfterFaults));
        assertThat(working).as("nodes that work").hasSize(this.nodes.alive().size());
    }

    String summary() {
        return stories.size() + " jobs, " + lines(Kind.ACK).count() + " acknowledged submits, "
                + lines(Kind.START).count() + " starts, "
                + stories.values().stream().flatMap(story -> story.attempts().stream())
                        .filter(FaultChecks::nodeDied).count()
                + " attempts whose node died, " + printed(" stops its ") + " lapsed leases, "
                + printed("was declared dead")
                + " rejoined nodes, " + printed("The answer to a claim was lost") + " lost claims, "
                + printed("esult of job") + " late results";
    }

    static boolean nodeDied(Attempt attempt) {
        return attempt.end() == End.NODE_DIED || attempt.end() == End.CRASHED;
    }

    private long printed(String text) {
        return nodes.lines().filter(line -> line.contains(text)).count();
    }
}
