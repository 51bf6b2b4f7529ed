package dev.heddle.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import dev.heddle.store.JobQuery;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Submission;
import dev.heddle.testkit.JobDraft;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Several stores submit to one schema at once: dedupe keys and capacities hold across all of them. */
class TwoStoresTest {

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

    private static JobDraft draft() {
        return JobDraft.of("mail").queue("queue");
    }

    /** Has all stores submit a number of times, at the same time. */
    private List<Receipt> submit(int times, IntFunction<NewJob> job) {
        List<CompletableFuture<List<Receipt>>> running = stores.stream()
                .map(store -> CompletableFuture.supplyAsync(() -> IntStream.range(0, times)
                        .mapToObj(i -> store.insert(List.of(new Submission(List.of(job.apply(i))))).getFirst())
                        .toList(), task -> Thread.ofPlatform().start(task)))
                .toList();
        return running.stream().flatMap(one -> one.join().stream()).toList();
    }

    @Test
    void giveAKeyToOneJobOnly() {
        List<Receipt> receipts = submit(30, i -> draft().key("key " + i).job());

        List<Receipt.Stored> jobs = receipts.stream()
                .flatMap(receipt -> ((Receipt.Accepted) receipt).jobs().stream()).toList();
        assertThat(jobs.stream().map(Receipt.Stored::id).distinct()).hasSize(30);
        assertThat(jobs).filteredOn(Receipt.Stored::isNew).hasSize(30);
        assertThat(stores.getFirst().list(JobQuery.all())).hasSize(30);
    }

    @Test
    void enforceACapacityExactly() {
        List<Receipt> receipts = submit(30, _ -> draft().capacity(50).job());

        assertThat(receipts).filteredOn(Receipt.Accepted.class::isInstance).hasSize(50);
        assertThat(receipts).filteredOn(new Receipt.Full("queue", 50)::equals).hasSize(STORES * 30 - 50);
    }
}
