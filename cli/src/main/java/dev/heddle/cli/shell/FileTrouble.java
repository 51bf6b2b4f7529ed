package dev.heddle.cli.shell;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Why a file that the caller named cannot be used, as one line and an exit code. */
public final class FileTrouble {

    private FileTrouble() {}

    public static CliException reading(Path file, IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> new CliException(Exit.NOT_FOUND, file + " does not exist", e);
            case AccessDeniedException _ ->
                new CliException(Exit.DENIED, "cannot read " + file + ": it is not for you", e);
            case MalformedInputException _ -> new CliException(Exit.USAGE, file + " is not UTF-8 text", e);
            default -> new CliException(Exit.USAGE, "cannot read " + file + ": " + words(e), e);
        };
    }

    public static CliException writing(Path file, IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> new CliException(Exit.NOT_FOUND, "cannot write " + file
                    + ": there is no directory " + file.toAbsolutePath().getParent(), e);
            case AccessDeniedException _ ->
                new CliException(Exit.DENIED, "cannot write " + file + ": it is not for you", e);
            default -> new CliException(Exit.FAILED, "cannot write " + file + ": " + words(e), e);
        };
    }

    /** What the system says, without the name of the file and of Java's exception. */
    private static String words(IOException e) {
        return e instanceof FileSystemException system && system.getReason() != null ? system.getReason()
                : String.valueOf(e.getMessage());
    }
}
