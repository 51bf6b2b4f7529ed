package dev.heddle.testkit.pool;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobState;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.JobListener;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.pool.PoolEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Notifications: listeners, observers, futures and the log. */
abstract class NotificationContract extends PoolFixture {

    NotificationContract(PoolContract contract) {
        super(contract);
    }

    @Test
    void callsListenersAfterTheCommitOnTheThreadOfTheWorker() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        open(steered(builder()).listener(new JobListener() {
            @Override
            public void onCompleted(Job job, @Nullable String result) {
                events.add("completed " + result + " stored as " + state(job.id()) + " on "
                        + Thread.currentThread().getName().startsWith("heddle-default"));
            }

            @Override
            public void onFailed(Job job, Failure failure) {
                events.add("failed " + failure.message() + " now " + job.state() + " stored as " + state(job.id())
                        + " failures " + job.counts().failures());
            }
        }).register(NOTE, (note, job) -> {
            if (job.attempt() == 1) {
                throw JobException.transientFailure("first");
            }
            return "ok";
        }).retry(RetryPolicy.linear(1, Duration.ofSeconds(1))));
        JobHandle<String> handle = submit("x");
        await().until(() -> events.size() == 1);
        clock.advance(Duration.ofSeconds(1));
        handle.await(LONG);
        await().until(() -> events.size() == 2);

        assertThat(events).containsExactly("failed first now SCHEDULED stored as SCHEDULED failures 1",
                "completed \"ok\" stored as COMPLETED on true");
    }

    @Test
    void survivesAListenerThatThrows() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        open(builder().listener(new JobListener() {
            @Override
            public void onCompleted(Job job, @Nullable String result) {
                throw new IllegalStateException("listener");
            }
        }).listener(new JobListener() {
            @Override
            public void onCompleted(Job job, @Nullable String result) {
                events.add("second listener");
            }
        }).register(NOTE, (note, job) -> "ok"));

        assertThat(submit("x").await(LONG)).isEqualTo("ok");
        assertThat(submit("y").await(LONG)).isEqualTo("ok");
        await().until(() -> events.size() == 2);
        assertThat(logged()).anyMatch(line -> line.contains("Listener failed"));
    }

    @Test
    void completesTheFutureHoweverTheJobEnds() throws Exception {
        open((note, job) -> {
            if (note.text().equals("bad")) {
                throw JobException.permanent("bad");
            }
            return "ok";
        });

        assertThat(submit("good").completion().get().state()).isEqualTo(JobState.COMPLETED);
        assertThat(submit("bad").completion().get().state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void failsPendingFuturesOnClose() {
        open(builder());
        var future = submit("never runs").completion();
        pool().close();

        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(PoolClosedException.class);
    }

    @Test
    void logsFailuresWithStructuredFields() {
        open((note, job) -> {
            throw new IOException("down");
        });
        JobHandle<String> handle = submit("x");
        end(handle);

        // A caller that waits may see the end in the store before the node logs it.
        ILoggingEvent dead = await().until(
                () -> events().stream()
                        .filter(event -> event.getLevel() == Level.ERROR
                                && event.getFormattedMessage().contains(handle.id().toString()))
                        .findFirst(),
                Optional::isPresent).orElseThrow();
        assertThat(dead.getKeyValuePairs()).extracting(pair -> pair.key).contains("job", "type", "attempt", "worker",
                "durationMs", "error");
        assertThat(dead.getKeyValuePairs()).anySatisfy(pair -> assertThat(pair.value).isEqualTo(handle.id()));
    }

    @Test
    void publishesEventsToObservers() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        open(steered(builder()).retry(RetryPolicy.linear(1, Duration.ofSeconds(1))).register(NOTE, (note, job) -> {
            if (job.attempt() == 1) {
                throw JobException.transientFailure("first");
            }
            job.progress(1, 2, "half");
            return "ok";
        }));
        AutoCloseable subscription = pool().observe(event -> events.add(describe(event)));
        pool().observe(event -> {
            throw new IllegalStateException("observer");
        });
        JobHandle<String> handle = submit("x");
        // Events follow the commit: without this wait, the second attempt could start before the first end is
        // published.
        await().until(() -> events.contains("ended FAILED SCHEDULED"));
        clock.advance(Duration.ofSeconds(1));
        handle.await(LONG);
        await().until(
                () -> events.contains("ended COMPLETED COMPLETED") && events.contains("submitted 1 note to default"));
        pool().admin().pauseQueue("mail");
        pool().admin().pauseQueue("mail");
        subscription.close();
        pool().admin().resumeQueue("mail");

        assertThat(events).as("the submitting thread publishes this event, in no fixed order")
                .contains("submitted 1 note to default");
        assertThat(events).filteredOn(event -> !event.startsWith("submitted")).containsExactly("started 1",
                "ended FAILED SCHEDULED", "started 2", "progress 1/2", "ended COMPLETED COMPLETED", "PauseQueue 1");
    }

    private static String describe(PoolEvent event) {
        return switch (event) {
            case PoolEvent.Submitted e -> "submitted " + e.count() + " " + e.type() + " to " + e.queue();
            case PoolEvent.Started e -> "started " + e.job().counts().attempt();
            case PoolEvent.Progressed e -> "progress " + e.progress().current() + "/" + e.progress().total();
            case PoolEvent.Ended e -> "ended " + e.end() + " " + e.job().state();
            case PoolEvent.Commanded e -> e.command().getClass().getSimpleName() + " " + e.count();
            case PoolEvent.OfWorker e -> "worker " + e.event().worker();
        };
    }
}
