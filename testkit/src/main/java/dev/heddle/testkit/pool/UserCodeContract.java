package dev.heddle.testkit.pool;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.Gate;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.JobListener;
import dev.heddle.testkit.Torture;
import dev.heddle.worker.WorkerState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Callbacks of the application throw whatever they like, and interrupt their thread: every job still ends. */
abstract class UserCodeContract extends PoolFixture {

    private static final int JOBS = 120;
    private static final JobType<Note, String> FOLLOW_UP = JobType.of("follow-up", Note.class, String.class);

    private enum Callback {
        OBSERVER, HOLD_REASON, HELD_TAGS, BEFORE_START, ON_COMPLETED, ON_FAILED, ON_DEAD, SEQUEL, ON_CANCEL, COMPLETION
    }

    private static final List<Supplier<Throwable>> FAULTS = List.of(() -> new IllegalStateException("made up"),
            () -> new AssertionError("made up"), StackOverflowError::new, () -> new OutOfMemoryError("made up"),
            () -> new NoClassDefFoundError("made/Up"), () -> new IOException("undeclared"),
            () -> new InterruptedException("undeclared"), Unspeakable::new);

    /** An exception that cannot even be logged. */
    private static final class Unspeakable extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    private final Thread test = Thread.currentThread();
    private final Random random = Torture.random("callbacks that throw");
    private final Set<Callback> thrown = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();

    UserCodeContract(PoolContract contract) {
        super(contract);
    }

    /** Throws one time in three, or leaves the thread interrupted, unless it is the test's own. */
    private void maybeThrow(Callback at) {
        int choice;
        synchronized (random) {
            choice = random.nextInt(3 * (FAULTS.size() + 1));
        }
        if (choice < FAULTS.size()) {
            thrown.add(at);
            throw sneaky(FAULTS.get(choice).get());
        } else if (choice == FAULTS.size() && !test.equals(Thread.currentThread())) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> RuntimeException sneaky(Throwable any) throws T {
        throw (T) any;
    }

    private final class Handler implements JobHandler<Note, String> {
        @Override
        public String handle(Note note, JobContext job) throws Exception {
            if (Thread.currentThread().isInterrupted()) {
                violations.add("the handler of " + note.text() + " starts interrupted");
            }
            return switch (note.text()) {
                case "bad" -> throw JobException.permanent("bad");
                case "flaky" -> {
                    if (job.attempt() == 1) {
                        throw JobException.transientFailure("flaky");
                    }
                    yield "ok";
                }
                case "endless" -> {
                    CountDownLatch told = new CountDownLatch(1);
                    job.cancellation().onCancel(() -> maybeThrow(Callback.ON_CANCEL));
                    job.cancellation().onCancel(told::countDown);
                    if (!told.await(LONG.toSeconds(), TimeUnit.SECONDS)) {
                        violations.add("a cancelled handler was not told");
                    }
                    job.cancellation().throwIfCancelled();
                    yield "not told";
                }
                default -> "ok";
            };
        }

        @Override
        public void onDead(Job job) {
            maybeThrow(Callback.ON_DEAD);
        }
    }

    private final class Listener implements JobListener {
        @Override
        public void onCompleted(Job job, @Nullable String result) {
            maybeThrow(Callback.ON_COMPLETED);
        }

        @Override
        public void onFailed(Job job, Failure failure) {
            maybeThrow(Callback.ON_FAILED);
        }
    }

    private final class ThrowingGate implements Gate {
        @Override
        public Optional<String> holdReason(String type) {
            maybeThrow(Callback.HOLD_REASON);
            return Optional.empty();
        }

        @Override
        public Map<String, String> heldTags(String type) {
            maybeThrow(Callback.HELD_TAGS);
            return Map.of();
        }

        @Override
        public void beforeStart(String type) {
            maybeThrow(Callback.BEFORE_START);
        }
    }

    private List<JobRequest<Note, String>> followUp(Job ended) {
        maybeThrow(Callback.SEQUEL);
        return List.of(FOLLOW_UP.with(new Note("after " + ended.id())));
    }

    @Test
    void endsEveryJobWhateverCallbacksThrow() throws Exception {
        open(builder().workers(4).gate(new ThrowingGate()).listener(new Listener()).then(NOTE, this::followUp)
                .register(NOTE, new Handler()).register(FOLLOW_UP, (note, job) -> "followed"));
        pool().observe(_ -> maybeThrow(Callback.OBSERVER));

        List<JobHandle<String>> handles = new ArrayList<>();
        List<CompletableFuture<Void>> dependents = new ArrayList<>();
        for (int i = 0; i < JOBS || (thrown.size() < Callback.values().length && i < 50 * JOBS); i++) {
            String kind = List.of("ok", "bad", "flaky", "endless").get(i % 4);
            JobHandle<String> handle = submit(kind);
            dependents.add(handle.completion().thenRun(() -> maybeThrow(Callback.COMPLETION)));
            if (kind.equals("endless")) {
                await().until(() -> state(handle) == JobState.RUNNING);
                handle.cancel("enough");
                end(handle);
            }
            handles.add(handle);
        }

        for (int i = 0; i < handles.size(); i++) {
            assertThat(end(handles.get(i)).state()).isEqualTo(List
                    .of(JobState.COMPLETED, JobState.FAILED, JobState.COMPLETED, JobState.CANCELLED).get(i % 4));
        }
        assertThat(pool().awaitIdle(LONG)).isTrue();
        await().until(() -> dependents.stream().allMatch(CompletableFuture::isDone));
        assertThat(violations).isEmpty();
        assertThat(thrown).containsExactlyInAnyOrderElementsOf(EnumSet.allOf(Callback.class));
        await().untilAsserted(() -> assertThat(pool().admin().workers()).hasSize(4)
                .allMatch(worker -> worker.state() == WorkerState.READY));
        assertThat(pool().admin().problem()).isEmpty();
    }

    @Test
    void survivesGatesThatAnswerNothingSensible() throws Exception {
        open(builder().gate(new Gate() {
            @Override
            @SuppressWarnings({"NullAway", "NullOptional"})
            public Optional<String> holdReason(String type) {
                return null;
            }

            @Override
            @SuppressWarnings("NullAway")
            public Map<String, String> heldTags(String type) {
                return null;
            }
        }).register(NOTE, (note, job) -> "ok"));

        assertThat(submit("x").await(LONG)).isEqualTo("ok");
        assertThat(logged()).anyMatch(line -> line.contains("A gate failed"));
    }

    @Test
    void letsCompletionsWaitForOtherJobs() throws Exception {
        open((note, job) -> "ok");
        var second = submit("first").completion().thenApply(_ -> {
            JobHandle<String> next = submit("second");
            return end(next).state();
        });

        assertThat(second.get(LONG.toSeconds(), TimeUnit.SECONDS)).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void keepsTheFuturesOfCallersApart() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        open((note, job) -> {
            go.await();
            return "ok";
        });
        JobHandle<String> handle = submit("x");
        var cancelled = handle.completion();
        var kept = handle.completion();
        cancelled.cancel(true);
        go.countDown();

        assertThat(kept.get(LONG.toSeconds(), TimeUnit.SECONDS).state()).isEqualTo(JobState.COMPLETED);
        assertThat(Arrays.asList(cancelled.isCancelled(), handle.await(LONG))).containsExactly(true, "ok");
    }
}
