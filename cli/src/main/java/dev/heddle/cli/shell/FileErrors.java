package dev.heddle.cli.shell;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Turns errors on files that the caller named into a message and an exit code. */
public final class FileErrors {

    private FileErrors() {}

    /** Returns the error for a file that cannot be read. */
    public static CliException reading(Path file, IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> new CliException(ExitCode.NOT_FOUND, file + " does not exist", e);
            case AccessDeniedException _ ->
                new CliException(ExitCode.DENIED, "cannot read " + file + ": permission denied", e);
            case MalformedInputException _ -> new CliException(ExitCode.USAGE, file + " is not UTF-8 text", e);
            default -> new CliException(ExitCode.USAGE, "cannot read " + file + ": " + reason(e), e);
        };
    }

    /** Returns the error for a file that cannot be written. */
    public static CliException writing(Path file, IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> new CliException(ExitCode.NOT_FOUND,
                    "cannot write " + file + ": no such directory: " + file.toAbsolutePath().getParent(), e);
            case AccessDeniedException _ ->
                new CliException(ExitCode.DENIED, "cannot write " + file + ": permission denied", e);
            default -> new CliException(ExitCode.FAILED, "cannot write " + file + ": " + reason(e), e);
        };
    }

    /** Returns the reason the system gives, without the file name. */
    private static String reason(IOException e) {
        return e instanceof FileSystemException system && system.getReason() != null ? system.getReason()
                : String.valueOf(e.getMessage());
    }
}
