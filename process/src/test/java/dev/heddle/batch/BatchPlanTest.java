package dev.heddle.batch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BatchPlanTest {

    @TempDir
    private Path directory;

    private BatchPlan plan(String template, String file, String content) {
        try {
            Files.writeString(directory.resolve(file), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return plan(template, file);
    }

    private BatchPlan plan(String template, String given) {
        return BatchPlan.of("docs", new PromptTemplate("prompt.md", template), UnitSource.of(directory, given));
    }

    private static List<String> prompts(BatchPlan plan) {
        return plan.units().stream().map(plan.template()::fill).toList();
    }

    private void assertRejected(String message, String template, String file, String content) {
        assertThatThrownBy(() -> plan(template, file, content)).isInstanceOf(BatchException.class)
                .hasMessage(message.replace("$DIR", directory.toString()));
    }

    @Test
    void readsJsonLines() {
        BatchPlan plan = plan("Fix {{ title }} ({{id}}), {{tags}}: {{literal braces}}", "u.jsonl", """
                {"id": 1, "title": "$1 \\\\ {{id}}", "tags": ["a"]}

                {"id": 2, "title": "two", "tags": {}}""");
        assertThat(prompts(plan)).containsExactly("Fix $1 \\ {{id}} (1), [\"a\"]: {{literal braces}}",
                "Fix two (2), {}: {{literal braces}}");
    }

    @Test
    void readsCsvWithQuotesAndLineEnds() {
        BatchPlan plan = plan("{{id}}={{text}}", "u.csv", "\uFEFFid, text\r\n1,\"a, \"\"b\"\"\nc\"\r\n\r\n2,\n3,d");
        assertThat(prompts(plan)).containsExactly("1=a, \"b\"\nc", "2=", "3=d");
        assertThat(plan.units()).extracting(Unit::origin).containsExactly(directory + "/u.csv:2",
                directory + "/u.csv:5", directory + "/u.csv:6");
    }

    @Test
    void readsFilesByAGlob() throws IOException {
        Files.createDirectories(directory.resolve("src/deep"));
        Files.createDirectories(directory.resolve("src/.git"));
        for (String file : List.of("src/b.java", "src/deep/a.java", "src/deep/a.txt", "src/.git/c.java")) {
            Files.writeString(directory.resolve(file), "");
        }
        assertThat(prompts(plan("{{path}} {{name}}", "src/**/*.java"))).containsExactly("src/b.java b.java",
                "src/deep/a.java a.java");
        assertThatThrownBy(() -> plan("{{path}}", "*.kt")).isInstanceOf(BatchException.class)
                .hasMessage("*.kt has no units; no file below " + directory + " matches it");
    }

    @Test
    void namesAMissingFieldAndTheAvailableOnes() {
        assertRejected("prompt.md contains {{titel}}, but $DIR/u.csv:2 has no such field; it has id, title",
                "{{titel}}", "u.csv", "title,id\nx,1\n");
        assertRejected("prompt.md contains {{title}}, but $DIR/u.jsonl:2 has no such field; it has id", "{{title}}",
                "u.jsonl", "{\"title\":\"x\"}\n{\"id\":1}\n");
        assertRejected("prompt.md contains {{title}}, but $DIR/u.jsonl:1 has no such field; it has no fields",
                "{{title}}", "u.jsonl", "{}");
    }

    @Test
    void rejectsInvalidListsWithFileAndLine() {
        assertRejected("$DIR/u.csv:3: 3 values, but the first line has 2 fields (id, title)", "x", "u.csv",
                "id,title\n1,a\n2,b,c\n");
        assertRejected("$DIR/u.csv:2: 1 value, but the first line has 2 fields (id, title)", "x", "u.csv",
                "id,title\n1\n");
        assertRejected("$DIR/u.csv:2: a quoted value has no closing quote", "x", "u.csv", "id\n\"1\n2\n");
        assertRejected("$DIR/u.csv:2: unexpected text after a closing quote; write a quote within a quoted value twice",
                "x", "u.csv", "id\n\"1\"2\n");
        assertRejected("$DIR/u.csv:1: there are two fields 'id'", "x", "u.csv", "id,id\n1,2\n");
        assertRejected("$DIR/u.csv:1: a field has no name", "x", "u.csv", "id,\n1,2\n");
        assertRejected("$DIR/u.csv is empty; the first line must name the fields", "x", "u.csv", "\n");
        assertRejected("$DIR/u.csv has no units", "x", "u.csv", "id\n");
        assertRejected("$DIR/u.jsonl has no units", "x", "u.jsonl", "\n\n");
        assertRejected("$DIR/u.jsonl:1 is not a JSON object such as {\"id\": 1}", "x", "u.jsonl", "[1]");
        assertRejected("prompt.md: the prompt is blank", " ", "u.csv", "id\n1\n");
        assertRejected(
                "'u.txt' is not a list of units; give a file that ends in .jsonl or .csv, or a glob such as src/**/*.java",
                "x", "u.txt", "");
        assertThatThrownBy(() -> plan("x", "gone.csv")).hasMessage(directory + "/gone.csv does not exist");
        assertThatThrownBy(() -> plan("x", "u.jsonl", "{\"a\":1}\n{\"a\":")).isInstanceOf(BatchException.class)
                .hasMessageStartingWith(directory + "/u.jsonl:2 is not JSON: ").hasMessageNotContaining("\n");
        assertThatThrownBy(() -> BatchPlan.of("a/b", new PromptTemplate("p", "x"), UnitSource.of(directory, "u.csv")))
                .hasMessageStartingWith("'a/b' is not a valid batch name");
    }

    @Test
    void identifiesABatchByNameAndTemplateAndAUnitByItsPayload() {
        BatchPlan plan = plan("{{a}}", "u.jsonl", "{\"a\":1,\"b\":{\"y\":1,\"x\":2}}\n{\"a\":2}\n");
        BatchPlan sameAgain = plan("{{a}}", "u.jsonl", "{\"a\":2}\n{\"b\":{\"x\":2,\"y\":1},\"a\":1}\n{ \"a\" : 2 }\n");
        assertThat(sameAgain.id()).isEqualTo(plan.id());
        assertThat(sameAgain.units()).extracting(sameAgain::dedupeKey)
                .containsExactlyInAnyOrderElementsOf(plan.units().stream().map(plan::dedupeKey).toList());
        assertThat(sameAgain.repeated()).isEqualTo(1);
        assertThat(plan("{{a}}!", "u.jsonl", "{\"a\":1}").id()).isNotEqualTo(plan.id());
        assertThat(plan("{{a}}", "u.jsonl", "{\"a\":\"1\"}").units().getFirst().id())
                .isNotEqualTo(plan.units().getFirst().id());
    }
}
