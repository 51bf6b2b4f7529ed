package dev.heddle.cli.shell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.budget.Usd;
import dev.heddle.control.model.BatchView;
import dev.heddle.env.Environment;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/** Shows the progress of a batch: a progress bar on a terminal, otherwise a line every ten seconds. */
public final class BatchProgress implements AutoCloseable {

    private static final Duration LINE_INTERVAL = Duration.ofSeconds(10);

    private final CliOutput output;
    private final ProgressLine line;
    private final Environment env;
    private @Nullable Start start;
    private Duration lastLine;
    private boolean held;

    /** The first observation, at an {@link Environment#elapsed} time. The remaining time is estimated from what has ended since. */
    record Start(Duration at, long ended) {

        /** Estimates the remaining time from the average time per unit; zero if there is no estimate. */
        Duration left(BatchView batch, Duration now) {
            long done = batch.ended() - ended;
            return done <= 0 || batch.waits() || batch.held() != null ? Duration.ZERO
                    : now.minus(at).multipliedBy(batch.units() - batch.ended()).dividedBy(done);
        }
    }

    /** Creates a display that has shown nothing yet. */
    public BatchProgress(CliOutput output, Environment env) {
        this.output = output;
        this.line = new ProgressLine(output);
        this.env = env;
        this.lastLine = env.elapsed();
    }

    /** Shows the state of the batch. Without a terminal, skips it if the last line was printed moments ago. */
    public void show(BatchView batch) {
        Duration now = env.elapsed();
        start = start == null ? new Start(now, batch.ended()) : start;
        String text = summary(batch, start.left(batch, now));
        if (output.terminal().err()) {
            line.show(batch.ended(), batch.units(), text);
        } else if (isLineDue(batch, now)) {
            lastLine = now;
            output.info(text);
        }
        held = batch.held() != null;
    }

    private boolean isLineDue(BatchView batch, Duration now) {
        boolean newlyHeld = batch.held() != null && !held;
        return newlyHeld || !(held || batch.state().isFinal() || now.minus(lastLine).compareTo(LINE_INTERVAL) < 0);
    }

    /** Returns a summary such as "12 of 200 done, 1 failed, 4 running, $1.20", or "FAILED: " and so on at the end. */
    public static String summary(BatchView batch) {
        boolean bad = batch.state() == JobState.FAILED || batch.state() == JobState.CANCELLED;
        return (bad ? batch.state() + ": " : "") + summary(batch, Duration.ZERO);
    }

    private static String summary(BatchView batch, Duration left) {
        List<String> parts = new ArrayList<>();
        parts.add(batch.in(JobState.COMPLETED) + " of " + batch.units() + " done");
        add(parts, batch.in(JobState.FAILED), "failed");
        add(parts, batch.in(JobState.CANCELLED), "cancelled");
        add(parts, batch.in(JobState.RUNNING) + batch.in(JobState.ASSIGNED), "running");
        if (!left.isZero()) {
            parts.add(Durations.coarse(left) + " left");
        }
        if (batch.tokens() > 0 || batch.usd().signum() > 0) {
            parts.add(Usd.format(batch.usd()) + (batch.estimated() ? " (partly estimated)" : ""));
        }
        if (batch.held() != null) {
            parts.add("held: " + batch.held());
        }
        if (batch.waits()) {
            parts.add("waiting for approval");
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
