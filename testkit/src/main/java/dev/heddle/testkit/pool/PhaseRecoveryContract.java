package dev.heddle.testkit.pool;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import dev.heddle.job.Attempt;
import dev.heddle.job.Children;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobType;
import dev.heddle.job.Transition;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Orphan;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Store;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which phase a two-phase job resumes in after its node died. */
abstract class PhaseRecoveryContract extends PoolFixture {

    private static final Instant THEN = Instant.parse("2026-03-01T12:00:00Z");
    private static final String DEAD = "dead-node";
    private static final JobType<String, String> IMPORT = JobType.of("import", String.class, String.class);
    private static final JobType<String, String> PARSE = JobType.of("parse", String.class, String.class);

    private final List<String> phases = new CopyOnWriteArrayList<>();
    private final JobDraft parent = JobDraft.of("import").payload("\"file\"");

    PhaseRecoveryContract(PoolContract contract) {
        super(contract);
    }

    private final class Import implements TwoPhaseHandler<String, String> {
        @Override
        public void ingest(String file, JobContext job) {
            phases.add("ingest");
            job.spawn(PARSE, file);
        }

        @Override
        public String aggregate(String file, Children children, JobContext job) {
            phases.add("aggregate");
            return String.join("+", children.results(PARSE).toList());
        }
    }

    /** Simulates a node that runs the ingest, completes these children, starts the aggregate, and dies. */
    private Store crashDuringAggregate(JobDraft... children) {
        Store store = newStore();
        crashAfter(store, () -> {
            Fence ingest = claim(store, "import");
            for (JobDraft child : children) {
                child.payload("\"file\"").parent(parent.id());
            }
            store.apply(List.of(new Change.Ingested(end(ingest, Attempt.End.INGESTED, new Transition.Wait("waits")),
                    Arrays.stream(children).map(JobDraft::job).toList())));
            for (int i = 0; i < children.length; i++) {
                store.apply(
                        List.of(end(claim(store, "parse"), Attempt.End.COMPLETED, new Transition.Complete("\"x\""))));
            }
            claim(store, "import");
        });
        return store;
    }

    /** Does the work as a node whose lease ends at once. */
    private void crashAfter(Store store, Runnable work) {
        store.join(new NodeRecord(DEAD, THEN, THEN, Duration.ZERO, "[]"), StoreListener.none());
        store.insert(List.of(new Submission(List.of(new NewJob(parent.spec())))));
        work.run();
    }

    private static Fence claim(Store store, String type) {
        Fence fence = store.claim(new ClaimRequest(DEAD, THEN, 1, List.of(new ClaimRequest.Wanted(type, false, 1))))
                .claims().getFirst().fence();
        store.apply(List.of(new Change.Started(fence, THEN, StartGuarantee.NONE)));
        return fence;
    }

    private static Change.Ended end(Fence fence, Attempt.End end, Transition transition) {
        return new Change.Ended(fence, new Change.Execution("w", THEN, THEN, THEN, end, null), transition, false);
    }

    /** Opens a pool on the store and returns the result of the import. */
    private String finish(Store store) throws Exception {
        open(quick(Pool.on(store)).lease(Duration.ofMillis(1_500)).renewEvery(Duration.ofMillis(300))
                .register(IMPORT, new Import()).register(PARSE, (file, job) -> file));
        JobHandle<String> handle = pool().job(parent.id(), IMPORT);
        return String.valueOf(handle.await(LONG));
    }

    /** Waits, because the line follows the commit of the recovery and may come after the end of the job. */
    private void awaitLogged(String line) {
        await().until(() -> logged().contains(line));
    }

    @Test
    void restartsFromIngestIfThereAreNoChildren() throws Exception {
        String result = finish(crashDuringAggregate());

        assertThat(result).isEqualTo("file");
        assertThat(phases).containsExactly("ingest", "aggregate");
        awaitLogged("Reset job " + parent.id()
                + " to 'ingest' phase (no child tasks found, likely crashed during phase transition)");
        assertThat(pool().admin().details(parent.id()).orElseThrow().history()).extracting(HistoryEntry::reason)
                .contains("node died; back to ingest: no child tasks found, likely crashed during phase transition");
    }

    @Test
    void resumesInAggregateIfThereAreChildren() throws Exception {
        String result = finish(crashDuringAggregate(JobDraft.of("parse"), JobDraft.of("parse")));

        assertThat(result).isEqualTo("x+x");
        assertThat(phases).containsExactly("aggregate");
        awaitLogged("Job " + parent.id() + " staying in 'aggregate' phase (2 child tasks found)");
    }

    @Test
    void restartsFromIngestIfItsChildrenCannotBeRead() throws Exception {
        Store store = crashDuringAggregate(JobDraft.of("parse"));

        String result = finish(withOrphans(store,
                orphan -> orphan.withChildren(Orphan.UNREADABLE)));

        assertThat(phases).containsExactly("ingest", "aggregate");
        assertThat(result).as("results of the old child and the new one").isEqualTo("x+file");
        awaitLogged("Reset job " + parent.id() + " to 'ingest' phase (couldn't verify child tasks)");
    }

    @Test
    void repeatsIngestIfTheNodeDiedDuringIngest() throws Exception {
        Store store = newStore();
        crashAfter(store, () -> claim(store, "import"));

        assertThat(finish(store)).isEqualTo("file");
        assertThat(phases).containsExactly("ingest", "aggregate");
        assertThat(logged()).noneMatch(line -> line.contains("phase"));
    }

    /** Wraps the store to change the orphans that the recovery plan sees. */
    private static Store withOrphans(Store store, UnaryOperator<Orphan> change) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[]{Store.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("recover")) {
                        RecoveryPlan plan = (RecoveryPlan) arguments[1];
                        arguments[1] = (RecoveryPlan) orphans -> plan.decide(orphans.stream().map(change).toList());
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
