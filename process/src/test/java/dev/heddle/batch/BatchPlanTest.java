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

    @TempDir private Path directory;

    private BatchPlan plan(String template, String file, String content) {
        try {
            Files.writeString(directory.resolve(file), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return plan(template, file);
    }

    private BatchPlan plan(String template, String given) {
        return BatchPlan.of("docs", new PromptTemplate("prompt.md", template), Source.of(directory, given));
    }

    private static List<String> prompts(BatchPlan plan) {
        return plan.units().stream().map(plan.template()::fill).toList();
    }

    private void refused(String message, String template, String file, String content) {
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
    void readsCsvWithQuotesAndLineEndsInIt() {
        BatchPlan plan = plan("{{id}}={{text}}", "u.csv",
                "\uFEFFid, text\r\n1,\"a, \"\"b\"\"\nc\"\r\n\r\n2,\n3,d");
        assertThat(prompts(plan)).containsExactly("1=a, \"b\"\nc", "2=", "3=d");
        assertThat(plan.units()).extracting(Unit::origin).containsExactly(directory + "/u.csv:2",
                directory + "/u.csv:5",
                directory + "/u.csv:6");
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
                .hasMessage("*.kt has no units; no file below " + directory + " has such a name");
    }

    @Test
    void aFieldThatAUnitDoesNotHaveIsNamedBesideThoseThatItHas() {
        refused("prompt.md has {{titel}}, which $DIR/u.csv:2 does not have; it has id, title", "{{titel}}",
                "u.csv",
                "title,id\nx,1\n");
        refused("prompt.md has {{title}}, which $DIR/u.jsonl:2 does not have; it has id", "{{title}}",
                "u.jsonl",
                "{\"title\":\"x\"}\n{\"id\":1}\n");
        refused("prompt.md has {{title}}, which $DIR/u.jsonl:1 does not have; it has none", "{{title}}",
                "u.jsonl", "{}");
    }

    @Test
    void badListsAreRefusedWithTheirLine() {
        refused("$DIR/u.csv:3: 3 values, and the first line has 2 fields (id, title)", "x", "u.csv",
                "id,title\n1,a\n2,b,c\n");
        refused("$DIR/u.csv:2: 1 value, and the first line has 2 fields (id, title)", "x", "u.csv",
                "id,title\n1\n");
        refused("$DIR/u.csv:2: a quote is never closed", "x", "u.csv", "id\n\"1\n2\n");
        refused("$DIR/u.csv:2: there is something behind a closing quote; a quote within quotes is written twice",
                "x",
                "u.csv", "id\n\"1\"2\n");
        refused("$DIR/u.csv:1: the field 'id' is there twice", "x", "u.csv", "id,id\n1,2\n");
        refused("$DIR/u.csv:1: a field has no name", "x", "u.csv", "id,\n1,2\n");
        refused("$DIR/u.csv is empty; its first line must name the fields", "x", "u.csv", "\n");
        refused("$DIR/u.csv has no units", "x", "u.csv", "id\n");
        refused("$DIR/u.jsonl has no units", "x", "u.jsonl", "\n\n");
        refused("$DIR/u.jsonl:1 is not an object with fields, such as {\"id\": 1}", "x", "u.jsonl", "[1]");
        refused("prompt.md has no prompt in it", " ", "u.csv", "id\n1\n");
        refused("'u.txt' is no list of units; it must end in .jsonl or .csv, or be a glob such as src/**/*.java",
                "x",
                "u.txt", "");
        assertThatThrownBy(() -> plan("x", "gone.csv")).hasMessage(directory + "/gone.csv does not exist");
        assertThatThrownBy(() -> plan("x", "u.jsonl", "{\"a\":1}\n{\"a\":"))
                .isInstanceOf(BatchException.class)
                .hasMessageStartingWith(directory + "/u.jsonl:2 is not JSON: ").hasMessageNotContaining("\n");
        assertThatThrownBy(
                () -> BatchPlan.of("a/b", new PromptTemplate("p", "x"), Source.of(directory, "u.csv")))
                .hasMessageStartingWith("'a/b' cannot be the name of a batch");
    }

    @Test
    void aBatchIsKnownByItsNameAndItsTemplateAndAUnitByItsPayload() {
        BatchPlan plan = plan("{{a}}", "u.jsonl", "{\"a\":1,\"b\":{\"y\":1,\"x\":2}}\n{\"a\":2}\n");
        BatchPlan sameAgain = plan("{{a}}", "u.jsonl",
                "{\"a\":2}\n{\"b\":{\"x\":2,\"y\":1},\"a\":1}\n{ \"a\" : 2 }\n");
        assertThat(sameAgain.id()).isEqualTo(plan.id());
        assertThat(sameAgain.units()).extracting(sameAgain::dedupeKey)
                .containsExactlyInAnyOrderElementsOf(plan.units().stream().map(plan::dedupeKey).toList());
        assertThat(sameAgain.repeated()).isEqualTo(1);
        assertThat(plan("{{a}}!", "u.jsonl", "{\"a\":1}").id()).isNotEqualTo(plan.id());
        assertThat(plan("{{a}}", "u.jsonl", "{\"a\":\"1\"}").units().getFirst().id())
                .isNotEqualTo(plan.units().getFirst().id());
    }
}
