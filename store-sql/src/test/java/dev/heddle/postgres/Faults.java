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

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.store.JobQuery;
import dev.heddle.store.StoreException;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.PostgresServer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** What goes wrong in a {@link FaultTest}, drawn by lot. */
final class Faults {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final FaultCrew crew;
    private final PostgresServer server;
    private final String url;
    private final PostgresStore store;
    private final Random random;
    private final Path notes;
    /** What the handlers write. */
    private final Path log;
    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private final List<Revived> revived = new ArrayList<>();

    /** What may go wrong. */
    enum Kind {
        /** A node is killed, and another takes its place. */
        KILL,
        /** A node stands still until the others have declared it dead, and then goes on. */
        STOP,
        /** Connections end. */
        CUT,
        /** The server goes away in good order, and comes back. */
        RESTART,
        /** The server is killed, and comes back. */
        CRASH
    }

    /** An attempt whose node stood still under it for longer than its lease; the time is when it went on. */
    record Revived(String node, Job job, Instant at) {}

    Faults(FaultCrew crew, PostgresServer server, String url, PostgresStore store, Random random,
            Path notes, Path log) {
        this.crew = crew;
        this.server = server;
        this.url = url;
        this.store = store;
        this.random = random;
        this.notes = notes;
        this.log = log;
    }

    /** One after the other, for at least this long and until there was one of each kind. */
    void run(Duration length) throws Exception {
        long until = System.nanoTime() + length.toNanos();
        List<Kind> bag = new ArrayList<>();
        while (System.nanoTime() < until || counts.size() < Kind.values().length) {
            if (bag.isEmpty()) {
                bag.addAll(Arrays.asList(Kind.values()));
                Collections.shuffle(bag, random);
            }
            Kind kind = bag.removeLast();
            counts.merge(kind, 1, Integer::sum);
            note(kind + " begins");
            commit(kind);
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

    private void commit(Kind kind) throws Exception {
        switch (kind) {
            case KILL -> crew.replaceOne();
            case STOP -> stopOne();
            case CUT -> {
                // More than once, since only what is under way at the moment is in danger.
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
                // Now and then for longer than a lease, so that nobody can keep his.
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

    /** In the middle of a job that will come with a result as soon as the node goes on. */
    private void stopOne() throws InterruptedException {
        Victim victim = stop();
        for (int tries = 1; !wasInTheMiddle(victim); tries++) {
            assertThat(tries).as("jobs that were over before their node could be stopped").isLessThan(5);
            goOn(victim);
            victim = stop();
        }
        pause(2_000);
        revived.add(new Revived(victim.node(), victim.job(), Instant.now()));
        goOn(victim);
        awaitLateResult(victim);
    }

    /** Until the others have declared it dead. */
    private Victim stop() {
        Victim victim = await("a job to stop a node under").until(this::victim, Optional::isPresent)
                .orElseThrow();
        crew.suspend(victim.child());
        await("the others to declare " + victim.node() + " dead").until(
                () -> store.nodes().stream().noneMatch(record -> record.id().equals(victim.node())));
        return victim;
    }

    /** A machine that is slow to stop the node may let the job end before, or its lease lapse. */
    private boolean wasInTheMiddle(Victim victim) {
        return await("what became of " + victim.job().id())
                .until(() -> store.story(victim.job().id()), Optional::isPresent).orElseThrow().attempts()
                .stream().anyMatch(attempt -> attempt.number() == victim.job().counts().attempt()
                        && attempt.end() == Attempt.End.CRASHED);
    }

    private static void goOn(Victim victim) {
        victim.child().resume();
        victim.child().awaitLine(line -> line.contains("Node " + victim.node() + " was declared dead"));
    }

    private void awaitLateResult(Victim victim) {
        victim.child().awaitLine(line -> line.contains("esult of job " + victim.job().id() + " dropped"));
        // The node lets go of the attempt before its handler comes to an end, and the next fault may be the node's own.
        String result = "result " + victim.job().id() + " " + victim.job().counts().attempt() + " ";
        await("the late result of " + victim.job().id()).until(() -> Files.readString(log).contains(result));
    }

    private record Victim(ChildJvm child, String node, Job job) {}

    private Optional<Victim> victim() {
        Instant young = Instant.now().minus(FaultHandlers.LONG_TIME.dividedBy(2));
        return store.list(JobQuery.all().type(FaultHandlers.STUBBORN).states(JobState.RUNNING)).stream()
                .filter(job -> young.isBefore(Objects.requireNonNull(job.status().startedAt())))
                .flatMap(job -> {
                    String node = Objects.requireNonNull(job.status().node());
                    return crew.find(node).map(child -> new Victim(child, node, job)).stream();
                }).findFirst();
    }

    /** The faults hit this process's connections too. */
    static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(100))
                .ignoreExceptionsInstanceOf(StoreException.class);
    }

    Map<Kind, Integer> counts() {
        return counts;
    }

    List<Revived> revived() {
        return revived;
    }
}
