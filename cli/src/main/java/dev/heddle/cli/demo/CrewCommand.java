package dev.heddle.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

import dev.heddle.cli.shell.Exit;
import dev.heddle.pool.Pool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The child of the demo that is killed in the middle of its work. */
@Command(name = CrewCommand.NAME, hidden = true, description = "Part of 'heddle demo'.")
public final class CrewCommand implements Callable<Integer> {

    static final String NAME = "demo-crew";

    @Parameters(paramLabel = "DIR") @SuppressWarnings("NullAway.Init") // set before call()
    private Path directory;

    @Override
    public Integer call() throws Exception {
        Thread.ofPlatform().daemon().name("parent-watch").start(CrewCommand::endWithTheParent);
        OrderHandler handler = new OrderHandler(new StepLog(directory), Crew.HANG_FROM);
        try (Pool pool = Pool.on(Stage.store(directory)).workers(Crew.WORKERS).handle(Order.TYPE, handler)
                .open()) {
            pool.resumeQueue(Order.QUEUE);
            pool.awaitIdle(Duration.ofMinutes(1));
        }
        return Exit.OK.code();
    }

    /** The parent holds the other end of standard input; it closes when the parent dies, however it dies. */
    private static void endWithTheParent() {
        try {
            while (System.in.read() >= 0) {
                // Nobody writes; it is the end that counts.
            }
        } catch (IOException e) {
            // As good as the end.
        }
        Runtime.getRuntime().halt(Exit.FAILED.code());
    }
}
