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
import dev.heddle.store.Story;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What must be true after a {@link FaultTest}, from what the nodes wrote down and what the store has. */
final class FaultChecks {

    private static final JsonMapper JSON = new JsonMapper();

    private final List<Line> log;
    private final FaultCrew crew;
    private final Map<String, Story> stories = new LinkedHashMap<>();

    FaultChecks(List<Line> log, FaultCrew crew) {
        this.log = log;
        this.crew = crew;
    }

    private Stream<Line> lines(Kind kind) {
        return log.stream().filter(line -> line.kind() == kind);
    }

    private Story story(String job) {
        return Objects.requireNonNull(stories.get(job), job);
    }

    private static List<Attempt> accepted(Story story) {
        return story.attempts().stream().filter(attempt -> attempt.end() == End.COMPLETED).toList();
    }

    /** Whatever was acknowledged, or ran, is there and has ended as its handler says. */
    void nothingIsLost(PostgresStore store) {
        Stream.concat(lines(Kind.ACK), lines(Kind.START)).map(Line::job).distinct()
                .forEach(id -> stories.put(id, store.story(JobId.of(id))
                        .orElseThrow(() -> new AssertionError("lost: " + id))));
        for (Story story : stories.values()) {
            boolean orphaned = story.job().type().equals(FaultHandlers.CAREFUL.name())
                    && story.job().reason().filter(reason -> reason.startsWith("orphaned")).isPresent();
            boolean dies = orphaned || story.job().type().equals(FaultHandlers.DOOMED.name());
            assertThat(story.job().state()).as("%s", story)
                    .isEqualTo(dies ? JobState.FAILED : JobState.COMPLETED);
        }
    }

    /** A completed job has one completed attempt, its last, and the result is that attempt's. */
    void oneResultIsAccepted() {
        for (Story story : stories.values()) {
            assertThat(story.attempts()).as("%s", story).extracting(Attempt::number).doesNotHaveDuplicates();
            if (story.job().state() != JobState.COMPLETED) {
                assertThat(accepted(story)).as("%s", story).isEmpty();
                continue;
            }
            assertThat(accepted(story)).as("%s", story).hasSize(1);
            Attempt attempt = accepted(story).getFirst();
            assertThat(attempt.number()).as("%s", story).isEqualTo(story.job().counts().attempt());
            assertThat(JSON.readValue(story.job().result().orElseThrow(), Done.class)).as("%s", story)
                    .isEqualTo(new Done(FaultCrew.firstName(attempt.node()), attempt.number()));
        }
    }

    /** Once a step has returned, no later attempt runs it; an earlier one only where its node stood still. */
    void noStepIsRepeated() {
        Map<String, Integer> done = new HashMap<>();
        for (Line line : log) {
            String step = line.job() + " " + line.detail();
            if (line.kind() == Kind.DONE) {
                done.merge(step, line.attempt(), Math::min);
            } else if (line.kind() == Kind.RUN && done.containsKey(step)) {
                assertThat(line.attempt() < done.get(step) && crew.wasStopped(line.node()))
                        .as("%s, but attempt %s had done it", line, done.get(step)).isTrue();
            }
        }
        assertThat(done).isNotEmpty();
    }

    /** An attempt does nothing once the next has started, unless its handler cannot be told or its node stood still. */
    void attemptsDoNotOverlap() {
        Map<String, Integer> latest = new HashMap<>();
        for (Line line : log) {
            if (line.kind() == Kind.START) {
                latest.merge(line.job(), line.attempt(), Math::max);
            } else if ((line.kind() == Kind.RUN || line.kind() == Kind.RESULT)
                    && !line.detail().equals(FaultHandlers.STUBBORN.name())
                    && !crew.wasStopped(line.node())) {
                assertThat(line.attempt()).as("%s, but a later attempt had started", line)
                        .isEqualTo(latest.get(line.job()));
            }
        }
    }

    /** What is not safe to run twice has never come to its end twice. */
    void theCarefulFinishOnce() {
        Set<String> finished = new HashSet<>();
        lines(Kind.RESULT).filter(line -> line.detail().equals(FaultHandlers.CAREFUL.name()))
                .forEach(line -> assertThat(finished.add(line.job())).as("%s, a second time", line).isTrue());
        assertThat(finished).isNotEmpty();
    }

    /** Two jobs of one type and key are never alive at the same time. */
    void keysHoldOneJobEach() {
        Map<String, String> holders = new HashMap<>();
        Set<String> ended = new HashSet<>();
        int keyed = 0;
        for (Line line : log) {
            Story story = story(line.job());
            String key = story.job().type() + " " + story.job().spec().extras().dedupeKey();
            if (story.job().spec().extras().dedupeKey() == null
                    || story.job().state() != JobState.COMPLETED) {
                continue;
            }
            if (line.kind() == Kind.START && !ended.contains(line.job())) {
                keyed++;
                assertThat(holders.getOrDefault(key, line.job()))
                        .as("%s, while another job has its key", line)
                        .isEqualTo(line.job());
                holders.put(key, line.job());
            } else if (line.kind() == Kind.RESULT && line.attempt() == story.job().counts().attempt()) {
                ended.add(line.job());
                holders.remove(key, line.job());
            }
        }
        assertThat(keyed).isPositive();
    }

    /** Nobody is declared dead who was neither killed nor stopped and could reach the server. */
    void onlyTheDeadAreBuried() {
        for (Story story : stories.values()) {
            for (Attempt attempt : story.attempts()) {
                if (attempt.end() == End.CRASHED) {
                    assertThat(crew.wasKilled(attempt.node()) || crew.wasStopped(attempt.node())
                            || hasLapsed(attempt.node())).as("%s, by a node that lived", story).isTrue();
                }
            }
        }
    }

    /** No outage costs a result: what a node comes with that was never declared dead is accepted. */
    void theLivingAreHeard() {
        Set<String> living = lines(Kind.RESULT).map(Line::node).filter(node -> !crew.wasKilled(node))
                .filter(node -> crew.lines()
                        .noneMatch(
                                line -> line.contains("Node " + node) && line.contains("was declared dead")))
                .collect(Collectors.toSet());
        lines(Kind.RESULT).filter(line -> living.contains(line.node()))
                .filter(line -> !line.detail().equals(FaultHandlers.STUBBORN.name()))
                .forEach(line -> assertThat(accepted(story(line.job()))).as("%s: %s", line, story(line.job()))
                        .extracting(Attempt::number).containsExactly(line.attempt()));
    }

    /** Only claims whose answer was lost go back unheard, and those were never started. */
    void whatGoesBackUnheardWasNeverStarted() {
        for (Story story : stories.values()) {
            assertThat(story.history()).as("%s", story)
                    .filteredOn(change -> change.reason().equals("its claim never reached the node"))
                    .extracting(HistoryEntry::from).allMatch(JobState.ASSIGNED::equals);
        }
    }

    private boolean hasLapsed(String node) {
        return crew.lines().anyMatch(line -> line.contains("Node " + node + " stops its "));
    }

    /** What a node came with after it had been declared dead was refused. */
    void theRevivedAreRefused(List<Faults.Revived> revived) {
        assertThat(revived).isNotEmpty();
        for (Faults.Revived one : revived) {
            int number = one.job().counts().attempt();
            Story story = story(one.job().id().toString());
            assertThat(log).as("its result came, late").anyMatch(line -> line.kind() == Kind.RESULT
                    && line.job().equals(one.job().id().toString()) && line.attempt() == number);
            assertThat(story.attempts()).as("%s", story).filteredOn(attempt -> attempt.number() == number)
                    .extracting(Attempt::end).containsExactly(End.CRASHED);
            assertThat(stories.values()).allSatisfy(any -> assertThat(any.attempts())
                    .noneMatch(attempt -> attempt.node().equals(one.node())
                            && attempt.endedAt().isAfter(one.at())));
        }
    }

    /**
     * After the faults every job ran once, the long ones too, and every node had some. A node that was held up for most of a
     * lease even then has let go of its own.
     */
    void allWorkAgain() {
        Map<String, List<String>> starts = lines(Kind.START)
                .filter(line -> line.detail().equals(FaultHandlers.FRESH.name())).collect(Collectors
                        .groupingBy(Line::job, Collectors.mapping(Line::node, Collectors.toList())));
        Set<String> nodes = starts.values().stream().flatMap(List::stream).collect(Collectors.toSet());
        assertThat(starts).isNotEmpty().allSatisfy((job, ran) -> assertThat(ran.subList(0, ran.size() - 1))
                .as("nodes that did not finish %s", job).allMatch(crew::hasLapsedInQuiet));
        assertThat(nodes).as("nodes that work").hasSize(crew.living().size());
    }

    String summary() {
        return stories.size() + " jobs, " + lines(Kind.ACK).count() + " acknowledged submits, "
                + lines(Kind.START).count() + " starts, "
                + stories.values().stream().flatMap(story -> story.attempts().stream())
                        .filter(attempt -> attempt.end() == End.CRASHED).count()
                + " crashed attempts, " + said(" stops its ") + " lapsed leases, "
                + said("was declared dead") + " came back, " + said("A claim never got here")
                + " lost claims, " + said("esult of job") + " late results";
    }

    private long said(String what) {
        return crew.lines().filter(line -> line.contains(what)).count();
    }
}
