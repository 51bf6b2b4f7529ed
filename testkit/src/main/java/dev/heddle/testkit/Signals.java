package dev.heddle.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/** Signals that Java has no word for. */
final class Signals {

    private Signals() {}

    /** A process that is gone before it gets the signal is fine. */
    static void send(String signal, List<Long> pids) {
        if (pids.isEmpty()) {
            return;
        }
        List<String> kill = Stream.concat(Stream.of("sh", "-c", "kill -\"$0\" \"$@\"", signal),
                pids.stream().map(String::valueOf)).toList();
        try {
            new ProcessBuilder(kill).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().onExit().join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
