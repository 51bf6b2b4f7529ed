package dev.heddle.process;

import java.io.OutputStream;
import java.nio.file.Path;

/** Where the standard output or standard error of a process goes. */
public sealed interface Output {

    /** Nowhere. */
    record Discarded() implements Output {}

    /** The end of a file. The process writes it without the node, and continues to do so if the node is gone. */
    record ToFile(Path file) implements Output {}

    /**
     * A stream in this JVM. A platform thread copies the output to it as it arrives, and closes it at the end. If the
     * stream throws, the rest of the output is dropped and one warning is logged, so the process is never blocked.
     */
    record ToStream(OutputStream stream) implements Output {}

    /** The same place as standard output. For standard error only. */
    record WithOutput() implements Output {}

    /** Returns an output that is thrown away. */
    static Output discarded() {
        return new Discarded();
    }

    /** Returns an output that is appended to a file. */
    static Output to(Path file) {
        return new ToFile(file);
    }

    /** Returns an output that is copied to a stream. */
    static Output to(OutputStream stream) {
        return new ToStream(stream);
    }

    /** Returns the output for standard error that follows standard output. */
    static Output withOutput() {
        return new WithOutput();
    }
}
