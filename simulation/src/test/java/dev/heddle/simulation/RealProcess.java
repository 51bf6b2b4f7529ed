package dev.heddle.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.heddle.testkit.ChildJvm;
import org.awaitility.Awaitility;

/** The process of a {@link RealNode}: one life of a node. */
final class RealProcess {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int KILLED = 137;
    /** Kills the node with the test: one that stands still would not notice the end of its input. */
    private static final List<String> DIE_WITH_PARENT = List.of("setpriv", "--pdeathsig", "KILL");

    private final String name;
    private final Path reports;
    private final ChildJvm jvm;
    private long endedAt = Long.MAX_VALUE;

    private RealProcess(String name, Path reports, ChildJvm jvm) {
        this.name = name;
        this.reports = reports;
        this.jvm = jvm;
    }

    /** Starts a node with so many clients. */
    static RealProcess start(String name, RealPlan plan, RealStore store, Path directory, int clients, long seed) {
        Path reports = directory.resolve(name + ".reports");
        List<String> arguments = new ArrayList<>(List.of(name, store.address(), reports.toString(),
                Integer.toString(clients), Long.toString(seed)));
        plan.work().forEach(work -> arguments.add(work.name()));
        return new RealProcess(name, reports,
                ChildJvm.startIn(DIE_WITH_PARENT, RealNode.class, arguments.toArray(String[]::new)));
    }

    String name() {
        return name;
    }

    List<Report> reports() {
        return ReportFile.read(reports);
    }

    boolean isAlive() {
        return jvm.isAlive();
    }

    /** Waits until the node has printed a line, or has died. */
    void awaitLine(String wanted) {
        Awaitility.await(name + " prints " + wanted).atMost(PATIENCE).pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10)).until(() -> has(wanted) || !jvm.isAlive());
    }

    private boolean has(String wanted) {
        return jvm.lines().contains(wanted);
    }

    /** Kills the node. It may do a little more after the time at which it counts as dead, but no less. */
    void kill() {
        endedAt = System.nanoTime();
        jvm.kill();
    }

    void stop() {
        jvm.suspend();
    }

    void resume() {
        jvm.resume();
    }

    /** Has the node submit no more; returns once that is true, or the node has died. */
    void calm() {
        write(RealNode.CALM);
        awaitLine(RealNode.CALM);
    }

    /** Has the node close; returns once it has ended. */
    void close() {
        write(RealNode.CLOSE);
        jvm.exitCode(PATIENCE);
        endedAt = System.nanoTime();
    }

    private void write(String word) {
        try {
            jvm.writeLine(word);
        } catch (UncheckedIOException e) {
            // It has ended before it could read this; whether it was allowed to is checked later.
            jvm.exitCode(PATIENCE);
        }
    }

    /** Returns whether a job has killed this node. */
    boolean hasKilledItself() {
        return printed(RealNode.DIES).findAny().isPresent();
    }

    /** Returns whether the node was without time for so long that it may not have noticed the end of its lease. */
    boolean stoodStill() {
        return printed(RealNode.STOOD_STILL).findAny().isPresent();
    }

    private Stream<String> printed(String prefix) {
        return jvm.lines().stream().filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()));
    }

    /** Returns when this life ended; {@link Long#MAX_VALUE} if it has not. */
    long diedAt() {
        return Math.min(endedAt, printed(RealNode.DIES).mapToLong(Long::parseLong).min().orElse(Long.MAX_VALUE));
    }

    /** Returns what is wrong with a node that has ended; empty if nothing is. */
    Optional<String> wrong() {
        Optional<String> threw = printed(RealNode.THREW).findFirst();
        if (threw.isPresent()) {
            return Optional.of(name + " threw " + threw.get());
        }
        int code = jvm.exitCode(PATIENCE);
        boolean expected = code == 0 || (code == KILLED && diedAt() < Long.MAX_VALUE);
        return expected ? Optional.empty() : Optional.of(name + " ended with exit code " + code);
    }

    /** Ends the process, however it is, and keeps what it has printed. */
    void discard(Path directory) {
        jvm.kill();
        try {
            Files.write(directory.resolve(name + ".out"), jvm.lines());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
