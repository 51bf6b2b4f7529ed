package dev.heddle.output;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;

/**
 * Selects files of a working directory by globs and copies them out of it. Files outside of the directory are never
 * copied: globs that leave it are rejected on creation, symbolic links that leave it when files are collected.
 */
public final class Artifacts {

    private final List<String> globs;
    private final List<PathMatcher> matchers;

    /**
     * The result of a collection.
     *
     * @param artifacts the files that were copied
     * @param rejected the files that match but were not copied, each with the reason
     */
    public record Collected(List<Run.Artifact> artifacts, List<String> rejected) {}

    private Artifacts(List<String> globs, List<PathMatcher> matchers) {
        this.globs = globs;
        this.matchers = matchers;
    }

    /**
     * Selects the files that match any of the globs.
     *
     * @param globs such as {@code build/reports/**}; a directory selects everything in it
     * @throws IllegalArgumentException if a glob is invalid or leaves the directory
     */
    public static Artifacts of(List<String> globs) {
        List<PathMatcher> matchers = new ArrayList<>();
        for (String glob : globs) {
            check(glob);
            String plain = glob.replaceAll("^(\\./)+", "").replaceAll("/+$", "");
            matchers.add(matcher(glob, plain));
            if (plain.startsWith("**/")) {
                // Java's "**/" requires a directory; everywhere else it also matches none.
                matchers.add(matcher(glob, plain.substring(3)));
            }
        }
        return new Artifacts(List.copyOf(globs), List.copyOf(matchers));
    }

    private static void check(String glob) {
        if (glob.isBlank() || glob.startsWith("/") || glob.startsWith("\\") || glob.matches("[A-Za-z]:.*")
                || List.of(glob.split("[/\\\\{},]", -1)).contains("..")) {
            throw new IllegalArgumentException("artifact '" + glob
                    + "' is outside of the working directory; give a path within it, such as build/reports/**");
        }
    }

    private static PathMatcher matcher(String given, String glob) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + glob);
        } catch (PatternSyntaxException | InvalidPathException e) {
            throw new IllegalArgumentException("artifact '" + given + "' is not a valid glob: " + e.getMessage(), e);
        }
    }

    /** Returns the globs as they were given. */
    public List<String> globs() {
        return globs;
    }

    /**
     * Copies the matching files. Call this after all processes that write to the directory have ended.
     *
     * @param directory the working directory
     * @param to where to copy the files, keeping their relative paths
     */
    public Collected collect(Path directory, Path to) throws IOException {
        List<Run.Artifact> artifacts = new ArrayList<>();
        List<String> rejected = new ArrayList<>();
        if (!globs.isEmpty()) {
            Path root = directory.toRealPath();
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
                    return entered.equals(root.resolve(".git")) ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Path relative = root.relativize(file);
                    if (matches(relative)) {
                        collect(relative, attributes);
                    }
                    return FileVisitResult.CONTINUE;
                }

                private void collect(Path relative, BasicFileAttributes attributes) throws IOException {
                    String name = relative.toString().replace('\\', '/');
                    Path file = root.resolve(relative);
                    String problem = problem(root, file, attributes);
                    if (problem == null) {
                        artifacts.add(new Run.Artifact(name, copy(file, to.resolve(relative))));
                    } else {
                        rejected.add(name + ": " + problem);
                    }
                }
            });
        }
        return new Collected(List.copyOf(artifacts), List.copyOf(rejected));
    }

    private boolean matches(Path relative) {
        for (int names = 1; names <= relative.getNameCount(); names++) {
            Path part = relative.subpath(0, names);
            if (matchers.stream().anyMatch(matcher -> matcher.matches(part))) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String problem(Path root, Path file, BasicFileAttributes attributes) throws IOException {
        if (attributes.isSymbolicLink()) {
            if (!Files.exists(file)) {
                return "a symbolic link to a file that does not exist";
            }
            if (!file.toRealPath().startsWith(root)) {
                return "a symbolic link that leaves the working directory";
            }
            return Files.isRegularFile(file) ? null : "a symbolic link to a directory";
        }
        return attributes.isRegularFile() ? null : "not a regular file";
    }

    private static long copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(from.toRealPath(), to, StandardCopyOption.REPLACE_EXISTING, LinkOption.NOFOLLOW_LINKS);
        return Files.size(to);
    }
}
