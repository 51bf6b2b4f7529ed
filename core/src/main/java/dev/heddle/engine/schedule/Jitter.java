package dev.heddle.engine.schedule;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.zip.CRC32C;

/** By how much the runs of a schedule start later: a hash of its name and of the time, the same on every node. */
record Jitter(String name, Duration most) {

    /** Returns when the run for this time starts. */
    Instant start(Instant time) {
        if (most.isZero()) {
            return time;
        }
        CRC32C hash = new CRC32C();
        hash.update((name + "\n" + time.toEpochMilli()).getBytes(StandardCharsets.UTF_8));
        return time.plusMillis(hash.getValue() % most.toMillis());
    }
}
