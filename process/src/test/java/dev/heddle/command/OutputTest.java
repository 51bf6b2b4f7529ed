package dev.heddle.command;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.output.RunFiles;
import dev.heddle.pool.JobHandle;
import dev.heddle.run.Run.Channel;
import dev.heddle.testkit.Torture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs with much output: 64 MB, or 1 GB in the long form. */
class OutputTest {

    private static final long MB = 1 << 20;

    @TempDir
    Path home;

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void heapUsageDoesNotGrowWithTheOutput() throws Exception {
        long size = Torture.rounds(64, 1024) * MB;
        CommandSpec command = CommandSpec.of("task", "sh", "-c",
                "head -c " + size + " /dev/zero | tr '\\0' x; echo; echo end");
        try (CommandFixture node = CommandFixture.open(CommandFixture.settings(home).outputLimit(2 * size), command)) {
            node.run(command, "{}");
            long before = heap();
            Job job = node.run(command, "{}");
            long after = heap();
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(after - before).as("bytes of heap").isLessThan(8 * MB);
            assertThat(Files.size(new RunFiles(home, job.id(), 1).stdout())).isEqualTo(size + 5);
            assertThat(node.output(job.id(), 1).stdout()).endsWith("xx\nend\n").hasSize(1 << 20);
        }
    }

    @Test
    void truncatesOutputOverTheLimitAndMarksTheGap() throws Exception {
        CommandSpec command = CommandSpec.of("task", "sh", "-c",
                "head -c 100000000 /dev/zero | tr '\\0' x; echo > \"$1/full\";"
                        + " until test -e \"$1/go\"; do sleep 0.05; done; echo the end",
                "sh", home.toString());
        try (CommandFixture node = CommandFixture.open(CommandFixture.settings(home).outputLimit(2 * MB), command)) {
            JobHandle<JsonNode> handle = node.submit(command, "{}");
            Path stdout = new RunFiles(home, handle.id(), 1).stdout();
            // Output that is written during a truncation is lost. From here on there is no truncation.
            Awaitility.await().atMost(CommandFixture.PATIENCE)
                    .until(() -> Files.exists(home.resolve("full")) && Files.size(stdout) <= (2 + 16) * MB);
            Files.createFile(home.resolve("go"));
            Job job = handle.awaitEnd(CommandFixture.PATIENCE);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(node.lastRun(job.id()).cut()).isTrue();
            assertThat(Files.size(stdout)).isLessThan(4 * MB);
            assertThat(Files.readString(stdout)).contains("x\n[heddle: output limit of ").endsWith("xx" + "the end\n");
        }
    }

    @Test
    void readsALineOfTwentyMegabytesInPieces() throws Exception {
        CommandSpec command = CommandSpec.of("task", "sh", "-c",
                "head -c 20971520 /dev/zero | tr '\\0' y; echo; echo done");
        try (CommandFixture node = CommandFixture.open(home, command)) {
            Job job = node.run(command, "{}");
            long read = 0;
            byte[] piece;
            do {
                piece = node.runtime.read(node.lastRun(job.id()), Channel.STDOUT, read, 64 << 10).orElseThrow();
                read += piece.length;
            } while (piece.length > 0);
            assertThat(read).isEqualTo(20 * MB + 6);
        }
    }
}
