package dev.heddle;

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

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every public type, method and constant of the API has Javadoc, and every record documents its components. The
 * compiler's doclint finds what is missing; it also asks for tags that only repeat the first sentence, and those are
 * ignored here.
 */
class ApiDocumentationTest {

    private static final Path SOURCES = Path.of("src/main/java");
    private static final String API = "-Xdoclint/package:"
            + Stream.of("job", "pool", "store", "memory", "worker", "budget", "run", "search")
                    .map("dev.heddle."::concat).reduce((a, b) -> a + "," + b).orElseThrow();
    private static final Pattern RECORD = Pattern.compile("\\brecord\\s+\\w+");

    @TempDir
    Path directory;

    @Test
    void everyPublicElementOfTheApiIsDocumented() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(SOURCES)) {
            files = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
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
        assertThat(missing(List.of(file))).satisfiesExactlyInAnyOrder(
                found -> assertThat(found).isEqualTo("Sample.java:3: no @param for documented"),
                found -> assertThat(found).isEqualTo("Sample.java:4: no comment"));
    }

    private List<String> missing(List<Path> files) throws IOException {
        JavaCompiler compiler = requireNonNull(ToolProvider.getSystemJavaCompiler(), "compiler");
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(found, Locale.ROOT, UTF_8)) {
            compiler.getTask(
                    new StringWriter(), manager, found, List.of("-proc:none", "-Xlint:none", "-Xmaxwarns", "100000",
                            "-Xdoclint:missing/protected", API, "-d", directory.toString()),
                    null, manager.getJavaFileObjectsFromPaths(files)).call();
        }
        return found.getDiagnostics().stream().filter(diagnostic -> diagnostic.getSource() != null)
                .filter(ApiDocumentationTest::isWanted)
                .map(diagnostic -> Path.of(diagnostic.getSource().toUri()).getFileName() + ":"
                        + diagnostic.getLineNumber() + ": " + diagnostic.getMessage(Locale.ROOT))
                .toList();
    }

    private static boolean isWanted(Diagnostic<? extends JavaFileObject> diagnostic) {
        String message = diagnostic.getMessage(Locale.ROOT);
        return diagnostic.getKind() == Diagnostic.Kind.ERROR || message.contains("no comment")
                || message.contains("default constructor")
                || (message.contains("no @param for") && RECORD.matcher(line(diagnostic)).find());
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
