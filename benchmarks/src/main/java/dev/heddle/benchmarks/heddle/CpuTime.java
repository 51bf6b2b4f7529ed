package dev.heddle.benchmarks.heddle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import dev.heddle.testkit.PostgresServer;

/** The processor time of this JVM and perhaps of a server with all its processes, also those that have ended. */
record CpuTime(Optional<PostgresServer> server) {

    private static final Duration TICK = Duration.ofMillis(10);
    /** The fields after the name of the process: user and system time, then those of children that have ended. */
    private static final int FIRST = 11;
    private static final int OWN = 2;
    private static final int WITH_ENDED_CHILDREN = 4;

    Duration now() {
        long ticks = ticks(ProcessHandle.current(), OWN) + server.flatMap(one -> ProcessHandle.of(one.pid()))
                .map(postmaster -> LongStream
                        .concat(LongStream.of(ticks(postmaster, WITH_ENDED_CHILDREN)),
                                postmaster.children().mapToLong(child -> ticks(child, OWN)))
                        .sum())
                .orElse(0L);
        return TICK.multipliedBy(ticks);
    }

    private static long ticks(ProcessHandle process, int times) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return IntStream.range(FIRST, FIRST + times).mapToLong(i -> Long.parseLong(fields[i])).sum();
        } catch (IOException e) {
            if (process.isAlive()) {
                throw new UncheckedIOException(e);
            }
            return 0;
        }
    }
}
