package dev.heddle.control.local;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.JobLog;
import dev.heddle.control.model.JobLogQuery;
import dev.heddle.job.Job;
import dev.heddle.log.LogLine;
import dev.heddle.log.LogPage;
import dev.heddle.log.LogQuery;
import dev.heddle.log.LogReader;
import dev.heddle.log.LogStream;
import org.slf4j.event.Level;

/** Reads pages of the logs of jobs, and waits for lines if there are none. Everything comes from the store. */
record JobLogReader(Backend backend) {

    /** A node stores lines twice a second. */
    private static final Duration POLL = Duration.ofMillis(200);

    JobLog read(Job job, JobLogQuery query) {
        LogQuery selection = new LogQuery(query.attempt(),
                Objects.requireNonNullElse(query.streams(), EnumSet.allOf(LogStream.class)),
                Objects.requireNonNullElse(query.level(), Level.TRACE), Objects.requireNonNullElse(query.text(), ""),
                query.cursor(), Objects.requireNonNullElse(query.limit(), LogQuery.MOST));
        Duration timeout = InputChecks.notNegative("timeout",
                Objects.requireNonNullElse(query.timeout(), Duration.ZERO));
        long deadline = System.nanoTime() + timeout.toNanos();
        LogReader reader = new LogReader(backend.jobs(), backend.clock());
        while (true) {
            LogPage page = reader.read(job.id(), selection)
                    .orElseThrow(() -> ControlException.notFound("job " + job.id() + " was deleted"));
            if (!page.lines().isEmpty() || page.ended() || (!page.more() && System.nanoTime() - deadline >= 0)) {
                return view(job, page);
            }
            selection = selection.after(page.next());
            if (!page.more()) {
                pause();
            }
        }
    }

    private static JobLog view(Job job, LogPage page) {
        return new JobLog(job.id().toString(), page.lines().stream().map(JobLogReader::view).toList(), page.next(),
                page.more(), page.ended());
    }

    private static JobLog.Line view(LogLine line) {
        return new JobLog.Line(line.at(), line.level().name(), line.attempt(), line.stream(), line.text());
    }

    private static void pause() {
        try {
            Thread.sleep(POLL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ControlException(Kind.UNREACHABLE, "interrupted while waiting for lines", e);
        }
    }
}
