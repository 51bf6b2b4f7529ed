package dev.heddle.testkit;

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
import dev.heddle.store.Bell;
import dev.heddle.store.Care;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Orphan;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.Store;
import dev.heddle.store.Submission;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * In which phase a two-phase job goes on whose node died: {@code TestGRACEPhaseRecoveryNoChildTasks} and {@code
 * TestGRACEPhaseRecoveryWithChildTasks} of the original.
 */
abstract class PhaseRecoveryContract extends PoolFixture {

    private static final Instant THEN = Instant.parse("2026-03-01T12:00:00Z");
    private static final String DEAD = "dead-node";
    private static final JobType<String, String> IMPORT = JobType.of("import", String.class, String.class);
    private static final JobType<String, String> PARSE = JobType.of("parse", String.class, String.class);

    private final List<String> phases = new CopyOnWriteArrayList<>();
    private final Draft parent = Draft.of("import").payload("\"file\"");

    PhaseRecoveryContract(PoolContract door) {
        super(door);
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

    /** A node claims the job, brings it into its second phase with these children, all ended, runs it and dies. */
    private Store deadWhileItAggregates(Draft... children) {
        Store store = newStore();
        dieIn(store, () -> {
            Fence ingest = claim(store, "import");
            for (Draft child : children) {
                child.payload("\"file\"").parent(parent.id());
            }
            store.apply(List.of(new Change.Ingested(
                    end(ingest, Attempt.End.INGESTED, new Transition.Wait("waits")),
                    Arrays.stream(children).map(Draft::job).toList())));
            for (int i = 0; i < children.length; i++) {
                store.apply(List.of(end(claim(store, "parse"), Attempt.End.COMPLETED,
                        new Transition.Complete("\"x\""))));
            }
            claim(store, "import");
        });
        return store;
    }

    /** Its lease ends at once. */
    private void dieIn(Store store, Runnable work) {
        store.join(new NodeRecord(DEAD, THEN, THEN, Duration.ZERO, "[]"), Bell.silent());
        store.insert(List.of(new Submission(List.of(new NewJob(parent.spec(), null, NewJob.UNLIMITED)))));
        work.run();
    }

    private static Fence claim(Store store, String type) {
        Fence fence = store.claim(new ClaimRequest(DEAD, THEN, 1,
                List.of(new ClaimRequest.Wanted(type, false, 1)))).jobs().getFirst().fence();
        store.apply(List.of(new Change.Started(fence, THEN, Care.NONE)));
        return fence;
    }

    private static Change.Ended end(Fence fence, Attempt.End end, Transition transition) {
        return new Change.Ended(fence, new Change.Execution("w", THEN, THEN, THEN, end, null), transition,
                false);
    }

    /** The import as a living node finishes it. */
    private String finished(Store store) throws Exception {
        open(quick(Pool.on(store)).lease(Duration.ofMillis(1_500)).renewEvery(Duration.ofMillis(300))
                .handle(IMPORT, new Import()).handle(PARSE, (file, job) -> file));
        JobHandle<String> handle = pool().handle(parent.id(), IMPORT);
        return String.valueOf(handle.await(LONG));
    }

    /** Said after the commit of the recovery, when a quick node may be done with the job already. */
    private void awaitLogged(String line) {
        await().until(() -> logged().contains(line));
    }

    @Test
    void goesBackToIngestWhereThereAreNoChildTasks() throws Exception {
        String result = finished(deadWhileItAggregates());

        assertThat(result).isEqualTo("file");
        assertThat(phases).containsExactly("ingest", "aggregate");
        awaitLogged("Reset job " + parent.id()
                + " to 'ingest' phase (no child tasks found, likely crashed during phase transition)");
        assertThat(pool().story(parent.id()).orElseThrow().history()).extracting(HistoryEntry::reason)
                .contains(
                        "node died; back to ingest: no child tasks found, likely crashed during phase transition");
    }

    @Test
    void staysInAggregateWithItsChildTasks() throws Exception {
        String result = finished(deadWhileItAggregates(Draft.of("parse"), Draft.of("parse")));

        assertThat(result).isEqualTo("x+x");
        assertThat(phases).containsExactly("aggregate");
        awaitLogged("Job " + parent.id() + " staying in 'aggregate' phase (2 child tasks found)");
    }

    @Test
    void goesBackToIngestWhereItsChildTasksCannotBeRead() throws Exception {
        Store store = deadWhileItAggregates(Draft.of("parse"));

        String result = finished(seeing(store, orphan -> new Orphan(orphan.job(), orphan.care(),
                orphan.hasCheckpoint(), Orphan.UNREADABLE)));

        assertThat(phases).containsExactly("ingest", "aggregate");
        assertThat(result).as("the old child and the new one").isEqualTo("x+file");
        awaitLogged("Reset job " + parent.id() + " to 'ingest' phase (couldn't verify child tasks)");
    }

    @Test
    void needsNoDecisionForAJobThatDiedInItsIngest() throws Exception {
        Store store = newStore();
        dieIn(store, () -> claim(store, "import"));

        assertThat(finished(store)).isEqualTo("file");
        assertThat(phases).containsExactly("ingest", "aggregate");
        assertThat(logged()).noneMatch(line -> line.contains("phase"));
    }

    /** The store, whose orphans look another way to whoever recovers them. */
    private static Store seeing(Store store, UnaryOperator<Orphan> eyes) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[]{Store.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("recover")) {
                        RecoveryPlan plan = (RecoveryPlan) arguments[1];
                        arguments[1] = (RecoveryPlan) orphans -> plan
                                .decide(orphans.stream().map(eyes).toList());
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
