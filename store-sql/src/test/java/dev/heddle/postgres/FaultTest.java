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

/** Three nodes under load, while they and their server are killed, stopped and cut off from each other. */
class FaultTest {

    private static final Duration DRAINED_WITHIN = Duration.ofMinutes(3);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS) private Path directory;

    @Test
    void losesNothingAndRepeatsNothingWhateverFails() throws Exception {
        Random random = Torture.random("FaultTest");
        Duration length = Duration.ofSeconds(Torture.rounds(50, 300));
        Path log = directory.resolve("log");
        System.out.println("FaultTest: what happens is in " + directory + ", and stays there if it fails");
        PostgresServer server = PostgresServer.start(Version.V18);
        try (server) {
            String url = server.createDatabase();
            try (PostgresStore store = PostgresStore.builder().url(url).connections(2).open();
                    FaultCrew crew = new FaultCrew(url, log, random)) {
                Faults faults = new Faults(crew, server, url, store, random, directory.resolve("faults"),
                        log);
                faults.run(length);
                comeToRest(store, crew);

                FaultChecks checks = new FaultChecks(FaultLog.read(log), crew);
                checks.nothingIsLost(store);
                System.out.println("FaultTest: " + faults.counts() + ", " + checks.summary());
                checks.oneResultIsAccepted();
                checks.noStepIsRepeated();
                checks.attemptsDoNotOverlap();
                checks.theCarefulFinishOnce();
                checks.keysHoldOneJobEach();
                checks.onlyTheDeadAreBuried();
                checks.theLivingAreHeard();
                checks.whatGoesBackUnheardWasNeverStarted();
                checks.theRevivedAreRefused(faults.revived());
                checks.allWorkAgain();
            }
        }
        assertThat(Files.exists(server.directory())).isFalse();
    }

    /** No node is stuck: each takes part in new work, everything ends, and all leave when asked to. */
    private static void comeToRest(PostgresStore store, FaultCrew crew) {
        crew.tell(FaultNode.QUIET);
        crew.tell(FaultNode.FRESH);
        Faults.await("the end of all jobs").atMost(DRAINED_WITHIN)
                .until(() -> store.tally().live().isEmpty());
        // Who was killed last may have held nothing, and is still to be declared dead.
        Faults.await("the living nodes, and no others").until(() -> {
            List<NodeRecord> nodes = store.nodes();
            return nodes.size() == crew.living().size()
                    && nodes.stream().allMatch(node -> crew.find(node.id()).isPresent());
        });
        crew.dismiss();
        assertThat(store.nodes()).isEmpty();
        assertThat(crew.living()).noneMatch(ChildJvm::isAlive);
    }
}
