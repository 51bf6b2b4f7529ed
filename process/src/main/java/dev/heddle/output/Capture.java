package dev.heddle.output;

import java.io.IOException;

/** The output of an attempt while it runs: both streams together stay within a limit. One thread uses it. */
public final class Capture {

    /** 1 GB. */
    public static final long STANDARD_LIMIT = 1L << 30;

    private final OutputFile stdout;
    private final OutputFile stderr;
    private final long limit;
    private long seen;

    public Capture(RunFiles files, long limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("the limit of the output must not be negative: " + limit);
        }
        this.stdout = new OutputFile(files.stdout());
        this.stderr = new OutputFile(files.stderr());
        this.limit = limit;
    }

    /** Keeps the files within the limit; says whether anything was written since the last look. */
    public boolean check() throws IOException {
        stdout.cap(limitOf(stderr));
        stderr.cap(limitOf(stdout));
        long now = stdout.size() + stderr.size();
        boolean changed = now != seen;
        seen = now;
        return changed;
    }

    /** Each has half for sure, and more of what the other does not need. */
    private long limitOf(OutputFile other) throws IOException {
        return Math.max(limit / 2, limit - other.size());
    }

    /** The processes have ended. Says whether something had to be left out. */
    public boolean finish() throws IOException {
        long ofStdout = limitOf(stderr);
        long ofStderr = limitOf(stdout);
        boolean cutStdout = stdout.finish(ofStdout);
        return stderr.finish(ofStderr) || cutStdout;
    }
}
