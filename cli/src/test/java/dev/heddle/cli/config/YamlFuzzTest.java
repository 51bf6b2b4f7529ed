package dev.heddle.cli.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.heddle.cli.shell.CliException;
import dev.heddle.testkit.fuzz.Fuzz;
import dev.heddle.testkit.fuzz.Inputs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A {@code heddle.yaml} or batch file is read, or refused with one line; nothing else is ever thrown. */
class YamlFuzzTest {

    private static final List<String> SAMPLES = List.of("""
            store:
              sqlite: jobs.db
            pool:
              workers: 3
              timeout: 5m
            server:
              host: 127.0.0.1
              port: 7420
              token: ${TOKEN}
              allowedHosts: [a, b]
            types:
              resize:
                command: [convert, "{{source}}", out.png]
                timeout: 1h
                retries: 2
                env: {A: b}
              review:
                agent: claude
                prompt: Review {{path}}.
                model: sonnet
              model:
                external: [python3, worker.py]
                workers: 2
            budgets:
              - limit: 12.50
                per: day
            """, """
            store: {postgresql: {url: "jdbc:postgresql://host:5432/db", user: u, schema: s, connections: 4}}
            log: {level: debug}
            """, """
            name: docs
            agent: claude
            prompt: |
              Document {{path}}.
            units: src/**/*.java
            workers: 8
            budget: 25.00
            onComplete: [notify-send, done]
            """, """
            name: &n thumbs
            command: [convert, "{{path}}", 'x y']
            units: units.csv
            timeout: 90s
            """);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's
    private Path directory;

    @Test
    void isReadOrRefusedInOneLine() throws Exception {
        Map<String, String> environment = Map.of("TOKEN", "secret");
        Path file = directory.resolve("heddle.yaml");
        Fuzz.check(YamlFuzzTest.class, Duration.ofSeconds(6), Inputs.mutated(SAMPLES), yaml -> {
            Files.write(file, yaml.getBytes(StandardCharsets.UTF_8));
            refusedInOneLine(() -> ConfigFile.read(file, directory, environment));
            refusedInOneLine(() -> BatchFile.read(file, yaml, directory, environment));
        });
    }

    private static void refusedInOneLine(Runnable read) {
        try {
            read.run();
        } catch (CliException e) {
            assertThat(e.getMessage()).isNotBlank().hasLineCount(1);
        }
    }
}
