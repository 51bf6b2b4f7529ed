package dev.heddle.process;

import java.nio.file.Path;

/** Where a process reads from. Never left open by accident: some wait for its end before they do anything. */
public sealed interface Input {

    /** Nothing: it reads an end at once. */
    record None() implements Input {}

    /** The content of a file. */
    record FromFile(Path file) implements Input {}

    /** What is written to {@link RunningProcess#input()}, until that is closed. */
    record Pipe() implements Input {}

    static Input none() {
        return new None();
    }

    static Input from(Path file) {
        return new FromFile(file);
    }

    static Input pipe() {
        return new Pipe();
    }
}
