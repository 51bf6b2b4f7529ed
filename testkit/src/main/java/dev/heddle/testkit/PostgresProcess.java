package dev.heddle.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/** A running server: the postmaster and its child processes. */
final class PostgresProcess {

    private final Process postmaster;

    /**
     * Starts the postmaster on a thread that waits for its end. The kernel sends the parent-death signal when the
     * starting thread ends, and the caller's thread may end long before the JVM.
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

    /** Sends the postmaster a signal that ends it, and waits until it has ended. Its children end first. */
    void end(String signal) {
        ProcessSignals.send(signal, List.of(pid()));
        resume();
        await(List.of(pid()));
    }

    /** Kills all processes with SIGKILL at once: no process can close its connection in order. */
    void kill() {
        suspend();
        List<Long> all = Stream.concat(Stream.of(pid()), children()).toList();
        ProcessSignals.send("KILL", all);
        await(all);
    }

    /** Freezes all processes with SIGSTOP; the postmaster first, or it would start more. */
    void suspend() {
        ProcessSignals.send("STOP", List.of(pid()));
        ProcessSignals.send("STOP", children().toList());
    }

    void resume() {
        ProcessSignals.send("CONT", Stream.concat(children(), Stream.of(pid())).toList());
    }

    private void await(List<Long> pids) {
        Awaitility.await("end of processes " + pids).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(5))
                .until(() -> !isAlive() && pids.stream().noneMatch(PostgresProcess::exists));
    }

    /** Zombies do not count: in a container whose init process reaps nothing they stay forever. */
    static boolean exists(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }
}
