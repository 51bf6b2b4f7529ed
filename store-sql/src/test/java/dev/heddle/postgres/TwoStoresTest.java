package dev.heddle.postgres;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Submission;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Several processes submit at once: each has its own store, and what they promise still holds over all of them. */
class TwoStoresTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final int STORES = 4;

    private final Schemas schemas = new Schemas(Version.V18);
    private final List<PostgresStore> stores = new ArrayList<>();

    @BeforeEach
    void open() {
        stores.add(schemas.openNew());
        while (stores.size() < STORES) {
            stores.add(schemas.openAgain());
        }
    }

    @AfterEach
    void close() {
        stores.forEach(PostgresStore::close);
    }

    private static NewJob job(int capacity, JobSpec.Extras extras) {
        JobSpec spec = new JobSpec(JobId.next(), "mail", "queue", 0, "{}", NOW, extras);
        return new NewJob(spec, null, capacity);
    }

    /** Every store submits so often, all at the same time. */
    private List<Receipt> submit(int times, IntFunction<NewJob> job) {
        List<CompletableFuture<List<Receipt>>> running = stores.stream()
                .map(store -> CompletableFuture.supplyAsync(() -> IntStream.range(0, times)
                        .mapToObj(
                                i -> store.insert(List.of(new Submission(List.of(job.apply(i))))).getFirst())
                        .toList(), task -> Thread.ofPlatform().start(task)))
                .toList();
        return running.stream().flatMap(one -> one.join().stream()).toList();
    }

    @Test
    void letOneJobHaveAKey() {
        List<Receipt> receipts = submit(30, i -> job(NewJob.UNLIMITED,
                new JobSpec.Extras(null, null, null, null, null, Set.of(), "key " + i, false)));

        Set<JobId> ids = new HashSet<>();
        receipts.forEach(receipt -> ids.addAll(((Receipt.Accepted) receipt).ids()));
        assertThat(ids).hasSize(30);
        assertThat(stores.getFirst().list(JobQuery.all())).hasSize(30);
    }

    @Test
    void keepACapacityExactly() {
        List<Receipt> receipts = submit(30, _ -> job(50, JobSpec.Extras.NONE));

        assertThat(receipts).filteredOn(Receipt.Accepted.class::isInstance).hasSize(50);
        assertThat(receipts).filteredOn(new Receipt.Full("queue", 50)::equals).hasSize(STORES * 30 - 50);
    }
}
