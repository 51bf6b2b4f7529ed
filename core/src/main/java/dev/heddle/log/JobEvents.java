package dev.heddle.log;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.store.JobDetails;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Tells what happened to a job as lines of its log. Does no I/O. */
final class JobEvents {

    private final Job job;
    private final List<HistoryEntry> history;
    private final Map<Integer, LogLine> starts = new TreeMap<>();
    private final Map<Integer, LogLine> ends = new TreeMap<>();
    private final Map<Integer, Instant> endedHere = new TreeMap<>();

    JobEvents(JobDetails story) {
        job = story.job();
        history = story.history();
        for (Attempt attempt : story.attempts()) {
            if (attempt.startedAt() != null) {
                started(attempt.number(), attempt.startedAt(),
                        attempt.worker().isEmpty() ? attempt.node() : attempt.worker());
            }
            ends.put(attempt.number(), end(attempt));
            // What ends the attempts of a dead node does not know their workers, and lets no lines follow.
            if (!attempt.worker().isEmpty()) {
                endedHere.put(attempt.number(), attempt.endedAt());
            }
        }
        Instant startedAt = job.status().startedAt();
        if (job.state().isHeld() && startedAt != null) {
            started(job.counts().attempt(), startedAt, String.valueOf(job.status().node()));
        }
    }

    private void started(int attempt, Instant at, String where) {
        starts.put(attempt, event(attempt, at, Level.INFO, "Started on " + where));
    }

    private static LogLine event(int attempt, Instant at, Level level, String text) {
        return new LogLine(attempt, 0, at, level, LogStream.EVENT, text);
    }

    LogLine submitted() {
        return event(0, job.spec().createdAt(), Level.INFO,
                "Submitted to queue '" + job.queue() + "' as " + job.type());
    }

    Map<Integer, LogLine> starts() {
        return starts;
    }

    Map<Integer, LogLine> ends() {
        return ends;
    }

    /** Returns when the attempts ended whose last lines may be stored a moment later. */
    Map<Integer, Instant> endsOfLiveNodes() {
        return endedHere;
    }

    /** Returns the entries of the history that a reader has not seen. */
    List<LogLine> historyAfter(@Nullable Instant seen, int sameTime) {
        int from = 0;
        int same = 0;
        for (int i = 0; seen != null && i < history.size(); i++) {
            Instant at = history.get(i).at();
            if (at.equals(seen) && same < sameTime) {
                same++;
                from = i + 1;
            } else if (same == 0 && at.isBefore(seen)) {
                // The entry that was seen last may have been deleted meanwhile.
                from = i + 1;
            }
        }
        List<LogLine> lines = new ArrayList<>();
        for (HistoryEntry entry : history.subList(from, history.size())) {
            lines.add(event(0, entry.at(), entry.to() == JobState.FAILED ? Level.ERROR : Level.INFO,
                    entry.from() + " to " + entry.to() + ": " + entry.reason() + " (" + entry.actor() + ")"));
        }
        return lines;
    }

    private static LogLine end(Attempt attempt) {
        Level level = switch (attempt.end()) {
            case COMPLETED, RESCHEDULED, INGESTED, CANCELLED, RELEASED -> Level.INFO;
            case NODE_DIED, FAILED, TIMED_OUT -> Level.WARN;
            case CRASHED -> Level.ERROR;
        };
        return event(attempt.number(), attempt.endedAt(), level, switch (attempt.end()) {
            case COMPLETED -> "Completed";
            case RESCHEDULED -> "Rescheduled";
            case INGESTED -> "Ingested";
            case CANCELLED -> "Cancelled";
            case RELEASED -> "Released unfinished";
            case NODE_DIED -> "Node " + attempt.node() + " died";
            case CRASHED -> "Crashed node " + attempt.node();
            case FAILED, TIMED_OUT -> failureText(attempt);
        });
    }

    private static String failureText(Attempt attempt) {
        Failure failure = attempt.failure();
        String what = attempt.end() == Attempt.End.TIMED_OUT ? "Timed out" : "Failed";
        if (failure == null) {
            return what;
        }
        String line = what + " (" + failure.category() + "): " + failure.message();
        return failure.details() == null ? line : line + "\n" + failure.details().stripTrailing();
    }
}
