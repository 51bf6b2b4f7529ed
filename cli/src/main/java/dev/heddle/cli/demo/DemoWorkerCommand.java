package dev.heddle.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

import dev.heddle.cli.shell.ExitCode;
import dev.heddle.pool.Pool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The child process that the demo kills in the middle of its work. */
@Command(name = DemoWorkerCommand.NAME, hidden = true, description = "Used by 'heddle demo'.")
public final class DemoWorkerCommand implements Callable<Integer> {

    /** The hidden command that {@code heddle demo} starts. */
    public static final String NAME = "demo-worker";

    @Parameters(paramLabel = "DIR")
    @SuppressWarnings("NullAway.Init") // set before call()
    private Path directory;

    @Override
    public Integer call() throws Exception {
        Thread.ofPlatform().daemon().name("parent-watch").start(DemoWorkerCommand::exitWithParent);
        OrderHandler handler = new OrderHandler(new StepLog(directory), DemoWorker.HANG_FROM);
        try (Pool pool = Pool.on(Stage.store(directory)).workers(DemoWorker.WORKERS).register(Order.TYPE, handler)
                .open()) {
            pool.admin().resumeQueue(Order.QUEUE);
            pool.awaitIdle(Duration.ofMinutes(1));
        }
        return ExitCode.OK.code();
    }

    /** Standard input is a pipe from the parent, which closes when the parent ends, however it ends. */
    private static void exitWithParent() {
        try {
            while (System.in.read() >= 0) {
                // The parent writes nothing; only the end of the stream matters.
            }
        } catch (IOException e) {
            // Same as the end of the stream.
        }
        Runtime.getRuntime().halt(ExitCode.FAILED.code());
    }
}
