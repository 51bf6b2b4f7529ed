package dev.heddle.examples.embedding;

import java.nio.file.Path;

import dev.heddle.examples.ExampleRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class EmbeddingTest {

    @Test
    void keepsASessionOnOnePythonWorker(@TempDir Path home) throws Exception {
        assertThat(ExampleRunner.printed(Embedding::main, home.toString(), "../sdk/python/embed.py"))
                .containsExactly(
                        "2 texts, 16 numbers each; 2 seen of ada", "1 texts, 16 numbers each; 3 seen of ada");
    }
}
