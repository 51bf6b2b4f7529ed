package dev.heddle.examples.indexing;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.examples.ExampleRunner;
import dev.heddle.examples.indexing.Indexing.Document;
import dev.heddle.job.SubmitEffect;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.heddle.examples.ExampleRunner.LONG;
import static org.assertj.core.api.Assertions.assertThat;

class IndexingTest {

    @TempDir
    private Path directory;

    private final List<String> indexed = new CopyOnWriteArrayList<>();

    @Test
    void indexesTheLastTextOnce() throws Exception {
        try (Pool pool = ExampleRunner.pool(directory).register(Indexing.INDEX, (document, _) -> {
            indexed.add(document.text());
            return document.text().length();
        }).open()) {
            pool.admin().pauseQueue("default"); // on a slow machine, the first could run before the third comes
            JobHandle<Integer> first = Indexing.changed(pool, new Document("d1", "He"));
            JobHandle<Integer> second = Indexing.changed(pool, new Document("d1", "Hell"));
            JobHandle<Integer> third = Indexing.changed(pool, new Document("d1", "Hello"));

            assertThat(first.effect()).isEqualTo(SubmitEffect.CREATED);
            assertThat(List.of(second.effect(), third.effect())).containsOnly(SubmitEffect.DEBOUNCED);
            assertThat(third.id()).isEqualTo(first.id());
            pool.admin().resumeQueue("default");
            assertThat(first.await(LONG)).isEqualTo(5);
        }
        assertThat(indexed).containsExactly("Hello");
    }
}
