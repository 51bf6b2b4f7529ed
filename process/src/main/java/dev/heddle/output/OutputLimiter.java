package dev.heddle.output;

import java.io.IOException;

/**
 * Keeps the output of a running attempt within a size limit, which stdout and stderr share. Not thread-safe.
 */
public final class OutputLimiter {

    /** The default limit, 1 GiB. */
    public static final long DEFAULT_LIMIT = 1L << 30;

    private final CappedFile stdout;
    private final CappedFile stderr;
    private final long limit;
    private long lastSize;

    /**
     * Limits the output files of an attempt.
     *
     * @param limit the maximum number of bytes of both files together
     */
    public OutputLimiter(RunFiles files, long limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("the output limit must not be negative: " + limit);
        }
        this.stdout = new CappedFile(files.stdout());
        this.stderr = new CappedFile(files.stderr());
        this.limit = limit;
    }

    /**
     * Truncates files that are over the limit by more than the tail that is kept.
     *
     * @return whether anything was written since the last call
     */
    public boolean enforce() throws IOException {
        stdout.cap(limitBeside(stderr));
        stderr.cap(limitBeside(stdout));
        long size = stdout.size() + stderr.size();
        boolean changed = size != lastSize;
        lastSize = size;
        return changed;
    }

    /** Each file may have half of the limit, plus what the other file leaves unused. */
    private long limitBeside(CappedFile other) throws IOException {
        return Math.max(limit / 2, limit - other.size());
    }

    /**
     * Truncates both files to their final size. Call this after the processes have ended.
     *
     * @return whether anything was left out
     */
    public boolean finish() throws IOException {
        long stdoutLimit = limitBeside(stderr);
        long stderrLimit = limitBeside(stdout);
        boolean stdoutCut = stdout.finish(stdoutLimit);
        return stderr.finish(stderrLimit) || stdoutCut;
    }
}
