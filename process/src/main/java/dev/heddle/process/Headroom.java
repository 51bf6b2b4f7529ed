package dev.heddle.process;

import java.util.Optional;

/**
 * The free memory and disk space required to start another process.
 *
 * @param memory in bytes; default 512 MiB, 0 for no requirement
 * @param disk in bytes; default 512 MiB, 0 for no requirement
 */
public record Headroom(long memory, long disk) {

    private static final long MIB = 1024 * 1024;

    /** Checks that both are at least zero. */
    public Headroom {
        if (memory < 0 || disk < 0) {
            throw new IllegalArgumentException(
                    "required free memory and disk space must not be negative: " + memory + ", " + disk);
        }
    }

    /** Returns the default: 512 MiB of memory and 512 MiB of disk space. */
    public static Headroom standard() {
        return new Headroom(512 * MIB, 512 * MIB);
    }

    /** Returns a headroom that requires nothing. */
    public static Headroom none() {
        return new Headroom(0, 0);
    }

    /**
     * What is free on a machine.
     *
     * @param memory in bytes, including caches that the kernel would reclaim
     * @param disk in bytes, on the file system where the node keeps its files
     */
    public record Free(long memory, long disk) {}

    /** Returns what there is too little of, in words; empty if there is enough of everything. */
    public Optional<String> shortage(Free free) {
        if (free.memory() < memory) {
            return Optional.of(shortage(free.memory(), "memory", memory));
        }
        if (free.disk() < disk) {
            return Optional.of(shortage(free.disk(), "disk space", disk));
        }
        return Optional.empty();
    }

    private static String shortage(long free, String of, long required) {
        return "only " + free / MIB + " MiB of " + of + " is free; " + required / MIB + " MiB is required";
    }
}
