package dev.heddle.cli.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.FileErrors;

/**
 * Decides whether a home or a configuration may be used. Files that the user wrote may. A file that git tracks was
 * written by anyone who can commit to the repository, and a file of another user by that user: the user must run
 * {@code heddle trust} first, and for a configuration again after each change.
 */
public final class Trust {

    /** Set to 1 to trust everything, such as in continuous integration, which has reviewed what it runs. */
    public static final String VARIABLE = "HEDDLE_TRUST";

    private static final String NO_HASH = "-";

    private final Map<String, String> environment;

    /** Creates a decision for a user with these environment variables. */
    public Trust(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * Checks a directory or a file that may not exist.
     *
     * @param content the content of a file, which must be what is used afterwards; empty for a directory
     * @throws CliException if the user did not write it and does not trust it
     */
    public void require(Path path, byte[] content) {
        if ("1".equals(environment.get(VARIABLE))) {
            return;
        }
        doubt(path).ifPresent(why -> {
            String known = reading(path, () -> TrustFile.of(environment).entries()).get(key(path));
            if (known == null || !known.equals(hash(path, content))) {
                throw new CliException(ExitCode.DENIED, path + " " + why
                        + (known == null ? "" : " and has changed since you trusted it")
                        + ", and it decides which programs run with your secrets; read it, then run 'heddle trust "
                        + Objects.requireNonNullElse(path.getParent(), path) + "'");
            }
        });
    }

    /** Trusts those of these paths that need it, with their present content. Returns them. */
    List<Path> add(List<Path> paths) {
        List<Path> doubtful = paths.stream().filter(path -> doubt(path).isPresent()).toList();
        if (!doubtful.isEmpty()) {
            change(entries -> doubtful.forEach(path -> entries.put(key(path), hash(path, read(path)))));
        }
        return doubtful;
    }

    /** Trusts these paths no longer. Returns those that were trusted. */
    List<Path> remove(List<Path> paths) {
        List<Path> removed = new ArrayList<>();
        change(entries -> paths.stream().filter(path -> entries.remove(key(path)) != null).forEach(removed::add));
        return removed;
    }

    /** Returns all trusted paths. */
    List<String> list() {
        TrustFile file = TrustFile.of(environment);
        return reading(file.file(), () -> List.copyOf(file.entries().keySet()));
    }

    private interface Change {
        void apply(Map<String, String> entries);
    }

    private void change(Change change) {
        TrustFile file = TrustFile.of(environment);
        Map<String, String> entries = reading(file.file(), file::entries);
        change.apply(entries);
        try {
            file.write(entries);
        } catch (IOException e) {
            throw new CliException(ExitCode.DENIED, "cannot write " + file.file() + ": " + e.getMessage(), e);
        }
    }

    /** Returns why a path may not be the user's own; empty if it is or does not exist. */
    private Optional<String> doubt(Path path) {
        return reading(path, () -> {
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS) || !Files.exists(path)) {
                return Optional.empty();
            }
            if (FileOwner.isForeign(path, environment)) {
                return Optional.of("belongs to " + Files.getOwner(path).getName());
            }
            return GitIndex.tracks(path) ? Optional.of("is tracked by git") : Optional.empty();
        });
    }

    /** Returns the path under which a file is trusted, whichever way leads to it. */
    private static String key(Path path) {
        return reading(path, () -> Files.exists(path) ? path.toRealPath().toString()
                : path.toAbsolutePath().normalize().toString());
    }

    private static byte[] read(Path path) {
        return reading(path, () -> Files.isDirectory(path) ? new byte[0] : Files.readAllBytes(path));
    }

    private static String hash(Path path, byte[] content) {
        if (Files.isDirectory(path)) {
            return NO_HASH;
        }
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T reading(Path path, Reading<T> reading) {
        try {
            return reading.read();
        } catch (IOException e) {
            throw FileErrors.reading(path, e);
        }
    }
}
