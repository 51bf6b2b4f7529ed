package dev.heddle.postgres;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.testkit.PgBouncer;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Pools behind a real PgBouncer in transaction mode. */
class PgBouncerTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final JobType<Integer, Integer> TWICE = JobType.of("twice", Integer.class, Integer.class);

    @TempDir
    Path directory;

    @Test
    void servesPoolsIfItRefusesOurSettings() throws Exception {
        servesPools();
    }

    @Test
    void servesPoolsIfItIgnoresOurSettings() throws Exception {
        servesPools("options");
    }

    /** Runs two nodes, with so many jobs that statements reach connections on which they were never prepared. */
    private void servesPools(String... ignored) throws Exception {
        String database = PostgresServer.shared(Version.V18).createDatabase();
        try (PgBouncer bouncer = PgBouncer.start(directory, database, ignored);
                Pool one = pool(bouncer.url());
                Pool other = pool(bouncer.url())) {
            List<JobHandle<Integer>> handles = new ArrayList<>(
                    one.submitAll(IntStream.range(0, 500).mapToObj(TWICE::with).toList()));
            for (int i = 500; i < 600; i++) {
                handles.add((i % 2 == 0 ? one : other).submit(TWICE, i));
            }
            for (int i = 0; i < handles.size(); i++) {
                assertThat(handles.get(i).await(LONG)).isEqualTo(2 * i);
            }
        }
    }

    private static Pool pool(String url) {
        return Pool.on(PostgresStore.at(url)).register(TWICE, (number, job) -> 2 * number).open();
    }
}
