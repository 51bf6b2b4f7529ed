package dev.heddle.engine.submit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.env.Environment;
import dev.heddle.pool.PoolClosedException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GroupCommitTest {

    private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();

    @Test
    void commitsALoneCallAtOnceOnTheCallersThread() {
        List<Thread> threads = new ArrayList<>();
        GroupCommit<Integer, Integer> commits = new GroupCommit<>(items -> {
            threads.add(Thread.currentThread());
            return items;
        }, task -> {
            throw new AssertionError("a platform thread needs no helper");
        }, Environment.system());

        assertThat(commits.commit(7)).isEqualTo(7);
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void tellsAVirtualThreadThatThePoolHasClosed() throws Exception {
        GroupCommit<Integer, Integer> commits = new GroupCommit<>(items -> items, _ -> {
            throw new RejectedExecutionException("shut down");
        }, Environment.system());
        FutureTask<Integer> call = new FutureTask<>(() -> commits.commit(7));
        Thread.ofVirtual().start(call);

        assertThatThrownBy(call::get).hasCauseInstanceOf(PoolClosedException.class);
    }

    @Test
    void commitsCallsTogetherThatArriveDuringACommit() throws Exception {
        CountDownLatch firstRuns = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            GroupCommit<Integer, Integer> commits = new GroupCommit<>(items -> {
                batches.add(items);
                if (calls.incrementAndGet() == 1) {
                    firstRuns.countDown();
                    awaitQuietly(goOn);
                }
                return items;
            }, threads, Environment.system());
            List<Future<Integer>> results = new ArrayList<>();
            results.add(threads.submit(() -> commits.commit(0)));
            firstRuns.await();
            AtomicInteger waiting = new AtomicInteger();
            for (int i = 1; i <= 20; i++) {
                int item = i;
                results.add(threads.submit(() -> {
                    waiting.incrementAndGet();
                    return commits.commit(item);
                }));
            }
            while (waiting.get() < 20) {
                Thread.onSpinWait();
            }
            goOn.countDown();
            for (int i = 0; i < results.size(); i++) {
                assertThat(results.get(i).get()).isEqualTo(i);
            }
        }
        assertThat(batches.size()).as("%s", batches).isLessThan(21);
        assertThat(batches.stream().flatMap(List::stream)).hasSize(21).doesNotHaveDuplicates();
    }

    @Test
    void failsOnlyTheBadItemOfABatch() throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            GroupCommit<Integer, Integer> commits = new GroupCommit<>(items -> {
                if (items.contains(13)) {
                    throw new AssertionError("unlucky");
                }
                return items.stream().map(i -> i * 2).toList();
            }, threads, Environment.system());
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                int item = i;
                results.add(callers.submit(() -> commits.commit(item)));
            }
            for (int i = 0; i < 200; i++) {
                if (i == 13) {
                    assertThatThrownBy(results.get(i)::get).hasRootCauseMessage("unlucky");
                } else {
                    assertThat(results.get(i).get()).isEqualTo(i * 2);
                }
            }
        }
    }

    @Test
    void commitsForAnInterruptedCallerAndKeepsItsInterrupt() {
        GroupCommit<Integer, Integer> commits = new GroupCommit<>(items -> items, Runnable::run, Environment.system());
        Thread.currentThread().interrupt();

        assertThat(commits.commit(1)).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
