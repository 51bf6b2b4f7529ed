package dev.heddle.external;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ProcessTreeTest {

    @TempDir
    Path home;

    @Test
    void countsADescendantWhoseParentHasEnded() throws Exception {
        Path orphan = home.resolve("orphan");
        Process leader = new ProcessBuilder("setsid", "python3", "-c", """
                import os, sys, time
                if os.fork() == 0:
                    if os.fork() == 0:
                        hoard = bytearray(80 << 20)
                        with open(sys.argv[1] + ".part", "w") as file:
                            file.write(str(os.getpid()))
                        os.rename(sys.argv[1] + ".part", sys.argv[1])
                        time.sleep(60)
                    os._exit(0)
                os.wait()
                time.sleep(60)
                """, orphan.toString()).start();
        try {
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(orphan));
            assertThat(ProcessTree.of(leader.pid()).memory()).isGreaterThan(80 << 20);
        } finally {
            if (Files.exists(orphan)) {
                ProcessHandle.of(Long.parseLong(Files.readString(orphan))).ifPresent(ProcessHandle::destroyForcibly);
            }
            leader.destroyForcibly().waitFor();
        }
    }
}
