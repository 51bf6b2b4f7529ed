package dev.heddle.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import dev.heddle.process.DetachedProcess;
import dev.heddle.process.Exit;
import dev.heddle.process.Launch;
import dev.heddle.process.RunningProcess;

/** An agent's process, whether it lives with its node or beyond it. */
interface AgentProcess {

    /** Empty while it runs. */
    Optional<Exit> exit();

    /** Ends it, and waits until it has. */
    Exit stop(Duration grace);

    static AgentProcess detached(Path directory, Launch launch, Duration limit) {
        return of(DetachedProcess.start(directory, launch, limit));
    }

    /** What a node before this one left running, or has left ended. */
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
