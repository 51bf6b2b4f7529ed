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
 * A process that tries to escape from its launch. Tests find it by a word that only its command line contains, which is
 * a way that the code under test never uses.
 */
public final class EscapingDaemon {

    /** {@code sleep} takes several durations and sleeps for their sum. The second one is the word. */
    private final String word = "0.0" + (UUID.randomUUID().getMostSignificantBits() >>> 1);
    private final Path up;

    /**
     * Describes a daemon.
     *
     * @param directory where the daemon creates a file once it is alive
     */
    public EscapingDaemon(Path directory) {
        this.up = directory.resolve("up-" + word);
    }

    /** Returns a command line that sleeps for a day and contains the word. */
    String sleep() {
        return "/bin/sleep 86400 " + word;
    }

    /** Returns a shell command that waits until the daemon is alive, for the script that started it. */
    public String awaitUp() {
        return "until test -e " + up + "; do sleep 0.01; done";
    }

    /** Returns a script that forks twice into a new session, in the root directory, with all streams closed. */
    public String daemonize() {
        return escape("setsid -f");
    }

    /** Returns the same script, but the daemon also clears its environment. */
    public String daemonizeWithoutEnvironment() {
        return escape("env -i setsid -f");
    }

    /** Returns a script that leaves a process behind in a new session, which holds the standard output open. */
    String holdOutput(boolean withoutEnvironment) {
        return (withoutEnvironment ? "env -i " : "") + "setsid -f /bin/sh -c 'echo > " + up + "; exec " + sleep() + "'";
    }

    private String escape(String how) {
        return "cd / && " + how + " /bin/sh -c '" + sleep() + " & echo > " + up
                + "' </dev/null >/dev/null 2>&1; cd \"$OLDPWD\"";
    }

    /** Returns the pids of all living processes with the word. */
    public List<Long> alive() {
        String[] names = new File("/proc").list((directory, name) -> name.chars().allMatch(Character::isDigit));
        return Stream.of(names == null ? new String[0] : names).filter(this::hasWord).map(Long::valueOf).toList();
    }

    private boolean hasWord(String pid) {
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

    public void awaitGone() {
        Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> alive().isEmpty());
    }
}
