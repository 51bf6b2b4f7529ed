package dev.heddle.simulation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A fault that is put into the product on purpose, to see whether the simulation finds it: a patch in
 * {@code simulation/mutations}, which begins with a line that says what it breaks.
 *
 * @param root the directory of the project
 * @param patch the file of the patch
 */
record Mutation(Path root, Path patch) {

    private static final String CHANGED_FILE = "+++ b/";

    /** Returns all mutations, by name. */
    static List<Mutation> all(Path root) {
        try (Stream<Path> files = Files.list(root.resolve("simulation/mutations"))) {
            return files.filter(file -> file.toString().endsWith(".patch")).sorted()
                    .map(file -> new Mutation(root, file)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return patch.getFileName().toString().replace(".patch", "");
    }

    /** Plays seeds from 1 on with the mutated product; returns what {@link Simulate#firstViolation} does. */
    String play(long runs) {
        try {
            Path directory = Files.createTempDirectory("heddle-mutation");
            try (URLClassLoader mutated = new URLClassLoader(classPath(compiled(directory)),
                    ClassLoader.getPlatformClassLoader())) {
                return (String) mutated.loadClass(Simulate.class.getName())
                        .getMethod("firstViolation", long.class).invoke(null, runs);
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("cannot play " + name(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Checks that the patch still fits the product. */
    void compile() {
        try {
            Path directory = Files.createTempDirectory("heddle-mutation");
            try {
                compiled(directory);
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Compiles the files that the patch changes; returns where the classes are. */
    private Path compiled(Path directory) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String line : Files.readAllLines(patch)) {
            if (line.startsWith(CHANGED_FILE)) {
                String file = line.substring(CHANGED_FILE.length());
                Path source = directory.resolve(file);
                Files.createDirectories(source.getParent());
                Files.copy(root.resolve(file), source);
                sources.add(source);
            }
        }
        apply(directory);
        Path classes = Files.createDirectory(directory.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-nowarn", "-proc:none", "-d", classes.toString(), "-classpath",
                    System.getProperty("java.class.path"));
            if (!compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call()) {
                throw new IllegalStateException("the mutation " + name() + " does not compile");
            }
        }
        return classes;
    }

    private void apply(Path directory) throws IOException {
        Process git = new ProcessBuilder("git", "apply", patch.toAbsolutePath().toString())
                .directory(directory.toFile()).inheritIO().start();
        try {
            if (git.waitFor() != 0) {
                throw new IllegalStateException("the patch " + patch + " does not fit the product any more");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static URL[] classPath(Path first) {
        return Stream.concat(Stream.of(first),
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1)).map(Path::of))
                .map(Mutation::url).toArray(URL[]::new);
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        }
    }
}
