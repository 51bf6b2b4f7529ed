package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A node that starts a detached process and then waits to be killed. */
final class DetachedNode {

    private DetachedNode() {}

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        DetachedProcess.start(directory,
                DetachedProcessTest.launch(directory,
                        "echo before; while [ ! -e go ]; do sleep 0.05; done; echo after; exit 5"),
                Duration.ofMinutes(5));
        System.out.println("started");
        // Blocks until this JVM is killed, or the test that started it has ended.
        int _ = System.in.read();
    }
}
