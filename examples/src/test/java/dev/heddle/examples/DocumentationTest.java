package dev.heddle.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks that the links in the documentation lead somewhere and that the tests it names exist. */
class DocumentationTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");
    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(ROOT); Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs).filter(page -> page.toString().endsWith(".md")).sorted().toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void hasNoBrokenLinks(Path page) throws IOException {
        assertThat(LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll("")).results()
                .filter(link -> !targetExists(page, link)).map(MatchResult::group)).isEmpty();
    }

    private static boolean targetExists(Path page, MatchResult link) {
        Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
        return Files.exists(target)
                && (link.group(2) == null || anchors(target).anyMatch(link.group(2)::equals));
    }

    /** Derives the anchors from the headings like the usual Markdown viewers. */
    private static Stream<String> anchors(Path page) {
        try {
            return HEADING.matcher(CODE.matcher(Files.readString(page)).replaceAll("")).results()
                    .map(heading -> heading.group(1).toLowerCase(Locale.ROOT)
                            .replaceAll("[^\\p{L}\\p{N} _-]", "")
                            .replace(' ', '-'));
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    @Test
    void namesOnlyExistingTests() throws IOException {
        String table = Files.readString(ROOT.resolve("docs/design/process-requirements.md"));

        assertThat(NAMED_TEST.matcher(table).results().filter(test -> !exists(test.group(1), test.group(2)))
                .map(MatchResult::group)).isEmpty();
    }

    /** Looks only into source directories, because other tests create and delete files next to them. */
    private static boolean exists(String type, String method) {
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path sources : modules.map(module -> module.resolve("src")).filter(Files::isDirectory)
                    .toList()) {
                if (exists(sources, type, method)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean exists(Path sources, String type, String method) throws IOException {
        try (Stream<Path> files = Files.find(sources, 12, (file, _) -> file.endsWith(type + ".java"))) {
            for (Path file : files.toList()) {
                if (method == null || Files.readString(file).contains("void " + method + "(")) {
                    return true;
                }
            }
            return false;
        }
    }
}
