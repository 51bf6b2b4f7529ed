package dev.heddle.store;

import java.util.Arrays;
import java.util.Objects;

/**
 * What is known about the start of an attempt if its node dies. Recovery decides by it whether the attempt may have
 * caused the death, and whether the job may run again.
 */
public enum StartGuarantee {
    /** The start was written while the handler ran. If the node dies, nobody knows which of its attempts caused it. */
    NONE("NONE"),
    /** The start was committed before the handler ran. If the node dies, it is known that the attempt was running. */
    COMMITTED_FIRST("BLAMED"),
    /** Like {@link #COMMITTED_FIRST}, and the job's type is not idempotent: it must not run twice unnoticed. */
    AT_MOST_ONCE("ONCE");

    private final String stored;

    StartGuarantee(String stored) {
        this.stored = stored;
    }

    /** Returns whether the handler has to wait until its start is committed. */
    public boolean commitsFirst() {
        return this != NONE;
    }

    /** Returns the text by which stores keep the guarantee. Unlike the name, it never changes. */
    public String storedAs() {
        return stored;
    }

    /**
     * Returns the guarantee that was stored as this text.
     *
     * @throws IllegalArgumentException if no guarantee is stored so
     */
    public static StartGuarantee ofStored(String text) {
        Objects.requireNonNull(text, "text");
        return Arrays.stream(values()).filter(value -> value.stored.equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown start guarantee: '" + text + "'"));
    }
}
