package dev.heddle.cli;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every public type, method and constant of the published modules has Javadoc, and every record of the core API
 * documents its components. The compiler's doclint finds what is missing; it also asks for tags that only repeat the
 * first sentence, and those are ignored here.
 */
class ApiDocumentationTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern RECORD = Pattern.compile("\\brecord\\s+\\w+");
    /** The engine is internal, and each constant of {@code Endpoints} has its summary as an argument. */
    private static final Pattern EXEMPT = Pattern.compile(".*/dev/heddle/(engine|env)/.*|.*/control/Endpoints\\.java");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"core", "store-sql", "process", "control", "server", "testkit"})
    void everyPublicElementIsDocumented(String module) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
            files = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        assertThat(files).isNotEmpty();
        assertThat(missing(files)).isEmpty();
    }

    @Test
    void findsWhatIsNotDocumented() throws IOException {
        Path file = Files.createDirectories(directory.resolve("dev/heddle/job")).resolve("Sample.java");
        Files.writeString(file, """
                package dev.heddle.job;
                /** A sample. */
                public record Sample(int documented) {
                    public int twice() {
                        return 2 * documented;
                    }
                }
                """);
        assertThat(missing(List.of(file))).containsExactly("Sample.java:4: no comment");
    }

    private List<String> missing(List<Path> files) throws IOException {
        JavaCompiler compiler = requireNonNull(ToolProvider.getSystemJavaCompiler(), "compiler");
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(found, Locale.ROOT, UTF_8)) {
            compiler.getTask(
                    new StringWriter(), manager, found, List.of("-proc:none", "-Xlint:none", "-Xmaxwarns", "100000",
                            "-Xdoclint:missing/protected", "-cp", System.getProperty("java.class.path"), "-d",
                            directory.toString()),
                    null, manager.getJavaFileObjectsFromPaths(files)).call();
        }
        return found.getDiagnostics().stream().filter(diagnostic -> diagnostic.getSource() != null)
                .filter(diagnostic -> !EXEMPT.matcher(path(diagnostic).toString()).matches())
                .filter(ApiDocumentationTest::isWanted)
                .map(diagnostic -> path(diagnostic).getFileName() + ":"
                        + diagnostic.getLineNumber() + ": " + diagnostic.getMessage(Locale.ROOT))
                .toList();
    }

    private static boolean isWanted(Diagnostic<? extends JavaFileObject> diagnostic) {
        String message = diagnostic.getMessage(Locale.ROOT);
        return diagnostic.getKind() == Diagnostic.Kind.ERROR || message.contains("no comment")
                || (message.contains("no @param for") && path(diagnostic).startsWith(ROOT.resolve("core"))
                        && RECORD.matcher(line(diagnostic)).find());
    }

    private static Path path(Diagnostic<? extends JavaFileObject> diagnostic) {
        return Path.of(diagnostic.getSource().toUri());
    }

    private static String line(Diagnostic<? extends JavaFileObject> diagnostic) {
        try {
            return diagnostic.getSource().getCharContent(true).toString().lines().skip(diagnostic.getLineNumber() - 1)
                    .findFirst().orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
