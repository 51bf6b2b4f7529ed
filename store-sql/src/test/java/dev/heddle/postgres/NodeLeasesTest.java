package dev.heddle.postgres;

import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.Renewal;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Leases, and what a node may do with and without one. */
class NodeLeasesTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration LEASE = Duration.ofHours(1);
    private static final RecoveryPlan REQUEUE = orphans -> orphans.stream()
            .map(orphan -> new Recovery(orphan, new Transition.Requeue("node died"), false)).toList();

    private final Schemas schemas = new Schemas(Version.V18);
    private PostgresStore store;

    @BeforeEach
    void open() {
        store = schemas.openNew();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static NodeRecord node(String id, Duration lease) {
        return new NodeRecord(id, NOW, NOW, lease, "[]");
    }

    private void join(String id, Duration lease) {
        store.join(node(id, lease), StoreListener.none());
    }

    private ClaimResult claim(String node) {
        return store.claim(
                new ClaimRequest(node, NOW, 10, List.of(new Wanted("mail", false, 10), new Wanted("mail", true, 10))));
    }

    private JobId insert() {
        JobSpec spec = new JobSpec(JobId.next(), "mail", "default", 0, "{}", NOW, JobSpec.Extras.NONE);
        store.insert(List.of(new Submission(List.of(new NewJob(spec)))));
        return spec.id();
    }

    private Fence hold(String node) {
        insert();
        return claim(node).claims().getFirst().fence();
    }

    @Test
    void refusesEverythingFromADeadNode() {
        join("old", Duration.ZERO);
        Fence fence = hold("old");
        join("new", Duration.ZERO);
        assertThat(store.recover("new", REQUEUE, NOW)).hasSize(1);

        assertThat(claim("old").claims()).as("a claim").isEmpty();
        assertThat(store.renew(node("old", LEASE))).as("a renewal").isEqualTo(new Renewal.Dead());
        assertThat(store.recover("old", REQUEUE, NOW)).as("a recovery").isEmpty();
        assertThat(store.apply(List.of(new Change.Started(fence, NOW, StartGuarantee.NONE)))).as("a start")
                .containsExactly(Verdict.LOST);
        assertThat(store.nodes()).extracting(NodeRecord::id).containsExactly("new");
        assertThat(claim("new").claims()).as("its job goes to another node").hasSize(1);
    }

    @Test
    void tellsANodeWhatItHoldsAndWhatShouldStop() {
        join("me", Duration.ofMinutes(1));
        Fence kept = hold("me");
        JobId id = insert();
        Fence cancelled = claim("me").claims().getFirst().fence();
        store.execute(new AdminCommand.Cancel(id, "enough", "ann", NOW));

        assertThat(store.renew(node("me", Duration.ofMinutes(1))))
                .isEqualTo(new Renewal.Renewed(List.of(new Renewal.HeldAttempt(kept, JobState.ASSIGNED, NOW, null),
                        new Renewal.HeldAttempt(cancelled, JobState.CANCELLED, NOW, "enough")), Set.of()));
    }

    @Test
    void letsANodeDeclareOthersDeadOnlyAfterAWholeLeaseWithoutAGap() throws Exception {
        join("dead", Duration.ZERO);
        hold("dead");
        join("fresh", LEASE);

        assertThat(store.recover("fresh", REQUEUE, NOW)).as("it has just joined").isEmpty();
        renewForALease("fresh");
        assertThat(expiredFor("fresh")).containsExactly("dead");
        letPass(LEASE.multipliedBy(2));
        assertThat(expiredFor("fresh")).as("its own lease had expired").isEmpty();
        assertThat(store.recover("fresh", REQUEUE, NOW)).as("it has to renew for a whole lease again").isEmpty();
        renewForALease("fresh");
        assertThat(store.recover("fresh", REQUEUE, NOW)).hasSize(1);
    }

    /**
     * Moves the leases as if time had passed on the server. Short real leases could not be tested on a slow machine.
     */
    private void letPass(Duration time) throws SQLException {
        schemas.change("""
                UPDATE heddle.node SET lease_until = lease_until - interval '%1$d ms',
                                       steady_since = steady_since - interval '%1$d ms'""".formatted(time.toMillis()));
    }

    private Set<String> expiredFor(String id) {
        return ((Renewal.Renewed) store.renew(node(id, LEASE))).expired();
    }

    private void renewForALease(String id) throws SQLException {
        for (int i = 0; i < 5; i++) {
            assertThat(expiredFor(id)).as("not for a whole lease yet").isEmpty();
            letPass(LEASE.dividedBy(5));
        }
        store.renew(node(id, LEASE));
    }

    /** The server was away for most of a lease. The first node to come back finds the leases of others expired. */
    @Test
    void countsAnOutageAsAGapEvenIfItsOwnLeaseSurvived() throws Exception {
        join("first", LEASE);
        renewForALease("first");
        join("second", LEASE);
        letPass(LEASE.multipliedBy(3).dividedBy(10));
        store.renew(node("first", LEASE));
        letPass(LEASE.multipliedBy(8).dividedBy(10));

        assertThat(expiredFor("first")).isEmpty();
        assertThat(store.recover("first", REQUEUE, NOW)).isEmpty();
        assertThat(store.renew(node("second", LEASE))).isInstanceOf(Renewal.Renewed.class);
    }

    @Test
    @Timeout(40)
    void givesUpARenewalThatIsNotAnswered() throws Exception {
        join("me", LEASE);
        try (var connection = DriverManager.getConnection(schemas.url());
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + schemas.schema() + ".node FOR UPDATE");

            assertThatThrownBy(() -> store.renew(node("me", Duration.ofSeconds(1)))).isInstanceOf(StoreException.class);
            connection.rollback();
        }
        assertThat(store.renew(node("me", LEASE))).isInstanceOf(Renewal.Renewed.class);
    }

    /** A renewal also wakes overlooked parents, but must not fail if that fails. */
    @Test
    @Timeout(40)
    void renewsALeaseEvenIfAParentCannotBeWoken() throws Exception {
        join("me", Duration.ofMinutes(1));
        JobId parent = insert();
        try (var connection = DriverManager.getConnection(schemas.url());
                var statement = connection.createStatement()) {
            statement.execute("UPDATE " + schemas.schema() + ".live SET state = 'WAITING', phase = 'AGGREGATE'");
            connection.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + schemas.schema() + ".live FOR UPDATE");

            assertThat(store.renew(node("me", Duration.ofMinutes(1)))).isInstanceOf(Renewal.Renewed.class);
            assertThat(store.find(parent)).map(Job::state).contains(JobState.WAITING);
            connection.rollback();
        }
        store.renew(node("me", Duration.ofMinutes(1)));
        assertThat(store.find(parent)).map(Job::state).contains(JobState.QUEUED);
    }

    /** The claim comes between the decision of a recovery and its commit: it has to wait, and finds its node dead. */
    @Test
    void letsNoClaimSlipPastTheRecoveryOfItsNode() throws Exception {
        join("old", Duration.ZERO);
        hold("old");
        JobId waiting = insert();
        join("new", Duration.ZERO);
        CompletableFuture<ClaimResult> late = new CompletableFuture<>();

        store.recover("new", orphans -> {
            Thread.ofVirtual().start(() -> late.complete(claim("old")));
            schemas.awaitBlocked(1);
            assertThat(late).as("waits for the recovery").isNotDone();
            return REQUEUE.decide(orphans);
        }, NOW);

        assertThat(late.get(30, TimeUnit.SECONDS).claims()).isEmpty();
        assertThat(store.find(waiting)).map(Job::state).contains(JobState.QUEUED);
    }

    @Test
    void recoversTheJobsOfANodeWithoutARow() throws Exception {
        join("me", Duration.ZERO);
        hold("me");
        try (var connection = DriverManager.getConnection(schemas.url());
                var statement = connection.createStatement()) {
            statement.execute("DELETE FROM " + schemas.schema() + ".node");
        }
        join("new", Duration.ZERO);

        assertThat(store.recover("new", REQUEUE, NOW)).hasSize(1);
    }

    @Test
    void leavesItsJobsToOthersAtOnceWhenItCloses() {
        PostgresStore other = schemas.openAgain();
        other.join(node("leaving", Duration.ofHours(1)), StoreListener.none());
        insert();
        other.claim(new ClaimRequest("leaving", NOW, 1, List.of(new Wanted("mail", false, 1))));
        other.close();
        join("staying", Duration.ZERO);

        assertThat(store.recover("staying", REQUEUE, NOW)).hasSize(1);
    }

    @Test
    @Timeout(40)
    void doesNotWaitForATransactionThatADeadNodeLeftOpen() throws Exception {
        join("old", Duration.ZERO);
        hold("old");
        join("new", Duration.ZERO);
        try (var connection = DriverManager.getConnection(schemas.url());
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + schemas.schema() + ".live FOR UPDATE");

            assertThatThrownBy(() -> store.recover("new", REQUEUE, NOW)).isInstanceOf(StoreException.class)
                    .hasMessageContaining("keeps rows locked");
            // Without a rollback the locks would stay until the server notices that the connection is closed.
            connection.rollback();
        }
        assertThat(store.recover("new", REQUEUE, NOW)).hasSize(1);
    }

    @Test
    void limitsTheIdleTimeOfATransactionOnTheServer() {
        String limit = store.write(tx -> {
            try (ResultSet row = tx.query("SHOW idle_in_transaction_session_timeout")) {
                row.next();
                return row.getString(1);
            }
        });

        assertThat(limit).isEqualTo("5s");
    }
}
