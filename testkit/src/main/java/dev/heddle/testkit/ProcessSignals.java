package dev.heddle.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/** Sends signals that {@link Process} cannot send, such as SIGSTOP. */
final class ProcessSignals {

    private ProcessSignals() {}

    /** Sends a signal to processes and waits until it is sent; ignores processes that no longer exist. */
    static void send(String signal, List<Long> pids) {
        if (pids.isEmpty()) {
            return;
        }
        List<String> kill = Stream
                .concat(Stream.of("sh", "-c", "kill -\"$0\" \"$@\"", signal), pids.stream().map(String::valueOf))
                .toList();
        try {
            new ProcessBuilder(kill).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                    .onExit().join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
