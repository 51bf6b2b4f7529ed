package dev.heddle.cli.shell;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.budget.Usd;
import dev.heddle.control.BatchView;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/** A batch on one line: with a bar, drawn over and over, on a terminal; elsewhere a line now and then. */
public final class BatchLine implements AutoCloseable {

    private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);

    private final Screen screen;
    private final ProgressLine line;
    private final InstantSource clock;
    private @Nullable Start start;
    private Instant said;
    private boolean held;

    /** What there was when somebody began to look: how fast it goes is measured from here. */
    record Start(Instant at, long ended) {

        /** What is left takes as long as what was done since, unit by unit; zero where nothing can be said. */
        Duration left(BatchView batch, Instant now) {
            long done = batch.ended() - ended;
            return done <= 0 || batch.waits() || batch.held() != null ? Duration.ZERO
                    : Duration.between(at, now).multipliedBy(batch.units() - batch.ended()).dividedBy(done);
        }
    }

    public BatchLine(Screen screen, InstantSource clock) {
        this.screen = screen;
        this.line = new ProgressLine(screen);
        this.clock = clock;
        this.said = clock.instant();
    }

    public void show(BatchView batch) {
        Instant now = clock.instant();
        start = start == null ? new Start(now, batch.ended()) : start;
        String text = summary(batch, start.left(batch, now));
        if (screen.terminal().err()) {
            line.show(batch.ended(), batch.units(), text);
        } else if (isWorthALine(batch, now)) {
            said = now;
            screen.say(text);
        }
        held = batch.held() != null;
    }

    private boolean isWorthALine(BatchView batch, Instant now) {
        boolean stopped = batch.held() != null && !held;
        return stopped || !(held || batch.state().isFinal() || now.isBefore(said.plus(BETWEEN_LINES)));
    }

    /** Such as "12 of 200 done, 1 failed, 4 running, $1.20". */
    public static String summary(BatchView batch) {
        return summary(batch, Duration.ZERO);
    }

    private static String summary(BatchView batch, Duration left) {
        List<String> parts = new ArrayList<>();
        parts.add(batch.in(JobState.COMPLETED) + " of " + batch.units() + " done");
        add(parts, batch.in(JobState.FAILED), "failed");
        add(parts, batch.in(JobState.CANCELLED), "cancelled");
        add(parts, batch.in(JobState.RUNNING) + batch.in(JobState.ASSIGNED), "running");
        if (!left.isZero()) {
            parts.add(Spans.coarse(left) + " left");
        }
        if (batch.tokens() > 0 || batch.usd().signum() > 0) {
            parts.add(Usd.shown(batch.usd()) + (batch.estimated() ? " (some of it estimated)" : ""));
        }
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
