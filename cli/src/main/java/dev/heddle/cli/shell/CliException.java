package dev.heddle.cli.shell;

/** Ends a command with one line for people and an exit code for scripts. */
public final class CliException extends RuntimeException {

    private final Exit exit;

    public CliException(Exit exit, String message) {
        super(message);
        this.exit = exit;
    }

    public CliException(Exit exit, String message, Throwable cause) {
        super(message, cause);
        this.exit = exit;
    }

    /** The caller wrote something that cannot be meant; nothing was changed. */
    public static CliException usage(String message) {
        return new CliException(Exit.USAGE, message);
    }

    public Exit exit() {
        return exit;
    }
}
