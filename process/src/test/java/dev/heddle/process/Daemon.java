package dev.heddle.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * A process that tries to get away, and the one way to find it that none of the code under test uses: a word that only
 * its command line has.
 */
final class Daemon {

    /** {@code sleep} takes several times, and sleeps for their sum; the second is the word. */
    private final String word = "0.0" + (UUID.randomUUID().getMostSignificantBits() >>> 1);
    private final Path up;

    /** Makes a file in the directory once it lives. */
    Daemon(Path directory) {
        this.up = directory.resolve("up-" + word);
    }

    /** A command line that sleeps for a day, and is known by the word. */
    String sleep() {
        return "/bin/sleep 86400 " + word;
    }

    /** A command that waits until it lives; for scripts that started it. */
    String awaitUp() {
        return "until test -e " + up + "; do sleep 0.01; done";
    }

    /** Forks twice into a session of its own, goes to the root directory, and lets go of all streams. */
    String ordinary() {
        return flee("setsid -f");
    }

    /** The same without a single variable. */
    String scrubbed() {
        return flee("env -i setsid -f");
    }

    private String flee(String how) {
        return "cd / && " + how + " /bin/sh -c '" + sleep() + " & echo > " + up
                + "' </dev/null >/dev/null 2>&1; cd \"$OLDPWD\"";
    }

    /** The pids of all that live with the word. */
    List<Long> alive() {
        String[] names = new File("/proc")
                .list((directory, name) -> name.chars().allMatch(Character::isDigit));
        return Stream.of(names == null ? new String[0] : names).filter(this::isOne).map(Long::valueOf)
                .toList();
    }

    private boolean isOne(String pid) {
        try {
            return Files.readString(Path.of("/proc", pid, "cmdline")).replace('\0', ' ').startsWith(sleep());
        } catch (IOException e) {
            return false;
        }
    }

    void awaitAlive() {
        Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> !alive().isEmpty());
    }

    void awaitGone() {
        Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> alive().isEmpty());
    }
}
