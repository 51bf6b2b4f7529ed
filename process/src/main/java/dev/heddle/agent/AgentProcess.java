package dev.heddle.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import dev.heddle.process.DetachedProcess;
import dev.heddle.process.Exit;
import dev.heddle.process.Launch;
import dev.heddle.process.RunningProcess;

/** An agent's process, which either ends with its node or outlives it. */
interface AgentProcess {

    /** Returns how the process exited; empty while it runs. */
    Optional<Exit> exit();

    /** Stops the process, waits until it has ended, and kills it after the grace period. */
    Exit stop(Duration grace);

    /** Starts a process that outlives this node, for at most the given time. */
    static AgentProcess detached(Path directory, Launch launch, Duration limit) {
        return of(DetachedProcess.start(directory, launch, limit));
    }

    /** Finds a detached process that an earlier node started, whether it is still running or has ended. */
    static Optional<AgentProcess> find(Path directory) {
        return DetachedProcess.find(directory).map(AgentProcess::of);
    }

    private static AgentProcess of(DetachedProcess process) {
        return new AgentProcess() {
            @Override
            public Optional<Exit> exit() {
                return process.exit();
            }

            @Override
            public Exit stop(Duration grace) {
                return process.stop(grace);
            }
        };
    }

    /** Wraps a process that ends with this node. */
    static AgentProcess bound(RunningProcess process) {
        return new AgentProcess() {
            @Override
            public Optional<Exit> exit() {
                return Optional.ofNullable(process.exit().toCompletableFuture().getNow(null));
            }

            @Override
            public Exit stop(Duration grace) {
                try {
                    process.stop(grace);
                    return process.await();
                } catch (InterruptedException e) {
                    Exit exit = process.stop(Duration.ZERO).toCompletableFuture().join();
                    Thread.currentThread().interrupt();
                    return exit;
                }
            }
        };
    }
}
