package dev.heddle.control.local;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.ConversationView;
import dev.heddle.control.model.LogChunk;
import dev.heddle.control.model.OutputChunk;
import dev.heddle.control.model.OutputQuery;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.run.Run;
import dev.heddle.run.Run.Channel;
import dev.heddle.run.RunArchive;
import org.jspecify.annotations.Nullable;

/**
 * Reads the output of processes, conversations of agents and logs of workers: from files if this machine has them,
 * otherwise the end of the output that the store keeps.
 */
record OutputReader(Backend backend, NodeFiles files) {

    private static final int MAX_CHUNK = 256 << 10;
    private static final Duration POLL = Duration.ofMillis(50);

    ConversationView conversation(JobId job, @Nullable Integer attempt) {
        return files.conversation(job, attempt)
                .orElseThrow(() -> ControlException.notFound(noConversation(job, attempt)));
    }

    private String noConversation(JobId job, @Nullable Integer attempt) {
        int attempts = backend.jobs().find(job).map(found -> found.counts().attempt()).orElse(0);
        if (attempt != null && attempt > attempts) {
            return "job " + job + " has no attempt " + attempt + ", only "
                    + (attempts == 1 ? "1 attempt" : attempts + " attempts");
        }
        List<Run> agentRuns = backend.runs(job).stream().filter(run -> run.usage() != null).toList();
        return agentRuns.isEmpty()
                ? "job " + job + " has no conversation" + (attempt == null ? "" : " in attempt " + attempt)
                        + ": no agent ran"
                : "the conversation of job " + job + " is stored at " + agentRuns.getLast().place()
                        + "; ask the node there";
    }

    /** Returns a chunk of output, and waits for one up to the timeout of the query while the attempt runs. */
    OutputChunk output(JobId job, OutputQuery query) {
        Channel channel = Objects.requireNonNullElse(query.channel(), Channel.STDOUT);
        long offset = InputChecks.offset(Objects.requireNonNullElse(query.offset(), 0L));
        long deadline = deadline(Objects.requireNonNullElse(query.timeout(), Duration.ZERO));
        while (true) {
            OutputChunk chunk = currentOutput(job, query, channel, offset);
            if (chunk.last() || chunk.next() > offset || System.nanoTime() - deadline >= 0) {
                return chunk;
            }
            pause();
        }
    }

    private static long deadline(Duration timeout) {
        return System.nanoTime() + InputChecks.notNegative("timeout", timeout).toNanos();
    }

    private OutputChunk currentOutput(JobId id, OutputQuery query, Channel channel, long offset) {
        // The state is read before the output: whatever the job wrote before it ended is then seen below.
        Job job = backend.jobs().find(id).orElseThrow(() -> ControlException.notFound("job " + id + " was deleted"));
        List<Run> runs = backend.runs(id);
        int attempt = query.attempt() != null ? query.attempt() : runs.isEmpty() ? 0 : runs.getLast().attempt();
        Run run = runs.stream().filter(one -> one.attempt() == attempt).findFirst().orElse(null);
        if (run == null && query.attempt() != null && attempt <= job.counts().attempt() && !isRunning(job, attempt)) {
            throw ControlException.notFound("attempt " + attempt + " of job " + id + " left no output"
                    + (runs.isEmpty() ? "" : "; attempts with output: " + runs.stream()
                            .map(one -> String.valueOf(one.attempt())).collect(Collectors.joining(", "))));
        }
        byte[] bytes = run == null ? new byte[0] : read(run, channel, offset);
        boolean ended = attempt == 0 ? job.state().isFinal() : !isRunning(job, attempt);
        return OutputChunk.of(id.toString(), attempt, channel, offset, bytes, ended && bytes.length == 0);
    }

    /** Returns whether a node has the attempt, which it may also have for a while after the job was cancelled. */
    private static boolean isRunning(Job job, int attempt) {
        return job.counts().attempt() == attempt && (job.state().isHeld() || job.status().node() != null);
    }

    private byte[] read(Run run, Channel channel, long offset) {
        return files.output(run, channel, offset, MAX_CHUNK).orElseGet(() -> {
            RunArchive.Output kept = backend.jobs().capability(RunArchive.class)
                    .flatMap(archive -> archive.output(run.job(), run.attempt())).orElse(RunArchive.Output.EMPTY);
            if (run.exitCode() == null && kept.equals(RunArchive.Output.EMPTY)) {
                throw ControlException.notFound("the output of attempt " + run.attempt() + " of job " + run.job()
                        + " is at " + run.place() + " while it runs; ask the node there");
            }
            byte[] end = kept.of(channel).getBytes(StandardCharsets.UTF_8);
            int from = (int) Math.min(offset, end.length);
            return Arrays.copyOfRange(end, from, Math.min(end.length, from + MAX_CHUNK));
        });
    }

    boolean hasLog(String worker) {
        return files.log(worker, 0, 1).isPresent();
    }

    /** Returns a chunk of a worker's log, and waits for one up to the timeout. */
    LogChunk log(String worker, long offset, Duration timeout) {
        InputChecks.offset(offset);
        long deadline = deadline(timeout);
        while (true) {
            LogChunk chunk = files.log(worker, offset, MAX_CHUNK).orElseGet(() -> LogChunk.of(worker, 0, new byte[0]));
            if (chunk.next() > chunk.offset() || System.nanoTime() - deadline >= 0) {
                return chunk;
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ControlException(Kind.UNREACHABLE, "interrupted while waiting for output", e);
        }
    }
}
