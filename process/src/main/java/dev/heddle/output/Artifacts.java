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
 * The files of a directory that globs name, to be copied out of it. Nothing from outside of the directory comes along:
 * globs that lead out are refused when this is made, symbolic links that lead out when files are collected.
 */
public final class Artifacts {

    private final List<String> globs;
    private final List<PathMatcher> matchers;

    /**
     * What came of it.
     *
     * @param refused what was named and not copied, each with the reason
     */
    public record Collected(List<Run.Artifact> artifacts, List<String> refused) {}

    private Artifacts(List<String> globs, List<PathMatcher> matchers) {
        this.globs = globs;
        this.matchers = matchers;
    }

    /**
     * What these name.
     *
     * @param globs such as {@code build/reports/**}; a directory stands for all that is in it
     * @throws IllegalArgumentException for a glob that is none, or that leads out of the directory
     */
    public static Artifacts of(List<String> globs) {
        List<PathMatcher> matchers = new ArrayList<>();
        for (String glob : globs) {
            check(glob);
            String plain = glob.replaceAll("^(\\./)+", "").replaceAll("/+$", "");
            matchers.add(matcher(glob, plain));
            if (plain.startsWith("**/")) {
                // For everybody but Java this is also what lies at the top.
                matchers.add(matcher(glob, plain.substring(3)));
            }
        }
        return new Artifacts(List.copyOf(globs), List.copyOf(matchers));
    }

    private static void check(String glob) {
        if (glob.isBlank() || glob.startsWith("/") || glob.startsWith("\\") || glob.matches("[A-Za-z]:.*")
                || List.of(glob.split("[/\\\\{},]", -1)).contains("..")) {
            throw new IllegalArgumentException("artifact '" + glob
                    + "' leads out of the working directory; give a path within it, such as build/reports/**");
        }
    }

    private static PathMatcher matcher(String given, String glob) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + glob);
        } catch (PatternSyntaxException | InvalidPathException e) {
            throw new IllegalArgumentException("artifact '" + given + "' is no glob: " + e.getMessage(), e);
        }
    }

    public List<String> globs() {
        return globs;
    }

    /** Copies what matches; nobody may be writing there any more. */
    public Collected collect(Path directory, Path to) throws IOException {
        List<Run.Artifact> artifacts = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        if (!globs.isEmpty()) {
            Path root = directory.toRealPath();
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
                    return entered.equals(root.resolve(".git")) ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                        throws IOException {
                    Path relative = root.relativize(file);
                    if (matches(relative)) {
                        take(root, relative, attributes);
                    }
                    return FileVisitResult.CONTINUE;
                }

                private void take(Path from, Path relative, BasicFileAttributes attributes)
                        throws IOException {
                    String name = relative.toString().replace('\\', '/');
                    String wrong = wrong(from, from.resolve(relative), attributes);
                    if (wrong == null) {
                        artifacts.add(
                                new Run.Artifact(name, copy(from.resolve(relative), to.resolve(relative))));
                    } else {
                        refused.add(name + ": " + wrong);
                    }
                }
            });
        }
        return new Collected(List.copyOf(artifacts), List.copyOf(refused));
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

    private static @Nullable String wrong(Path root, Path file, BasicFileAttributes attributes)
            throws IOException {
        if (attributes.isSymbolicLink()) {
            if (!Files.exists(file)) {
                return "a symbolic link that leads nowhere";
            }
            if (!file.toRealPath().startsWith(root)) {
                return "a symbolic link that leads out of the working directory";
            }
            return Files.isRegularFile(file) ? null : "a symbolic link to a directory";
        }
        return attributes.isRegularFile() ? null : "not a file";
    }

    private static long copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(from.toRealPath(), to, StandardCopyOption.REPLACE_EXISTING, LinkOption.NOFOLLOW_LINKS);
        return Files.size(to);
    }
}
