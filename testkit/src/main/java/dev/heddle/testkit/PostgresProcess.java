package dev.heddle.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/** One run of a server: the postmaster, and the processes that it has started. */
final class PostgresProcess {

    private final Process postmaster;

    /**
     * The thread that starts it waits for its end: the kernel sends the signal for the parent's death when that thread
     * ends, and a thread that somebody else owns may end much earlier than the JVM.
     */
    PostgresProcess(ProcessBuilder command) {
        CompletableFuture<Process> started = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("postgres-keeper").start(() -> {
            try {
                Process process = command.start();
                started.complete(process);
                process.onExit().join();
            } catch (IOException e) {
                started.completeExceptionally(e);
            }
        });
        this.postmaster = started.join();
    }

    long pid() {
        return postmaster.pid();
    }

    boolean isAlive() {
        return postmaster.isAlive();
    }

    private Stream<Long> children() {
        return postmaster.descendants().map(ProcessHandle::pid);
    }

    /** Sends the postmaster a signal upon which it ends, and waits; it ends after its children. */
    void end(String signal) {
        Signals.send(signal, List.of(pid()));
        resume();
        await(List.of(pid()));
    }

    /** Kills all processes as {@code kill -9} does, so that none can say good-bye to its client. */
    void kill() {
        suspend();
        List<Long> all = Stream.concat(Stream.of(pid()), children()).toList();
        Signals.send("KILL", all);
        await(all);
    }

    /** Stops all processes where they are; the postmaster first, so that it starts no more. */
    void suspend() {
        Signals.send("STOP", List.of(pid()));
        Signals.send("STOP", children().toList());
    }

    void resume() {
        Signals.send("CONT", Stream.concat(children(), Stream.of(pid())).toList());
    }

    private void await(List<Long> pids) {
        Awaitility.await("end of processes " + pids).atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !isAlive() && pids.stream().noneMatch(PostgresProcess::exists));
    }

    /** A dead process that nobody has waited for does not count: with some first processes that is for ever. */
    static boolean exists(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }
}
