package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Opens {@link Processes} with any isolation, and closes them after the test. */
abstract class ProcessFixture {

    static final Duration LONG = Duration.ofSeconds(30);
    static final Map<String, String> PATH = Map.of("PATH", "/usr/local/bin:/usr/bin:/bin");

    @TempDir
    Path directory;

    private final List<Processes> opened = new ArrayList<>();

    /** Also ends what killed nodes left, as the next node would: nobody else knows of their temp directories. */
    @AfterEach
    void closeAll() {
        opened.forEach(Processes::close);
        if (Files.isDirectory(registry())) {
            Processes.open(settings(Isolation.SESSION)).close();
        }
    }

    /** Reports a test as skipped if this machine keeps to less: daemons are found by their mark on Linux only. */
    static void assumeFindsDaemons() {
        assumeTrue(Platform.here() instanceof LinuxPlatform, "the portable platform does not find daemons");
    }

    Path registry() {
        return directory.resolve("processes");
    }

    ProcessSettings settings(Isolation isolation) {
        return ProcessSettings.in(registry()).isolation(isolation).headroom(Headroom.none());
    }

    Processes open(Isolation isolation) {
        return open(settings(isolation));
    }

    /** Opens with the given settings. {@link Isolation#TREE} selects the portable platform, as on macOS and Windows. */
    Processes open(ProcessSettings settings) {
        return keep(settings.isolation() == Isolation.TREE ? Processes.open(settings, new PortablePlatform())
                : Processes.open(settings));
    }

    Processes keep(Processes processes) {
        opened.add(processes);
        return processes;
    }

    Launch shell(String script) {
        return Launch.of("test", "sh", "-c", script).environment(PATH).in(directory);
    }

    static Exit end(RunningProcess process) {
        try {
            return process.exit().toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(process + " did not end", e);
        }
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    String read(String name) throws IOException {
        return Files.readString(file(name));
    }
}
