package dev.heddle.control;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.run.Run;
import dev.heddle.run.Run.Channel;
import dev.heddle.run.RunArchive;
import org.jspecify.annotations.Nullable;

/** What jobs' processes wrote: from files where they are here, else the end that the store has. */
record Outputs(Ground ground, NodeFiles files) {

    private static final int MOST = 256 << 10;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    List<Run> runs(JobId job) {
        return ground.runs().map(archive -> archive.runs(job)).orElse(List.of());
    }

    ConversationView conversation(JobId job, @Nullable Integer attempt) {
        return files.conversation(job, attempt)
                .orElseThrow(() -> ControlException.notFound(noConversation(job, attempt)));
    }

    private String noConversation(JobId job, @Nullable Integer attempt) {
        int attempts = ground.find(job).map(found -> found.counts().attempt()).orElse(0);
        if (attempt != null && attempt > attempts) {
            return "job " + job + " has " + (attempts == 1 ? "1 attempt" : attempts + " attempts")
                    + ", and no attempt " + attempt;
        }
        List<Run> spoken = runs(job).stream().filter(run -> run.usage() != null).toList();
        return spoken.isEmpty()
                ? "no agent has spoken " + (attempt == null ? "" : "in attempt " + attempt + " ") + "of job "
                        + job
                : "the conversation of job " + job + " is in the files at " + spoken.getLast().place()
                        + "; ask the node there";
    }

    OutputPiece piece(JobId job, OutputQuery query) {
        Channel channel = Objects.requireNonNullElse(query.channel(), Channel.STDOUT);
        long offset = Objects.requireNonNullElse(query.offset(), 0L);
        if (offset < 0) {
            throw ControlException.invalid("offset must not be negative: " + offset);
        }
        Duration timeout = Objects.requireNonNullElse(query.timeout(), Duration.ZERO);
        long deadline = System.nanoTime() + Translation.between("timeout", Duration.ZERO, timeout).toNanos();
        while (true) {
            OutputPiece piece = now(job, query, channel, offset);
            if (piece.last() || piece.next() > offset || System.nanoTime() - deadline >= 0) {
                return piece;
            }
            pause();
        }
    }

    private OutputPiece now(JobId id, OutputQuery query, Channel channel, long offset) {
        // The state first: what is written after it is read below.
        Job job = ground.find(id).orElseThrow(() -> ControlException.notFound("job " + id + " was deleted"));
        List<Run> runs = runs(id);
        int attempt = query.attempt() != null ? query.attempt()
                : runs.isEmpty() ? 0 : runs.getLast().attempt();
        Run run = runs.stream().filter(one -> one.attempt() == attempt).findFirst().orElse(null);
        if (run == null && query.attempt() != null && attempt <= job.counts().attempt()
                && !isRunning(job, attempt)) {
            throw ControlException.notFound("attempt " + attempt + " of job " + id + " left no output"
                    + (runs.isEmpty() ? "" : "; those that did: "
                            + String.join(", ",
                                    runs.stream().map(one -> String.valueOf(one.attempt())).toList())));
        }
        byte[] bytes = run == null ? new byte[0] : read(run, channel, offset);
        boolean over = attempt == 0 ? job.state().isFinal() : !isRunning(job, attempt);
        return OutputPiece.of(id.toString(), attempt, channel, offset, bytes, over && bytes.length == 0);
    }

    /** Also where it is cancelled and has not ended, as long as a node has it. */
    private static boolean isRunning(Job job, int attempt) {
        return job.counts().attempt() == attempt && (job.state().isHeld() || job.status().node() != null);
    }

    private byte[] read(Run run, Channel channel, long offset) {
        return files.output(run, channel, offset, MOST).orElseGet(() -> {
            byte[] end = ground.runs().flatMap(archive -> archive.output(run.job(), run.attempt()))
                    .orElse(RunArchive.Output.NONE).of(channel).getBytes(StandardCharsets.UTF_8);
            int from = (int) Math.min(offset, end.length);
            return Arrays.copyOfRange(end, from, Math.min(end.length, from + MOST));
        });
    }

    boolean hasLog(String worker) {
        return files.log(worker, 0, 1).isPresent();
    }

    LogPiece log(String worker, long offset, Duration timeout) {
        if (offset < 0) {
            throw ControlException.invalid("offset must not be negative: " + offset);
        }
        long deadline = System.nanoTime() + Translation.between("timeout", Duration.ZERO, timeout).toNanos();
        while (true) {
            // Shorter than it was: begun anew.
            LogPiece piece = files.log(worker, offset, MOST).map(bytes -> LogPiece.of(worker, offset, bytes))
                    .or(() -> files.log(worker, 0, MOST).map(bytes -> LogPiece.of(worker, 0, bytes)))
                    .orElseGet(() -> LogPiece.of(worker, 0, new byte[0]));
            if (piece.next() > piece.offset() || System.nanoTime() - deadline >= 0) {
                return piece;
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(BETWEEN_LOOKS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ControlException(Kind.UNREACHABLE, "interrupted while waiting for output", e);
        }
    }
}
