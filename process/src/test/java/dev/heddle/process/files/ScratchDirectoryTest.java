package dev.heddle.process.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Files that killed processes leave are deleted, and no others. */
@Tag("portable")
class ScratchDirectoryTest {

    @TempDir
    private Path directory;

    private static final String PREFIX = "scratch-";

    /** Creates a scratch directory with a file in it, prints its path and waits; or sweeps, if told so. */
    static final class Owner {
        private Owner() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            Path parent = Path.of(args[0]);
            if (args.length > 1) {
                ScratchDirectory.sweep(parent, PREFIX);
                return;
            }
            ScratchDirectory scratch = ScratchDirectory.create(parent, PREFIX);
            Files.createFile(scratch.path().resolve("file"));
            System.out.println("created " + scratch.path());
            new CountDownLatch(1).await();
        }
    }

    private static Path createdBy(ChildJvm owner) {
        owner.awaitLine(line -> line.startsWith("created "));
        return Path.of(owner.lines().getLast().substring("created ".length()));
    }

    @Test
    void sweepsTheScratchDirectoriesOfKilledProcessesOnly() throws Exception {
        Path empty = Files.createDirectory(directory.resolve(PREFIX + "killed-before-it-was-locked"));
        Path others = Files.createDirectory(directory.resolve(PREFIX + "of-another-program"));
        Files.createFile(others.resolve("notes.lock"));
        try (ChildJvm alive = ChildJvm.start(Owner.class, directory.toString());
                ChildJvm killed = ChildJvm.start(Owner.class, directory.toString());
                ScratchDirectory own = ScratchDirectory.create(directory, PREFIX)) {
            Path kept = createdBy(alive);
            Path left = createdBy(killed);
            killed.kill();
            ScratchDirectory.sweep(directory, PREFIX);

            assertThat(left).doesNotExist();
            assertThat(empty).doesNotExist();
            assertThat(List.of(kept.resolve("file"), own.path(), others.resolve("notes.lock"))).allMatch(Files::exists);
            try (ChildJvm sweeper = ChildJvm.start(Owner.class, directory.toString(), "sweep")) {
                assertThat(sweeper.exitCode(Duration.ofMinutes(1))).as("%s", sweeper.lines()).isZero();
            }
            assertThat(own.path()).as("locked, even after this process has looked at it").exists();
        }
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left.filter(path -> !path.equals(others)).toList()).as("after they were closed or killed")
                    .hasSize(1);
        }
    }

    @Test
    void deletesTheOutputOfACommandAsSoonAsTheCommandHasOpenedIt() throws Exception {
        try (OutputFile output = OutputFile.create()) {
            Process process = new ProcessBuilder("sh", "-c", "echo one; echo two").redirectOutput(output.redirect())
                    .start();
            output.unlink();
            try (Stream<Path> files = Files.list(ScratchDirectory.ofThisProcess())) {
                assertThat(files).as("only the lock").singleElement().asString().endsWith(".lock");
            }
            process.waitFor();
            assertThat(output.text()).isEqualTo("one\ntwo\n");
        }
    }
}
