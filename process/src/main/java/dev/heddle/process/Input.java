package dev.heddle.process;

import java.nio.file.Path;

/**
 * Where the standard input of a process comes from. It is never left open by accident, because some programs wait for
 * its end before they do anything.
 */
public sealed interface Input {

    /** Empty: the process reads the end of its input at once. */
    record None() implements Input {}

    /** The content of a file. */
    record FromFile(Path file) implements Input {}

    /** Everything written to {@link RunningProcess#input()} until that stream is closed. */
    record Pipe() implements Input {}

    /** Returns an empty input. */
    static Input none() {
        return new None();
    }

    /** Returns the content of a file as input. */
    static Input from(Path file) {
        return new FromFile(file);
    }

    /** Returns an input that the caller writes through {@link RunningProcess#input()}. */
    static Input pipe() {
        return new Pipe();
    }
}
