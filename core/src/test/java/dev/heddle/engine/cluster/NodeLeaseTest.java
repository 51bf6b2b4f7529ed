package dev.heddle.engine.cluster;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.heddle.engine.dispatch.ClaimsInFlight;
import dev.heddle.engine.dispatch.Demand;
import dev.heddle.engine.execute.LeaseTimer;
import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.testing.Samples;
import dev.heddle.env.Environment;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Renewal;
import dev.heddle.store.Renewal.HeldAttempt;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Renews a lease in a store that answers as the test wants. */
@Timeout(30)
class NodeLeaseTest {

    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofMillis(1);

    private final Environment env = Environment.system();
    private final LeaseTimer lease = new LeaseTimer(Duration.ofSeconds(30), Duration.ofSeconds(20), env);
    private final Demand demand = new Demand(env);
    private final HandlerRegistry registry = Samples.registry(env,
            Samples.registration(JobType.of("task", String.class)));
    private final ClaimsInFlight inFlight = new ClaimsInFlight(registry, demand, env);
    private final BlockingQueue<Supplier<Renewal>> answers = new LinkedBlockingQueue<>();
    private final AtomicInteger renewals = new AtomicInteger();
    /** What the lease did, in order. */
    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private final BlockingQueue<Reconciliation> differences = new LinkedBlockingQueue<>();
    private volatile boolean takeOverFails;
    private volatile boolean adoptionFails;
    private NodeLease nodeLease = lease(NEVER);

    private NodeLease lease(Duration renewEvery) {
        return new NodeLease(store(), env, renewEvery, lease, inFlight, demand, new Node(), new Listener());
    }

    /** Answers renewals, in the order in which the test queued them, and nothing else. */
    private Store store() {
        return (Store) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[]{Store.class},
                (_, method, _) -> {
                    if (!method.getName().equals("renew")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    renewals.incrementAndGet();
                    return answers.take().get();
                });
    }

    private final class Node implements NodeLease.Holder {
        @Override
        public NodeRecord record(Instant now) {
            return new NodeRecord(Samples.NODE, now, now, Duration.ofSeconds(30), "[]");
        }

        @Override
        public void reconcile(Reconciliation found) {
            differences.add(found);
            calls.add("reconcile");
        }

        @Override
        public void takeOver(Set<String> expired) {
            calls.add("take over " + String.join(",", expired));
            if (takeOverFails) {
                throw new StoreException(StoreException.Kind.UNREACHABLE, "test");
            }
        }

        @Override
        public void adopt() {
            calls.add("adopt");
            if (adoptionFails) {
                throw new StoreException(StoreException.Kind.UNREACHABLE, "test");
            }
        }

        @Override
        public boolean join(StoreListener listener) {
            return true;
        }

        @Override
        public boolean rejoin(StoreListener listener) {
            calls.add("rejoin");
            return true;
        }
    }

    private final class Listener implements NodeLease.LeaseListener {
        @Override
        public void storeRecovered() {
            calls.add("recovered");
        }

        @Override
        public void leaseRenewed() {
            calls.add("renewed");
        }

        @Override
        public void jobsChanged() {
            calls.add("changed");
        }

        @Override
        public void eventsAnnounced() {}

        @Override
        public void schedulesChanged() {}

        @Override
        public void clockJumped() {
            calls.add("clock jumped");
        }
    }

    @AfterEach
    void stop() {
        nodeLease.stop();
        answers.add(() -> new Renewal.SingleNode(List.of(), Set.of()));
    }

    private void start() {
        Thread.ofPlatform().daemon().start(nodeLease::run);
    }

    private void assertCalls(String... expected) throws InterruptedException {
        for (String call : expected) {
            assertThat(calls.poll(30, TimeUnit.SECONDS)).isEqualTo(call);
        }
    }

    private static Renewal kept(HeldAttempt... held) {
        return new Renewal.Renewed(List.of(held), Set.of());
    }

    @Test
    void reconcilesAfterARenewal() throws Exception {
        Claim known = Samples.claim(1);
        Claim lost = Samples.claim(2);
        inFlight.adopt(List.of(known, lost));
        HeldAttempt unknown = new HeldAttempt(Samples.claim(3).fence(), JobState.ASSIGNED, Instant.EPOCH, null);
        for (int renewal = 1; renewal <= 2; renewal++) {
            answers.add(() -> kept(new HeldAttempt(known.fence(), JobState.ASSIGNED, Instant.EPOCH, null), unknown));
        }
        nodeLease = lease(SOON);
        start();

        assertCalls("renewed", "adopt", "reconcile");
        assertThat(differences.take()).as("the answer to the unknown claim may be on its way")
                .isEqualTo(new Reconciliation(List.of(), Set.of(lost.fence()), List.of()));
        assertCalls("renewed", "adopt", "reconcile");
        assertThat(differences.take())
                .isEqualTo(new Reconciliation(List.of(unknown), Set.of(lost.fence()), List.of()));
        assertThat(lease.isShared()).isTrue();
    }

    /** It may be an attempt that this node has adopted: the answer was lost, and its work goes on. */
    @Test
    void releasesNoUnknownAttemptWhileItCannotAdopt() throws Exception {
        HeldAttempt unknown = new HeldAttempt(Samples.claim(1).fence(), JobState.RUNNING, Instant.EPOCH, null);
        adoptionFails = true;
        for (int renewal = 1; renewal <= 3; renewal++) {
            answers.add(() -> kept(unknown));
        }
        nodeLease = lease(SOON);
        start();

        for (int renewal = 1; renewal <= 3; renewal++) {
            assertThat(differences.take().unknown()).isEmpty();
        }
        adoptionFails = false;
        answers.add(() -> kept(unknown));
        assertThat(differences.take().unknown()).containsExactly(unknown);
    }

    @Test
    void hasNoLeaseInAStoreWithoutOtherNodes() throws Exception {
        inFlight.adopt(List.of(Samples.claim(1)));
        HeldAttempt cancelled = new HeldAttempt(Samples.claim(1).fence(), JobState.CANCELLED, Instant.EPOCH, "enough");
        answers.add(() -> new Renewal.SingleNode(List.of(cancelled), Set.of()));
        start();

        assertCalls("adopt", "reconcile");
        assertThat(differences.take()).isEqualTo(new Reconciliation(List.of(), Set.of(), List.of(cancelled)));
        assertThat(lease.isShared()).isFalse();
    }

    @Test
    void takesOverFromNodesWhoseLeaseHasExpired() throws Exception {
        answers.add(() -> new Renewal.Renewed(List.of(), Set.of("dead")));
        start();

        assertCalls("renewed", "adopt", "reconcile", "take over dead");
    }

    @Test
    void rejoinsIfItWasDeclaredDeadAndRenewsAtOnce() throws Exception {
        answers.add(Renewal.Dead::new);
        answers.add(NodeLeaseTest::kept);
        start();

        assertCalls("rejoin", "renewed", "changed", "renewed", "adopt", "reconcile");
    }

    @Test
    void renewsAtOnceIfJobsHaveChanged() throws Exception {
        answers.add(NodeLeaseTest::kept);
        start();
        assertCalls("renewed", "adopt", "reconcile");

        answers.add(NodeLeaseTest::kept);
        nodeLease.jobsChanged();

        assertCalls("changed", "renewed", "adopt", "reconcile");
    }

    @Test
    void renewsAgainAfterItsInterval() throws Exception {
        nodeLease = lease(SOON);
        answers.add(NodeLeaseTest::kept);
        answers.add(NodeLeaseTest::kept);
        start();

        assertCalls("renewed", "adopt", "reconcile", "renewed", "adopt", "reconcile");
    }

    @Test
    void triesAgainIfARenewalFails() throws Exception {
        nodeLease = lease(SOON);
        answers.add(() -> {
            throw new StoreException(StoreException.Kind.UNREACHABLE, "test");
        });
        answers.add(NodeLeaseTest::kept);
        start();

        assertCalls("renewed", "adopt", "reconcile");
        assertThat(renewals).hasValueGreaterThanOrEqualTo(2);
    }

    @Test
    void keepsItsLeaseIfATakeoverFails() throws Exception {
        nodeLease = lease(SOON);
        takeOverFails = true;
        answers.add(() -> new Renewal.Renewed(List.of(), Set.of("dead")));
        answers.add(NodeLeaseTest::kept);
        start();

        assertCalls("renewed", "adopt", "reconcile", "take over dead", "renewed");
    }

    @Test
    void startsItsLeaseWhenItJoins() throws Exception {
        nodeLease.join();

        assertCalls("renewed");
        assertThat(lease.remaining()).isPositive();
    }
}
