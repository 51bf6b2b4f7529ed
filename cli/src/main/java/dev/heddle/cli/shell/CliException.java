package dev.heddle.cli.shell;

/** Ends a command with a one-line message and an exit code. */
public final class CliException extends RuntimeException {

    private final ExitCode exit;

    /** Creates an exception that has no cause. */
    public CliException(ExitCode exit, String message) {
        super(message);
        this.exit = exit;
    }

    /** Creates an exception that keeps its cause for the debug log. */
    public CliException(ExitCode exit, String message, Throwable cause) {
        super(message, cause);
        this.exit = exit;
    }

    /** Returns an exception for invalid input that was rejected before anything changed. */
    public static CliException usage(String message) {
        return new CliException(ExitCode.USAGE, message);
    }

    /** Returns the exit code of the command. */
    public ExitCode exit() {
        return exit;
    }
}
