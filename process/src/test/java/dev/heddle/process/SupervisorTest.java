package dev.heddle.process;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.testkit.ManualClock;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Real processes that crash; how long one waits is decided by {@link RestartPolicy}, and here next to nothing. */
class SupervisorTest extends ProcessFixture {

    private static final RestartPolicy QUICK = new RestartPolicy(Duration.ofMillis(1), Duration.ofMillis(2),
            3,
            new RestartPolicy.Storm(1000, Duration.ofSeconds(60)));

    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final List<String> started = new CopyOnWriteArrayList<>();
    private @Nullable Supervisor supervisor;

    @BeforeEach
    void start() {
        supervisor = supervise(QUICK);
    }

    private Supervisor supervisor() {
        return Objects.requireNonNull(supervisor);
    }

    private Supervisor supervise(RestartPolicy policy) {
        return new Supervisor(open(Isolation.NAMESPACE), policy, clock);
    }

    @AfterEach
    void stop() {
        supervisor().close();
    }

    private Kept keep(String script) {
        return supervisor().keep("w1", worker -> {
            started.add(worker);
            return shell(script);
        });
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(LONG).until(condition);
    }

    @Test
    void startsAgainWhatEndedUnexpectedly() {
        Kept kept = keep("test -e second && exec sleep 86400; echo > second; exit 1");

        await(() -> kept.starts() == 2 && kept.process().isPresent());
        assertThat(kept.crashes()).isEqualTo(1);
        assertThat(kept.worker()).isEqualTo("w1");
    }

    @Test
    void replacesOneThatCrashesTooOften() {
        Kept kept = keep("exit 1");

        await(() -> started.size() >= 9);
        // The first start and three restarts, then the next one.
        assertThat(started.subList(0, 9)).containsExactly("w1", "w1", "w1", "w1", "w1-2", "w1-2", "w1-2",
                "w1-2", "w1-3");
        kept.stop();
    }

    @Test
    void forgetsCrashesAfterASuccess() {
        Kept kept = keep("exec sleep 86400");
        for (int i = 1; i <= 8; i++) {
            int starts = i;
            await(() -> kept.starts() == starts && kept.process().isPresent());
            kept.succeeded();
            assertThat(kept.crashes()).isZero();
            kept.process().orElseThrow().stop(Duration.ZERO);
        }
        await(() -> kept.starts() == 9);
        assertThat(kept.worker()).isEqualTo("w1");
    }

    @Test
    void countsAStartThatFailsAsACrash() {
        Kept kept = supervisor().keep("w1", worker -> Launch.of(worker, "/no/such/command").in(directory));

        await(() -> !kept.worker().equals("w1"));
    }

    @Test
    void holdsAStorm() {
        supervisor = supervise(new RestartPolicy(Duration.ofMillis(1), Duration.ofMillis(1), 1000,
                new RestartPolicy.Storm(5, Duration.ofHours(1))));
        Kept kept = keep("exit 1");

        await(() -> kept.crashes() == 5);
        assertThat(kept.starts()).isEqualTo(5);
    }

    @Test
    void stopsForGood() {
        Daemon daemon = new Daemon(directory);
        Kept kept = keep(daemon.ordinary() + "; sleep 86400");
        daemon.awaitAlive();
        supervisor().close();

        assertThat(kept.process()).isEmpty();
        assertThat(kept.starts()).isEqualTo(1);
        assertThat(daemon.alive()).isEmpty();
    }
}
