package dev.heddle.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.store.JobQuery;
import dev.heddle.store.StoreException;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.PostgresServer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** The faults of a {@link FaultTest}, in random order. */
final class Faults {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final FaultNodes nodes;
    private final PostgresServer server;
    private final String url;
    private final PostgresStore store;
    private final Random random;
    private final Path notes;
    /** The log of the handlers. */
    private final Path log;
    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private final List<Resumed> resumed = new ArrayList<>();

    /** The kinds of faults. */
    enum Kind {
        /** A node is killed and replaced. */
        KILL,
        /** A node is suspended until the others have declared it dead, and then resumed. */
        SUSPEND,
        /** Connections are terminated. */
        CUT,
        /** The server is stopped in an orderly way, and started again. */
        RESTART,
        /** The server is killed, and started again. */
        CRASH
    }

    /** An attempt whose node was suspended for longer than its lease, and resumed at this time. */
    record Resumed(String node, Job job, Instant at) {}

    Faults(FaultNodes nodes, PostgresServer server, String url, PostgresStore store, Random random, Path notes,
            Path log) {
        this.nodes = nodes;
        this.server = server;
        this.url = url;
        this.store = store;
        this.random = random;
        this.notes = notes;
        this.log = log;
    }

    /** Causes one fault after the other, for at least this long and until there was one of each kind. */
    void run(Duration length) throws Exception {
        long until = System.nanoTime() + length.toNanos();
        List<Kind> remaining = new ArrayList<>();
        while (System.nanoTime() < until || counts.size() < Kind.values().length) {
            if (remaining.isEmpty()) {
                remaining.addAll(Arrays.asList(Kind.values()));
                Collections.shuffle(remaining, random);
            }
            Kind kind = remaining.removeLast();
            counts.merge(kind, 1, Integer::sum);
            note(kind + " begins");
            cause(kind);
            note(kind + " is over");
            pause(3_000);
        }
    }

    private void note(String what) throws IOException {
        Files.writeString(notes, LocalTime.now(ZoneOffset.UTC) + " " + what + "\n", StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private void pause(int longestMillis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(longestMillis));
    }

    private void cause(Kind kind) throws Exception {
        switch (kind) {
            case KILL -> nodes.replaceOne();
            case SUSPEND -> suspendOne();
            case CUT -> {
                // Several times, because each cut only affects the statements of that moment.
                for (int cuts = 1 + random.nextInt(6); cuts > 0; cuts--) {
                    cut(random.nextBoolean() ? 1 : 0.5);
                    pause(200);
                }
            }
            case RESTART -> {
                server.stop();
                pause(3_000);
                server.start();
            }
            case CRASH -> {
                server.crash();
                // Sometimes for longer than a lease, so no node can keep its own.
                pause(7_000);
                server.start();
            }
        }
    }

    private void cut(double share) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement terminate = connection.prepareStatement("""
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < ?""")) {
            terminate.setDouble(1, share);
            terminate.execute();
        }
    }

    /** Suspends a node during a job that returns a result as soon as the node resumes. */
    private void suspendOne() throws InterruptedException {
        Victim victim = suspend();
        for (int tries = 1; !wasRunning(victim); tries++) {
            assertThat(tries).as("jobs that ended before their node was suspended").isLessThan(5);
            resume(victim);
            victim = suspend();
        }
        pause(2_000);
        resumed.add(new Resumed(victim.node(), victim.job(), Instant.now()));
        resume(victim);
        awaitLateResult(victim);
    }

    /** Suspends a node until the others have declared it dead. */
    private Victim suspend() {
        Victim victim = await("a node with a job to suspend").until(this::victim, Optional::isPresent).orElseThrow();
        nodes.suspend(victim.child());
        await("the others to declare " + victim.node() + " dead")
                .until(() -> store.nodes().stream().noneMatch(record -> record.id().equals(victim.node())));
        return victim;
    }

    /** On a slow machine the job may end, or the lease lapse, before the node is suspended. */
    private boolean wasRunning(Victim victim) {
        return await("what became of " + victim.job().id())
                .until(() -> store.details(victim.job().id()), Optional::isPresent).orElseThrow().attempts().stream()
                .anyMatch(attempt -> attempt.number() == victim.job().counts().attempt()
                        && FaultChecks.nodeDied(attempt));
    }

    private static void resume(Victim victim) {
        victim.child().resume();
        victim.child().awaitLine(line -> line.contains("Node " + victim.node() + " was declared dead"));
    }

    private void awaitLateResult(Victim victim) {
        victim.child().awaitLine(
                line -> line.contains("Dropped the ") && line.contains("result of job " + victim.job().id()));
        // The node drops the attempt before its handler returns, and the next fault may hit the same node.
        String result = "result " + victim.job().id() + " " + victim.job().counts().attempt() + " ";
        await("the late result of " + victim.job().id()).until(() -> Files.readString(log).contains(result));
    }

    private record Victim(ChildJvm child, String node, Job job) {}

    private Optional<Victim> victim() {
        Instant young = Instant.now().minus(FaultHandlers.LONG_TIME.dividedBy(2));
        return store.list(JobQuery.all().type(FaultHandlers.STUBBORN).states(JobState.RUNNING)).stream()
                .filter(job -> young.isBefore(Objects.requireNonNull(job.status().startedAt()))).flatMap(job -> {
                    String node = Objects.requireNonNull(job.status().node());
                    return nodes.find(node).map(child -> new Victim(child, node, job)).stream();
                }).findFirst();
    }

    /** Ignores errors of the store, because the faults also affect the connections of this process. */
    static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(TIMEOUT).pollInterval(Duration.ofMillis(100))
                .ignoreExceptionsInstanceOf(StoreException.class);
    }

    Map<Kind, Integer> counts() {
        return counts;
    }

    List<Resumed> resumed() {
        return resumed;
    }
}
