package dev.heddle.process;

import java.io.OutputStream;
import java.nio.file.Path;

/** Where a process writes to. */
public sealed interface Output {

    /** Nowhere. */
    record Discarded() implements Output {}

    /** The end of a file, by the process itself: the node does nothing for it, and it goes on without the node. */
    record ToFile(Path file) implements Output {}

    /**
     * A stream of the node's, which a platform thread copies to as the output comes, and closes at its end. What the
     * stream refuses is dropped and logged once; the process never waits for it in vain.
     */
    record ToStream(OutputStream stream) implements Output {}

    /** Errors only: wherever the ordinary output goes. */
    record WithOutput() implements Output {}

    static Output discarded() {
        return new Discarded();
    }

    static Output to(Path file) {
        return new ToFile(file);
    }

    static Output to(OutputStream stream) {
        return new ToStream(stream);
    }

    static Output withOutput() {
        return new WithOutput();
    }
}
