package dev.heddle.family;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Two-phase imports on nodes that are killed at random moments, again and again. */
class ImportKillTest {

    private static final int PAGE = 500;

    @TempDir
    private Path directory;

    private final Map<JobId, Integer> acknowledged = new HashMap<>();
    private int kills;

    @Test
    void importsCorrectlyOnSqliteHoweverOftenTheNodeIsKilled() throws Exception {
        torture("sqlite", directory.resolve("jobs.db").toString(), 1);
    }

    /** With two nodes: the survivor takes over from the killed one. */
    @Test
    void importsCorrectlyOnPostgresHoweverOftenANodeIsKilled() throws Exception {
        torture("postgres", PostgresServer.shared(Version.V18).createDatabase(), 2);
    }

    private void torture(String kind, String location, int nodes) throws Exception {
        Random random = Torture.random("ImportKillTest " + kind);
        List<ChildJvm> living = new ArrayList<>();
        try {
            for (int wanted = Torture.rounds(4, 50); kills < wanted; kills++) {
                while (living.size() < nodes) {
                    living.add(start(kind, location, random.nextLong(), "load"));
                }
                TimeUnit.MILLISECONDS.sleep(random.nextInt(nodes == 1 ? 600 : 1_200));
                ChildJvm victim = living.remove(random.nextInt(living.size()));
                victim.kill();
                readAcknowledgements(victim);
            }
            for (ChildJvm last : living) {
                last.kill();
                readAcknowledgements(last);
            }
            try (ChildJvm drain = start(kind, location, 0, "drain")) {
                assertThat(drain.exitCode(Duration.ofMinutes(5))).isZero();
                assertThat(drain.lines()).contains("DRAINED");
            }
        } finally {
            living.forEach(ChildJvm::close);
        }
        try (Store store = ImportNode.store(kind, location)) {
            check(kind, store);
        }
    }

    private static ChildJvm start(String kind, String location, long seed, String mode) {
        ChildJvm node = ChildJvm.start(ImportNode.class, kind, location, Long.toString(seed), mode);
        node.awaitLine("READY"::equals);
        return node;
    }

    private void readAcknowledgements(ChildJvm node) {
        for (String line : node.lines()) {
            String[] words = line.split(" ", -1);
            if (words.length == 3 && words[0].equals("ack")) {
                acknowledged.put(JobId.of(words[1]), Integer.valueOf(words[2]));
            }
        }
    }

    private void check(String kind, Store store) {
        assertThat(store.countJobs().live()).as("live jobs").isEmpty();
        int families = 0;
        int children = 0;
        int crashes = 0;
        int resets = 0;
        for (Job job : all(store)) {
            JobDetails story = store.details(job.id()).orElseThrow();
            assertThat(job.state()).as("%s", story).isEqualTo(JobState.COMPLETED);
            crashes += (int) story.attempts().stream()
                    .filter(a -> a.end() == Attempt.End.NODE_DIED || a.end() == Attempt.End.CRASHED).count();
            resets += (int) story.history().stream().map(HistoryEntry::reason)
                    .filter(reason -> reason.contains("back to ingest")).count();
            if (job.type().equals(ImportNode.IMPORT.name())) {
                families++;
                children += checkFamily(store, story);
            }
        }
        acknowledged.forEach((id,
                sum) -> assertThat(Payloads
                        .read(store.find(id).orElseThrow().result().orElseThrow(), ImportNode.Result.class).sum())
                        .as("the aggregate of %s", id).isEqualTo(sum));
        System.out.println("ImportKillTest: " + kills + " kills on " + kind + ", " + acknowledged.size()
                + " imports acknowledged, " + families + " families with " + children + " children, all correct; "
                + crashes + " attempts lost their node, " + resets + " went back to ingest");
        assertThat(acknowledged).hasSizeGreaterThan(kills);
    }

    private static List<Job> all(Store store) {
        List<Job> jobs = new ArrayList<>(store.list(JobQuery.all().after(0).limit(PAGE)));
        for (int before = 0; jobs.size() - before == PAGE;) {
            before = jobs.size();
            jobs.addAll(store.list(JobQuery.all().after(jobs.getLast().seq()).limit(PAGE)));
        }
        return jobs;
    }

    /**
     * Checks that a parent has one set of children, adds up all of them, and that none ran after the parent had
     * ended.
     */
    private static int checkFamily(Store store, JobDetails parent) {
        JobId id = parent.job().id();
        ImportNode.Import order = Payloads.read(parent.job().spec().payload(), ImportNode.Import.class);
        ImportNode.Result result = Payloads.read(parent.job().result().orElseThrow(), ImportNode.Result.class);
        assertThat(result).as("%s", parent).isEqualTo(new ImportNode.Result(order.sum(), order.count()));
        assertThat(parent.children()).as("one set of children of %s", id)
                .isEqualTo(Map.of(JobState.COMPLETED, (long) order.count()));
        for (Job child : store.list(JobQuery.all().parent(id).limit(1_000))) {
            for (Attempt attempt : store.details(child.id()).orElseThrow().attempts()) {
                assertThat(attempt.endedAt()).as("attempt of child %s of %s", child.id(), id)
                        .isBeforeOrEqualTo(parent.job().endedAt().orElseThrow());
            }
        }
        return order.count();
    }
}
