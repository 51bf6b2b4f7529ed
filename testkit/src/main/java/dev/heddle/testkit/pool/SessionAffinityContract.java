package dev.heddle.testkit.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.heddle.job.Affinity;
import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.SessionStore;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.Store;
import dev.heddle.testkit.StoreCapabilities;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The jobs of a session run on one worker or fail clearly. Here workers are threads, which have ids like all workers.
 */
abstract class SessionAffinityContract extends PoolFixture {

    private static final JobType<Note, String> CHAT = NOTE.group("chat");

    private static final JobType<Note, String> MAIL = JobType.of("mail", Note.class, String.class).group("mail");

    private final Map<String, Set<String>> workersOf = new ConcurrentHashMap<>();
    private final Set<JobId> failed = ConcurrentHashMap.newKeySet();
    private final CountDownLatch gate = new CountDownLatch(1);

    SessionAffinityContract(PoolContract contract) {
        super(contract);
    }

    private PoolBuilder chat(Affinity affinity, int workers) {
        return chat(quick(Pool.on(newStoreWith(SessionStore.class))), affinity, workers);
    }

    /** The note "hold" waits for the gate, "stuck" never returns, "fail once" fails at first; others return at once. */
    private PoolBuilder chat(PoolBuilder builder, Affinity affinity, int workers) {
        return steered(builder).group("chat", workers).register(CHAT.affinity(affinity), (note, job) -> {
            workersOf.computeIfAbsent(job.session().orElse(""), _ -> ConcurrentHashMap.newKeySet()).add(job.worker());
            switch (note.text()) {
                case "hold" -> gate.await();
                case "fail once" -> {
                    if (failed.add(job.id())) {
                        throw JobException.transientFailure("as asked");
                    }
                }
                case "stuck" -> {
                    while (true) {
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            // A stuck handler ignores interrupts.
                        }
                    }
                }
                default -> {
                }
            }
            return job.worker();
        });
    }

    private JobHandle<String> submit(String session, String text) {
        return pool().session(session).submit(CHAT, new Note(text));
    }

    private void awaitRunning(JobHandle<?> handle) {
        await().until(() -> state(handle) == JobState.RUNNING);
    }

    @Test
    void keepsEachSessionOnItsWorkerAndSpreadsSessions() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 4));
        for (int i = 0; i < 20; i++) {
            submit("s" + i, "hello").await(LONG);
        }
        for (int round = 0; round < 4; round++) {
            List<JobHandle<String>> handles = IntStream.range(0, 20).mapToObj(i -> submit("s" + i, "hello")).toList();
            for (JobHandle<String> handle : handles) {
                handle.await(LONG);
            }
        }
        assertThat(workersOf).hasSize(20).allSatisfy((session, workers) -> assertThat(workers).hasSize(1));
        assertThat(pool().admin().sessions(100)).extracting(Binding::worker).doesNotContainNull();
        assertThat(pool().admin().workers().stream().filter(worker -> worker.group().equals("chat")))
                .allSatisfy(worker -> assertThat(worker.facts()).containsEntry("sessions", "5"));
    }

    @Test
    void letsAJobWaitForItsWorkerWhileOthersAreIdle() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 2));
        JobHandle<String> first = submit("anna", "hold");
        awaitRunning(first);
        List<JobHandle<String>> waiting = IntStream.range(0, 50).mapToObj(i -> submit("anna", "hello")).toList();
        String other = submit("bert", "hello").await(LONG);
        assertThat(submit("bert", "hello").await(LONG)).as("other sessions do not wait").isEqualTo(other);
        assertThat(waiting).noneMatch(handle -> state(handle) == JobState.COMPLETED);
        gate.countDown();
        String annas = first.await(LONG);
        assertThat(annas).isNotEqualTo(other);
        for (JobHandle<String> handle : waiting) {
            assertThat(handle.await(LONG)).isEqualTo(annas);
        }
    }

    @Test
    void failsAtOnceIfTheWorkerIsBusyAndWaitingIsDisabled() throws Exception {
        open(chat(Affinity.STRICT_FAIL, 2));
        JobHandle<String> first = submit("anna", "hold");
        awaitRunning(first);
        Job refused = end(submit("anna", "hello"));
        assertThat(refused.state()).isEqualTo(JobState.FAILED);
        assertThat(refused.status().reason()).contains("SessionBusy: session 'anna', job type 'note'");
        gate.countDown();
        String annas = first.await(LONG);
        for (int i = 0; i < 100; i++) {
            assertThat(submit("anna", "hello").await(LONG)).as("consecutive calls succeed").isEqualTo(annas);
        }
    }

    @Test
    void bindsANewSessionToAnIdleWorker() throws Exception {
        open(chat(Affinity.STRICT_FAIL, 2));
        JobHandle<String> first = submit("anna", "hold");
        awaitRunning(first);
        List<String> others = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            others.add(submit("s" + i, "hello").await(LONG));
        }
        gate.countDown();
        assertThat(others).doesNotContain(first.await(LONG));
    }

    @Test
    void movesToAnotherWorkerIfTheSessionIsOnlyAHint() throws Exception {
        open(chat(Affinity.HINT, 2));
        String annas = submit("anna", "hello").await(LONG);
        assertThat(submit("anna", "hello").await(LONG)).isEqualTo(annas);
        JobHandle<String> first = submit("anna", "hold");
        awaitRunning(first);
        assertThat(submit("anna", "hello").await(LONG)).isNotEqualTo(annas);
        gate.countDown();
        assertThat(first.await(LONG)).isEqualTo(annas);
    }

    @Test
    void losesASessionWithItsWorkerAndRebindsItOnTheNextSubmit() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 2));
        JobHandle<String> stuck = submit("anna", "stuck");
        awaitRunning(stuck);
        List<JobHandle<String>> waiting = IntStream.range(0, 30).mapToObj(i -> submit("anna", "hello")).toList();
        pool().admin().cancel(stuck.id(), "enough");
        for (JobHandle<String> handle : waiting) {
            // The worker is replaced a little after the cancel, by the manual clock. Advance it in small steps, or the
            // waiting jobs would time out first.
            await().until(() -> {
                clock.advance(Duration.ofMillis(1));
                return state(handle) == JobState.FAILED;
            });
            Job lost = end(handle);
            assertThat(lost.status().reason())
                    .contains("SessionLost: session 'anna', job type 'note': its worker is gone");
        }
        assertThat(workersOf.get("anna")).as("no job ran on another worker").hasSize(1);
        String lostWorker = workersOf.getOrDefault("anna", Set.of()).iterator().next();
        assertThat(submit("anna", "hello").await(LONG)).isNotEqualTo(lostWorker);
    }

    @Test
    void appliesOneDeadlineToWaitingAndRunning() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 1));
        JobHandle<String> first = pool().session("anna")
                .submit(CHAT.with(new Note("hold")).timeout(Duration.ofHours(1)));
        awaitRunning(first);
        AtomicInteger routed = new AtomicInteger();
        pool().observe(event -> {
            if (event instanceof PoolEvent.OfWorker(WorkerEvent.Routed _)) {
                routed.incrementAndGet();
            }
        });
        JobHandle<String> waiting = submit("anna", "hello");
        JobHandle<String> patient = pool().session("anna")
                .submit(CHAT.with(new Note("hello")).timeout(Duration.ofMinutes(5)));
        // The time that a claim takes does not count, so both claims must have ended.
        await().until(() -> routed.get() >= 2);
        clock.advance(Duration.ofSeconds(61));
        Job late = end(waiting);
        assertThat(late.state()).isEqualTo(JobState.FAILED);
        assertThat(late.status().reason())
                .contains("SessionTimeout: session 'anna', job type 'note': not done within 1m of its submission");
        gate.countDown();
        assertThat(patient.await(LONG)).isEqualTo(first.await(LONG));
    }

    @Test
    void expiresAnIdleSession() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 2));
        submit("anna", "hello").await(LONG);
        submit("bert", "hello").await(LONG);
        assertThat(pool().admin().sessions(10)).hasSize(2);
        for (int minute = 0; minute < 4; minute++) {
            clock.advance(Duration.ofMinutes(1));
            submit("anna", "hello").await(LONG);
        }
        // The sweeper runs once a minute and looks at the uses since its last run.
        await().untilAsserted(() -> {
            clock.advance(Duration.ofSeconds(61));
            submit("anna", "hello").await(LONG);
            assertThat(pool().admin().sessions(10)).extracting(Binding::session).containsExactly("anna");
        });
    }

    @Test
    void dropsASessionOnRequest() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 2));
        submit("anna", "hello").await(LONG);
        assertThat(pool().admin().dropSession("anna")).isTrue();
        assertThat(pool().admin().dropSession("anna")).isFalse();
        assertThat(pool().admin().dropSession("nobody")).isFalse();
        submit("anna", "hello").await(LONG);
        assertThat(pool().admin().sessions(10)).extracting(Binding::session).containsExactly("anna");
    }

    @Test
    void failsJobsThatWaitForADroppedSession() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 2));
        JobHandle<String> first = submit("anna", "hold");
        awaitRunning(first);
        List<JobHandle<String>> waiting = IntStream.range(0, 30).mapToObj(i -> submit("anna", "hello")).toList();
        JobHandle<String> other = submit("bert", "hello");
        assertThat(pool().admin().dropSession("anna")).isTrue();
        for (JobHandle<String> handle : waiting) {
            assertThat(end(handle).status().reason()).endsWith("SessionLost: session 'anna', job type 'note': "
                    + "it was dropped; submit again to start a new session");
        }
        gate.countDown();
        assertThat(first.await(LONG)).as("the running job is not affected").isNotEmpty();
        assertThat(other.await(LONG)).isNotEmpty();
        assertThat(submit("anna", "hello").await(LONG)).isNotEmpty();
    }

    @Test
    void noticesWithinAMinuteThatAnotherNodeEndedASession() throws Exception {
        Store store = newStoreWith(SessionStore.class);
        open(chat(quick(Pool.on(store)), Affinity.STRICT_QUEUE, 2));
        submit("anna", "hello").await(LONG);
        StoreCapabilities.require(store, SessionStore.class).release(new SessionStore.Release.OfSession("anna"));
        clock.advance(Duration.ofSeconds(61));
        await().until(() -> {
            submit("anna", "hello").await(LONG);
            return pool().admin().sessions(10).getFirst().worker() != null;
        });
    }

    @Test
    void refusesAJobThatIsDueOnlyAfterItsDeadline() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 1));
        assertThatThrownBy(
                () -> pool().session("anna").submit(CHAT.with(new Note("hello")).delay(Duration.ofSeconds(60))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a job with a session must end within 1m of its submission, and this one is"
                        + " due only later; give it a longer timeout");
        JobHandle<String> later = pool().session("anna")
                .submit(CHAT.with(new Note("hello")).delay(Duration.ofSeconds(60)).timeout(Duration.ofSeconds(90)));
        clock.advance(Duration.ofSeconds(60));
        assertThat(later.await(LONG)).isNotEmpty();
    }

    @Test
    void retriesAJobThatWasParkedInTheStore() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 2));
        JobHandle<String> first = submit("anna", "hold");
        awaitRunning(first);
        List<JobHandle<String>> waiting = IntStream.range(0, 40).mapToObj(i -> submit("anna", "fail once")).toList();
        gate.countDown();
        String annas = first.await(LONG);
        for (JobHandle<String> handle : waiting) {
            assertThat(handle.await(LONG)).isEqualTo(annas);
        }
    }

    @Test
    void runsAJobThatWasPausedWhileParked() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 2));
        JobHandle<String> first = submit("anna", "hold");
        awaitRunning(first);
        List<JobHandle<String>> waiting = IntStream.range(0, 40).mapToObj(i -> submit("anna", "hello")).toList();
        JobHandle<String> last = waiting.getLast();
        // Pausing fails while the job is being parked.
        await().ignoreExceptions().untilAsserted(() -> pool().admin().pause(last.id(), "later"));
        gate.countDown();
        for (JobHandle<String> handle : waiting.subList(0, 39)) {
            handle.await(LONG);
        }
        pool().admin().resume(last.id());
        assertThat(last.await(LONG)).isEqualTo(first.await(LONG));
    }

    @Test
    void doesNotAffectJobsWithoutASession() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 2));
        for (int i = 0; i < 50; i++) {
            pool().submit(CHAT, new Note("hello")).await(LONG);
        }
        assertThat(pool().admin().sessions(10)).isEmpty();
    }

    /** Opens two groups with their own workers; one sweeper serves the sessions of both. */
    private PoolBuilder chatAndMail() {
        return chat(Affinity.STRICT_QUEUE, 1).group("mail", 1).register(MAIL.affinity(Affinity.STRICT_QUEUE),
                (note, job) -> {
                    if (note.text().equals("hold")) {
                        gate.await();
                    }
                    return job.worker();
                });
    }

    private Map<String, String> sessionsOfWorkers() {
        return pool().admin().workers().stream().filter(worker -> worker.facts().containsKey("sessions"))
                .collect(Collectors.toMap(WorkerSnapshot::group, worker -> worker.facts().get("sessions")));
    }

    @Test
    void tracksTheSessionsOfEachWorkerGroup() throws Exception {
        open(chatAndMail());
        submit("anna", "hello").await(LONG);
        pool().session("anna").submit(MAIL, new Note("hello")).await(LONG);
        assertThat(sessionsOfWorkers()).containsEntry("chat", "1").containsEntry("mail", "1");
        await().untilAsserted(() -> {
            clock.advance(Duration.ofSeconds(61));
            pool().session("anna").submit(MAIL, new Note("hello")).await(LONG);
            assertThat(sessionsOfWorkers()).containsEntry("chat", "0").containsEntry("mail", "1");
        });
        assertThat(pool().admin().sessions(10)).extracting(Binding::type).containsExactly("mail");
    }

    @Test
    void dropsASessionInEveryWorkerGroup() throws Exception {
        open(chatAndMail());
        submit("anna", "hello").await(LONG);
        JobHandle<String> running = pool().session("anna").submit(MAIL, new Note("hold"));
        awaitRunning(running);
        JobHandle<String> waiting = pool().session("anna").submit(MAIL, new Note("hello"));

        assertThat(pool().admin().dropSession("anna")).isTrue();

        assertThat(end(waiting).status().reason()).contains("SessionLost: session 'anna'").contains("it was dropped");
        gate.countDown();
        running.await(LONG);
        assertThat(sessionsOfWorkers()).containsEntry("chat", "0").containsEntry("mail", "0");
    }

    @Test
    void keepsASessionWhoseJobRanLongerThanTheIdleLimit() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 1));
        JobHandle<String> slow = pool().session("anna")
                .submit(CHAT.with(new Note("hold")).timeout(Duration.ofHours(1)));
        awaitRunning(slow);
        clock.advance(Duration.ofMinutes(10));
        Instant ended = clock.instant();
        gate.countDown();
        slow.await(LONG);
        await().until(() -> pool().admin().workers().stream().filter(worker -> worker.group().equals("chat"))
                .allMatch(worker -> worker.state() == WorkerState.READY));
        clock.advance(Duration.ofSeconds(61));

        // From here on the sweeper has run.
        await().until(
                () -> pool().admin().sessions(10).stream().noneMatch(session -> session.usedAt().isBefore(ended)));
        assertThat(pool().admin().sessions(10)).extracting(Binding::session).containsExactly("anna");
    }

    @Test
    void failsARunningJobPermanentlyAtItsDeadline() throws Exception {
        open(chat(Affinity.STRICT_QUEUE, 1));
        JobHandle<String> running = submit("anna", "hold");
        awaitRunning(running);

        clock.advance(Duration.ofSeconds(61));

        // The manual clock has to pass the grace after the cancellation and after the interrupt.
        await().until(() -> {
            clock.advance(Duration.ofMillis(20));
            return state(running) == JobState.FAILED;
        });
        Job late = end(running);
        assertThat(late.counts().attempt()).isEqualTo(1);
        assertThat(late.status().reason())
                .contains("SessionTimeout: session 'anna', job type 'note': not done within 1m of its submission");
    }
}
