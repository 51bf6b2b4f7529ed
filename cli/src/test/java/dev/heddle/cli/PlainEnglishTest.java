package dev.heddle.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Refuses phrases that read as translated, in the docs, in comments, in help texts and in messages. Each has a plain
 * replacement; add a phrase here if a reader stumbles over it twice.
 */
class PlainEnglishTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** "where" for "if", pronouns that point at nobody, and words that only a dictionary suggests. */
    private static final Pattern RETIRED = Pattern.compile(
            "\\b(empty|null|false|none|true|zero) (?-i:where)\\b|\\bwhoever\\b|\\bsomebody\\b|\\bwhat becomes of\\b|\\banew\\b"
                    + "|\\beverything of its\\b|, which is none\\b|\\bgoes along\\b|\\bgives way\\b|\\bcannot be meant\\b"
                    + "|\\bis for .{1,40} to say\\b|\\bhanded back\\b|\\bgiven back\\b|\\bthe way of a\\b"
                    + "|\\bnot there yet\\b|\\bcloses in order\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern TEXT_FILE = Pattern.compile(".*\\.(md|java|sql|py|yaml|yml|xml)");
    private static final Pattern SKIPPED = Pattern
            .compile("(?:.*/)?(?:target|\\.git|\\.heddle|node_modules|__pycache__)(?:/.*)?|.*/PlainEnglishTest\\.java");

    @Test
    void isWhatUsersAndDevelopersRead() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files()) {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                if (RETIRED.matcher(lines.get(i)).find()) {
                    found.add(ROOT.relativize(file) + ":" + (i + 1) + ": " + lines.get(i).strip());
                }
            }
        }

        assertThat(found).as("sentences that read as translated; rewrite them").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Returns the job, empty where there is none.", "Whoever waits is told.", "it starts anew",
        "What cannot be meant is answered by one line.", "whether it was live is for the caller to say"})
    void catchesRetiredPhrases(String sentence) {
        assertThat(RETIRED.matcher(sentence).find()).isTrue();
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            List<Path> files = all.filter(file -> TEXT_FILE.matcher(file.toString()).matches())
                    .filter(file -> !SKIPPED.matcher(ROOT.relativize(file).toString()).matches())
                    .filter(Files::isRegularFile).toList();
            assertThat(files).as("files to read").hasSizeGreaterThan(500);
            return files;
        }
    }
}
