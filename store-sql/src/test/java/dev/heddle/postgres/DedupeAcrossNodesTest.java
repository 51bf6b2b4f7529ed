package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.heddle.job.Dedupe;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.SubmitEffect;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Receipt;
import dev.heddle.store.Receipt.Stored;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Three nodes, and applications in their own transactions, submit under the same keys. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class DedupeAcrossNodesTest {

    private static final int THREADS = 8;
    private static final int KEYS = 2;

    private final Schemas schemas = new Schemas(Version.V18);
    private final List<PostgresStore> stores = new ArrayList<>();
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        stores.add(schemas.openNew());
        stores.add(schemas.openAgain());
        stores.add(schemas.openAgain());
        for (int i = 0; i < stores.size(); i++) {
            FamilyFixture.join(stores.get(i), "node-" + i);
        }
        connection = DriverManager.getConnection(schemas.url());
        connection.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        stores.forEach(PostgresStore::close);
    }

    private PostgresStore store() {
        return stores.getFirst();
    }

    private static JobDraft draft(int key, Dedupe mode) {
        return JobDraft.of("mail").key("key " + key, mode);
    }

    private static Stored only(List<Receipt> receipts) {
        return ((Receipt.Accepted) receipts.getFirst()).jobs().getFirst();
    }

    private Stored submit(JobDraft draft) {
        return only(store().insert(List.of(new Submission(List.of(draft.job())))));
    }

    private Stored submitInTransaction(JobDraft draft) throws SQLException {
        return only(store().insert(connection, List.of(new Submission(List.of(draft.job())))));
    }

    private List<ClaimResult.Claim> claim(int node) {
        return stores.get(node).claim(new ClaimRequest("node-" + node, FamilyFixture.NOW, 3,
                List.of(new ClaimRequest.Wanted("mail", false, 3)))).claims();
    }

    private Job job(JobId id) {
        return store().find(id).orElseThrow();
    }

    static Stream<Dedupe> modes() {
        return Stream.of(Dedupe.replace(), Dedupe.supersede(),
                Dedupe.debounce(Duration.ofMillis(5), Duration.ofMillis(20)), Dedupe.within(Duration.ofMillis(5)));
    }

    /** Of each key, one job at most is held, and it has the payload of the last submit that changed it. */
    @ParameterizedTest
    @MethodSource("modes")
    void eightThreadsOnThreeNodesNeverMakeTwo(Dedupe mode) {
        Map<String, Fence> held = new ConcurrentHashMap<>();
        List<CompletableFuture<Void>> threads = IntStream.range(0, THREADS).mapToObj(thread -> CompletableFuture
                .runAsync(() -> {
                    for (int i = 0; i < 30; i++) {
                        stores.get(thread % 3).insert(List.of(new Submission(
                                List.of(draft(i % KEYS, mode).payload(Integer.toString(100 * thread + i)).job()))));
                        work(thread % 3, held);
                    }
                }, task -> Thread.ofPlatform().daemon().start(task))).toList();
        threads.forEach(CompletableFuture::join);
        while (!store().countJobs().live().isEmpty()) {
            work(0, held);
        }
        assertThat(store().list(JobQuery.all().limit(1_000))).isNotEmpty().allMatch(job -> job.state().isFinal());
    }

    private void work(int node, Map<String, Fence> held) {
        for (ClaimResult.Claim claim : claim(node)) {
            String key = claim.job().spec().dedupeKey().orElseThrow();
            assertThat(held.putIfAbsent(key, claim.fence())).as("a job of %s that is held beside %s", key, claim)
                    .isNull();
            assertThat(claim.job().spec().payload()).isEqualTo(job(claim.job().id()).spec().payload());
            held.remove(key);
            assertThat(stores.get(node).apply(List.of(FamilyFixture.completed(claim.fence()))).getFirst())
                    .isIn(Verdict.APPLIED, Verdict.CANCELLED);
        }
    }

    @Test
    void aTransactionThatIsRolledBackChangesNothing() throws SQLException {
        JobDraft first = draft(1, Dedupe.replace()).payload("1");
        submit(first);
        JobDraft second = draft(1, Dedupe.replace()).payload("2");
        assertThat(submitInTransaction(second)).isEqualTo(new Stored(first.id(), SubmitEffect.REPLACED));
        connection.rollback();
        assertThat(job(first.id()).spec().payload()).isEqualTo("1");
        assertThat(submitInTransaction(second)).isEqualTo(new Stored(first.id(), SubmitEffect.REPLACED));
        connection.commit();
        assertThat(job(first.id()).spec().payload()).isEqualTo("2");
    }

    @Test
    void twoSubmitsInOneTransactionMakeOneJob() throws SQLException {
        JobDraft first = draft(1, Dedupe.supersede());
        JobDraft second = draft(1, Dedupe.supersede());
        submitInTransaction(first);
        assertThat(submitInTransaction(second)).isEqualTo(new Stored(second.id(), SubmitEffect.SUPERSEDED));
        connection.commit();
        assertThat(job(first.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(claim(0)).extracting(claim -> claim.job().id()).containsExactly(second.id());
    }

    @Test
    void anotherSubmitWaitsForTheTransaction() throws Exception {
        JobDraft first = draft(1, Dedupe.replace()).payload("1");
        submitInTransaction(first);
        JobDraft second = draft(1, Dedupe.replace()).payload("2");
        CompletableFuture<Stored> waiting = CompletableFuture.supplyAsync(() -> submit(second),
                task -> Thread.ofPlatform().daemon().start(task));
        awaitBlockedByTransaction();
        connection.commit();
        assertThat(waiting.join()).isEqualTo(new Stored(first.id(), SubmitEffect.REPLACED));
        assertThat(job(first.id()).spec().payload()).isEqualTo("2");
    }

    private void awaitBlockedByTransaction() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet pid = statement.executeQuery("SELECT pg_backend_pid()")) {
            pid.next();
            String blocked = "SELECT count(*) FROM pg_stat_activity WHERE " + pid.getInt(1)
                    + " = ANY (pg_blocking_pids(pid))";
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                try (Connection other = DriverManager.getConnection(schemas.url());
                        ResultSet row = other.createStatement().executeQuery(blocked)) {
                    return row.next() && row.getInt(1) == 1;
                }
            });
        }
    }

    /** The node writes the end of the older job although the transaction is open. */
    @Test
    void aTransactionThatAddsASuccessorDoesNotHoldUpTheNode() throws SQLException {
        submit(draft(1, Dedupe.replace()));
        Fence fence = claim(0).getFirst().fence();
        JobDraft next = draft(1, Dedupe.replace());
        assertThat(submitInTransaction(next)).isEqualTo(new Stored(next.id(), SubmitEffect.SUCCEEDS));
        assertThat(store().apply(List.of(FamilyFixture.completed(fence)))).containsExactly(Verdict.APPLIED);
        connection.commit();
        assertThat(claim(0)).as("nobody has seen the successor").isEmpty();
        store().renew(new NodeRecord("node-0", FamilyFixture.NOW, FamilyFixture.NOW, Duration.ofMinutes(10), "[]"));
        assertThat(claim(0)).extracting(claim -> claim.job().id()).containsExactly(next.id());
    }

    @Test
    void aSuccessorFromATransactionIsReleasedByTheEndOfItsJob() throws SQLException {
        submit(draft(1, Dedupe.replace()));
        Fence fence = claim(0).getFirst().fence();
        JobDraft next = draft(1, Dedupe.replace());
        submitInTransaction(next);
        connection.commit();
        assertThat(claim(0)).isEmpty();
        store().apply(List.of(FamilyFixture.completed(fence)));
        assertThat(claim(0)).extracting(claim -> claim.job().id()).containsExactly(next.id());
    }
}
