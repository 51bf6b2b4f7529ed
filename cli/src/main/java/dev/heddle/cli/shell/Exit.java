package dev.heddle.cli.shell;

/** What the command's exit codes mean; scripts rely on them. */
public final class Exit {

    public static final int OK = 0;
    /** The job, or the command, failed. */
    public static final int FAILED = 1;
    /** Wrong usage or configuration; nothing was changed. */
    public static final int USAGE = 2;

    private Exit() {}
}
