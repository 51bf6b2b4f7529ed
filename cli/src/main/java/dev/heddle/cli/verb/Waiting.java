package dev.heddle.cli.verb;

import java.time.Duration;
import java.util.Optional;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.Lasting;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.ProgressLine;
import dev.heddle.control.JobDetail;
import dev.heddle.control.JobView;

/** Waits for jobs to end, with a live line on a terminal. */
final class Waiting implements AutoCloseable {

    private static final Duration AT_ONCE = Duration.ofMillis(500);

    private final Desk desk;
    private final Lasting access;
    private final long deadline;
    private boolean told;

    Waiting(Desk desk, Optional<Duration> atMost) {
        this.desk = desk;
        this.access = new Lasting(desk);
        this.deadline = System.nanoTime() + atMost.orElse(Duration.ofDays(3_650)).toNanos();
    }

    private record Look(boolean remote, JobDetail detail) {}

    /** The job as it ended, or as it stood when the time was over. */
    JobDetail await(String id, ProgressLine line, String prefix) throws InterruptedException {
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            Duration once = left.compareTo(AT_ONCE) < 0 ? left : AT_ONCE;
            Look look = access.ask(found -> new Look(found.remote(),
                    found.remote() ? found.control().await(id, once) : found.control().job(id)));
            JobDetail detail = look.detail;
            if (detail.job().state().isFinal() || left.isZero()) {
                return detail;
            }
            show(detail.job(), line, prefix);
            if (!look.remote) {
                sayThatNobodyWorks();
                Thread.sleep(once);
            }
        }
    }

    private void show(JobView job, ProgressLine line, String prefix) {
        String text = prefix + job.type() + " " + job.id() + " " + job.state();
        if (job.progress() == null) {
            line.show(text + " " + JobViews.note(job, desk.clock().instant()));
        } else {
            line.show(job.progress().current(), job.progress().total(),
                    text + " " + job.progress().message());
        }
    }

    private void sayThatNobodyWorks() {
        if (!told) {
            told = true;
            desk.screen().say("no node is running on " + desk.place().home().directory()
                    + "; waiting for one, start it with 'heddle serve'");
        }
    }

    @Override
    public void close() {
        access.close();
    }

    /** What an ended job, or one that did not end in time, means for a script. */
    static Exit exit(JobDetail detail) {
        return switch (detail.job().state()) {
            case COMPLETED -> Exit.OK;
            case FAILED, CANCELLED -> Exit.FAILED;
            case QUEUED, SCHEDULED, PAUSED, ASSIGNED, RUNNING, WAITING -> Exit.TIMED_OUT;
        };
    }
}
