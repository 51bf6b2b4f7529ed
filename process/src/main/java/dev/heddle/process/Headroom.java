package dev.heddle.process;

import java.util.Optional;

/**
 * How much memory and disk must be free before another process is started.
 *
 * @param memory in bytes; default 512 MiB, 0 for no floor
 * @param disk in bytes; default 512 MiB, 0 for no floor
 */
public record Headroom(long memory, long disk) {

    private static final long MIB = 1024 * 1024;

    public Headroom {
        if (memory < 0 || disk < 0) {
            throw new IllegalArgumentException(
                    "the floor of free memory and disk must not be negative: " + memory + ", " + disk);
        }
    }

    public static Headroom standard() {
        return new Headroom(512 * MIB, 512 * MIB);
    }

    public static Headroom none() {
        return new Headroom(0, 0);
    }

    /**
     * What is free.
     *
     * @param memory in bytes, without what the kernel would give up for it
     * @param disk in bytes, where the node keeps its files
     */
    public record Free(long memory, long disk) {}

    /** What there is too little of; empty where there is enough. */
    public Optional<String> shortage(Free free) {
        if (free.memory() < memory) {
            return Optional.of("only " + free.memory() / MIB + " MiB of memory are free, and "
                    + memory / MIB + " MiB must be");
        }
        if (free.disk() < disk) {
            return Optional.of("only " + free.disk() / MIB + " MiB of disk are free, and " + disk / MIB
                    + " MiB must be");
        }
        return Optional.empty();
    }
}
