package dev.heddle.cli.shell;

import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.heddle.control.BatchView;
import dev.heddle.job.JobState;

/** A batch on one line, live where somebody watches. */
public final class BatchLine implements AutoCloseable {

    private final ProgressLine line;
    private final InstantSource clock;

    public BatchLine(Screen screen, InstantSource clock) {
        this.line = new ProgressLine(screen);
        this.clock = clock;
    }

    public void show(BatchView batch) {
        Duration left = left(batch, clock.instant());
        line.show(batch.ended(), batch.units(),
                summary(batch) + (left.isZero() ? "" : ", " + Spans.coarse(left) + " left"));
    }

    /** What is left takes as long as what was done, unit by unit; zero where nothing can be said. */
    static Duration left(BatchView batch, Instant now) {
        long ended = batch.ended();
        return ended == 0 ? Duration.ZERO
                : Duration.between(batch.createdAt(), now).multipliedBy(batch.units() - ended)
                        .dividedBy(ended);
    }

    /** Such as "12 of 200 done, 1 failed, 4 running, $1.20". */
    public static String summary(BatchView batch) {
        List<String> parts = new ArrayList<>();
        parts.add(batch.in(JobState.COMPLETED) + " of " + batch.units() + " done");
        add(parts, batch.in(JobState.FAILED), "failed");
        add(parts, batch.in(JobState.CANCELLED), "cancelled");
        add(parts, batch.in(JobState.RUNNING) + batch.in(JobState.ASSIGNED), "running");
        parts.add(String.format(Locale.ROOT, "$%s%s", batch.usd().setScale(2, RoundingMode.HALF_UP),
                batch.estimated() ? " (some of it estimated)" : ""));
        if (batch.held() != null) {
            parts.add("held: " + batch.held());
        }
        if (batch.waits()) {
            parts.add("the rest waits for approval");
        }
        return String.join(", ", parts);
    }

    private static void add(List<String> parts, long count, String what) {
        if (count > 0) {
            parts.add(count + " " + what);
        }
    }

    @Override
    public void close() {
        line.close();
    }
}
