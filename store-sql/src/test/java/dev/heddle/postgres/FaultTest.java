package dev.heddle.postgres;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import dev.heddle.store.NodeRecord;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs three nodes under load while they and their server are killed, suspended and disconnected. */
class FaultTest {

    private static final Duration DRAINED_WITHIN = Duration.ofMinutes(3);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @Test
    void losesNothingAndRepeatsNothingWhateverFails() throws Exception {
        Random random = Torture.random("FaultTest");
        Duration length = Duration.ofSeconds(Torture.rounds(25, 300));
        Path log = directory.resolve("log");
        System.out.println("FaultTest: the logs are in " + directory + ", and are kept if it fails");
        PostgresServer server = PostgresServer.start(Version.V18);
        try (server) {
            String url = server.createDatabase();
            try (PostgresStore store = PostgresStore.builder().url(url).connections(2).open();
                    FaultNodes nodes = new FaultNodes(url, log, random)) {
                Faults faults = new Faults(nodes, server, url, store, random, directory.resolve("faults"), log);
                faults.run(length);
                finish(store, nodes);

                FaultChecks checks = new FaultChecks(FaultLog.read(log), nodes);
                checks.noJobIsLost(store);
                System.out.println("FaultTest: " + faults.counts() + ", " + checks.summary());
                checks.oneResultIsAccepted();
                checks.noStepIsRepeated();
                checks.attemptsDoNotOverlap();
                checks.nonIdempotentJobsFinishOnce();
                checks.eachKeyHasOneLiveJob();
                checks.noLiveNodeIsDeclaredDead();
                checks.resultsOfLiveNodesAreAccepted();
                checks.lostClaimsWereNeverStarted();
                checks.resultsOfResumedNodesAreRefused(faults.resumed());
                checks.allNodesWorkAgain();
            }
        }
        assertThat(Files.exists(server.directory())).isFalse();
    }

    /** Checks that no node is stuck: each takes part in new work, all jobs end, and all nodes leave. */
    private static void finish(PostgresStore store, FaultNodes nodes) {
        nodes.tell(FaultNode.QUIET);
        nodes.tell(FaultNode.FRESH);
        Faults.await("the end of all jobs").atMost(DRAINED_WITHIN).until(() -> store.countJobs().live().isEmpty());
        // The node that was killed last may not have been declared dead yet.
        Faults.await("the live nodes, and no others").until(() -> {
            List<NodeRecord> records = store.nodes();
            return records.size() == nodes.alive().size()
                    && records.stream().allMatch(node -> nodes.find(node.id()).isPresent());
        });
        nodes.closeAll();
        assertThat(store.nodes()).isEmpty();
        assertThat(nodes.alive()).noneMatch(ChildJvm::isAlive);
    }
}
