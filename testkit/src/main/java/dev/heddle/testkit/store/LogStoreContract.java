package dev.heddle.testkit.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.Transition;
import dev.heddle.log.LogChunk;
import dev.heddle.log.LogLine;
import dev.heddle.log.LogPosition;
import dev.heddle.log.LogStore;
import dev.heddle.log.LogStore.Append;
import dev.heddle.log.LogStream;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Retention;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

import static org.assertj.core.api.Assertions.assertThat;

/** Logs of attempts: stored in chunks under the fence of their attempt, and deleted with their job. */
abstract class LogStoreContract extends StoreFixture {

    private static final Instant WRITTEN = Instant.parse("2026-03-01T12:00:00.123Z");

    LogStoreContract(StoreContract contract) {
        super(contract);
    }

    private LogStore logs() {
        return capability(LogStore.class);
    }

    private static LogLine line(int attempt, long number, String text) {
        return new LogLine(attempt, number, WRITTEN.plusMillis(number), Level.INFO, LogStream.LOG, text);
    }

    private static LogChunk chunk(int attempt, long first, long last) {
        return new LogChunk(attempt,
                LongStream.rangeClosed(first, last).mapToObj(number -> line(attempt, number, "line " + number))
                        .toList(),
                false);
    }

    private static Append append(Fence fence, long first, long last) {
        return new Append(fence, chunk(fence.attempt(), first, last));
    }

    private boolean append(Append append) {
        List<Boolean> stored = logs().append(List.of(append));
        assertThat(stored).hasSize(1);
        return stored.getFirst();
    }

    private List<LogChunk> read(long seq) {
        return logs().chunks(seq, LogPosition.START, 100);
    }

    @Test
    void keepsWhatWasLogged() {
        Fence fence = running(JobDraft.of("mail"));
        LogChunk chunk = new LogChunk(1,
                List.of(line(1, 1, "first"),
                        new LogLine(1, 2, WRITTEN.minusSeconds(9), Level.ERROR, LogStream.STDERR,
                                "\u001b[31mred\0\u0007"),
                        new LogLine(1, 900, WRITTEN.plus(Duration.ofDays(400)), Level.TRACE, LogStream.STDOUT, ""),
                        new LogLine(1, 901, WRITTEN, Level.WARN, LogStream.LOG, "ü\n\tat 😀\r\n"),
                        new LogLine(1, 902, WRITTEN, Level.DEBUG, LogStream.LOG, "x".repeat(40_000))),
                true);

        assertThat(append(new Append(fence, chunk))).isTrue();
        assertThat(read(fence.seq())).containsExactly(chunk);
        restart(at(5));
        assertThat(read(fence.seq())).containsExactly(chunk);
        assertThat(read(fence.seq() + 1)).isEmpty();
    }

    @Test
    void readsChunksFromAPosition() {
        Fence fence = running(JobDraft.of("mail"));
        logs().append(List.of(append(fence, 1, 3), append(fence, 4, 6), append(fence, 9, 9)));

        assertThat(logs().chunks(fence.seq(), new LogPosition(1, 4), 9)).containsExactly(chunk(1, 4, 6),
                chunk(1, 9, 9));
        assertThat(logs().chunks(fence.seq(), new LogPosition(1, 6), 1)).containsExactly(chunk(1, 4, 6));
        assertThat(logs().chunks(fence.seq(), new LogPosition(1, 7), 9)).containsExactly(chunk(1, 9, 9));
        assertThat(logs().chunks(fence.seq(), new LogPosition(1, 10), 9)).isEmpty();
        assertThat(logs().chunks(fence.seq(), new LogPosition(0, 99), 1)).containsExactly(chunk(1, 1, 3));
    }

    @Test
    void replacesAChunkThatIsStoredAgain() {
        Fence fence = running(JobDraft.of("mail"));
        assertThat(append(append(fence, 1, 3))).isTrue();
        assertThat(append(append(fence, 1, 3))).isTrue();
        assertThat(read(fence.seq())).containsExactly(chunk(1, 1, 3));
    }

    @Test
    void deletesTheChunksThatAnotherDisplaces() {
        Fence fence = running(JobDraft.of("mail"));
        logs().append(List.of(append(fence, 1, 2), append(fence, 3, 4), append(fence, 5, 6), append(fence, 7, 8)));

        assertThat(append(new Append(fence, chunk(1, 9, 9), 2, 6))).isTrue();

        assertThat(read(fence.seq())).containsExactly(chunk(1, 1, 2), chunk(1, 7, 8), chunk(1, 9, 9));
    }

    @Test
    void refusesChunksOfAnotherAttemptOrNode() {
        Fence fence = running(JobDraft.of("mail"));
        assertThat(logs().append(List.of(append(new Fence(fence.seq(), 1, NEXT_NODE), 1, 1),
                append(new Fence(fence.seq(), 2, NODE), 1, 1), append(new Fence(fence.seq() + 9, 1, NODE), 1, 1),
                append(fence, 1, 1), append(new Fence(fence.seq(), 0, NODE), 1, 1))))
                .containsExactly(false, false, false, true, false);
        assertThat(read(fence.seq())).containsExactly(chunk(1, 1, 1));
    }

    @Test
    void aRefusedChunkDisplacesNothing() {
        Fence fence = running(JobDraft.of("mail"));
        logs().append(List.of(append(fence, 1, 2), append(fence, 3, 4)));
        assertThat(append(new Append(new Fence(fence.seq(), 1, NEXT_NODE), chunk(1, 5, 5), 0, 4))).isFalse();
        assertThat(read(fence.seq())).hasSize(2);
    }

    @Test
    void storesTheLastLinesOfAnAttemptAfterItHasEnded() {
        for (Change end : List.of(completion(running(JobDraft.of("a"))), death(running(JobDraft.of("b"))),
                ended(running(JobDraft.of("c")), Attempt.End.FAILED, retry(at(10), "Retry 1/2")),
                ended(running(JobDraft.of("d")), Attempt.End.CRASHED, new Transition.Fail("System.exit")),
                new Change.Released(running(JobDraft.of("e")), "closing", at(2)))) {
            applied(end);
            boolean recorded = !(end instanceof Change.Released);
            assertThat(append(append(end.fence(), 1, 2))).as("after " + end).isEqualTo(recorded);
        }
    }

    @Test
    void storesTheLastLinesOfACancelledAttempt() {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        store.execute(cancel(draft.id(), at(2)));
        assertThat(append(append(fence, 1, 1))).isTrue();
        apply(ended(fence, Attempt.End.CANCELLED, new Transition.Cancel("told to stop")));
        assertThat(append(append(fence, 2, 2))).isTrue();
        assertThat(read(fence.seq())).hasSize(2);
    }

    @Test
    void storesTheLastLinesOfAnAttemptWhileTheNextOneRuns() {
        JobDraft draft = JobDraft.of("mail");
        Fence first = running(draft);
        applied(ended(first, Attempt.End.FAILED, retry(at(10), "Retry 1/2")));
        Fence second = start(claimAgain(draft.id(), at(10)));

        assertThat(append(append(second, 1, 4))).isTrue();
        assertThat(append(append(first, 1, 2))).isTrue();

        assertThat(read(first.seq())).containsExactly(chunk(1, 1, 2), chunk(2, 1, 4));
        assertThat(logs().chunks(first.seq(), new LogPosition(1, 3), 9)).containsExactly(chunk(2, 1, 4));
    }

    @Test
    void refusesTheLinesOfAnAttemptThatLostItsNode() {
        JobDraft draft = JobDraft.of("mail");
        Fence lost = running(draft);
        append(append(lost, 1, 1));
        crash(retry(T0, "node died"), false, at(10));

        assertThat(append(append(lost, 2, 2))).isFalse();
        Fence next = start(claimAgain(draft.id(), at(11)));
        assertThat(append(append(lost, 2, 2))).isFalse();
        assertThat(append(append(next, 1, 1))).isTrue();

        assertThat(read(lost.seq())).containsExactly(chunk(1, 1, 1), chunk(2, 1, 1));
    }

    @Test
    void refusesTheLinesOfAnAttemptThatCrashedItsNode() {
        Fence lost = running(JobDraft.of("mail"));
        crash(new Transition.Fail("poison"), true, at(10));
        assertThat(append(append(lost, 1, 1))).isFalse();
    }

    @Test
    void deletesLogsWithTheirJob() {
        JobDraft kept = JobDraft.of("mail");
        Fence keptFence = running(kept);
        append(append(keptFence, 1, 1));
        JobDraft deleted = JobDraft.of("fax");
        Fence fence = running(deleted);
        append(append(fence, 1, 1));
        applied(completion(fence));

        store.execute(new AdminCommand.Delete(deleted.id(), ACTOR, at(3)));

        assertThat(read(fence.seq())).isEmpty();
        assertThat(append(append(fence, 2, 2))).as("a late chunk").isFalse();
        assertThat(read(keptFence.seq())).hasSize(1);
    }

    @Test
    void deletesLogsOfPrunedAndPurgedJobs() {
        Fence pruned = running(JobDraft.of("build"));
        Fence purged = running(JobDraft.of("build"));
        append(append(pruned, 1, 1));
        append(append(purged, 1, 1));
        applied(completion(pruned));
        applied(death(purged));

        Retention standard = Retention.standard();
        assertThat(store.prune(standard, at(3).plus(standard.age()))).isEqualTo(1);
        assertThat(read(pruned.seq())).isEmpty();
        assertThat(read(purged.seq())).hasSize(1);
        store.execute(new AdminCommand.PurgeMatching(JobQuery.all(), ACTOR, at(4)));
        assertThat(read(purged.seq())).isEmpty();
        assertThat(logs().append(List.of(append(pruned, 2, 2), append(purged, 2, 2)))).containsOnly(false);
    }

    @Test
    void keepsTheLogsOfTheLastRunsOfAJobThatRunsAgainAndAgain() {
        JobDraft draft = JobDraft.of("poll");
        insert(draft);
        int runs = Transition.Reschedule.KEPT_ATTEMPTS + 3;
        for (int run = 1; run <= runs; run++) {
            Fence fence = start(claimAgain(draft.id(), at(run * 10L)));
            append(append(fence, 1, 1));
            applied(ended(fence, Attempt.End.RESCHEDULED,
                    new Transition.Reschedule(new Start.AtOnce(), null), at(run * 10L + 1)));
        }
        assertThat(read(job(draft.id()).seq())).extracting(LogChunk::attempt)
                .containsExactlyElementsOf(IntStream.rangeClosed(4, runs).boxed().toList());
    }

    @Test
    void storesManyChunksAtOnce() {
        Fence fence = running(JobDraft.of("mail"));
        List<Append> many = LongStream.rangeClosed(1, 2_500).mapToObj(number -> append(fence, number, number)).toList();
        assertThat(logs().append(many)).hasSize(2_500).containsOnly(true);
        assertThat(logs().chunks(fence.seq(), LogPosition.START, 5_000)).hasSize(2_500);
        assertThat(logs().append(List.of())).isEmpty();
    }
}
