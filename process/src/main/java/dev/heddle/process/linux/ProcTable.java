package dev.heddle.process.linux;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** A snapshot of the processes in {@code /proc}. A process that ends while it is read is left out. */
public final class ProcTable {

    private static final Path PROC = Path.of("/proc");

    private final Map<Long, Entry> entries;

    /**
     * One process.
     *
     * @param pid its id
     * @param parent the id of its parent
     * @param state the letter of its state
     * @param startTicks when it started, in clock ticks since boot (field 22 of its stat file)
     */
    public record Entry(long pid, long parent, char state, long startTicks) {

        /** Returns false for a zombie, of which only the exit code is left. */
        public boolean isAlive() {
            return state != 'Z' && state != 'X';
        }
    }

    private ProcTable(Map<Long, Entry> entries) {
        this.entries = entries;
    }

    /** Reads all processes. */
    public static ProcTable read() {
        Map<Long, Entry> entries = new HashMap<>();
        pids().forEach(pid -> find(pid).ifPresent(entry -> entries.put(pid, entry)));
        return new ProcTable(entries);
    }

    private static Stream<Long> pids() {
        String[] names = new File(PROC.toString()).list((directory, name) -> name.chars().allMatch(Character::isDigit));
        return names == null ? Stream.empty() : Stream.of(names).map(Long::valueOf);
    }

    /** Returns the processes that have not ended. */
    public Stream<Entry> alive() {
        return entries.values().stream().filter(Entry::isAlive);
    }

    /** Returns whether the process is a descendant of another one. */
    public boolean isDescendant(Entry entry, long ancestor) {
        @Nullable Entry at = entry;
        // Parents may change while they are read, so the chain could be a cycle. It never is longer than the table.
        for (int steps = 0; at != null && steps < entries.size(); steps++) {
            if (at.parent() == ancestor) {
                return true;
            }
            at = entries.get(at.parent());
        }
        return false;
    }

    /** Reads one process; empty if there is no such process. */
    public static Optional<Entry> find(long pid) {
        return text(pid, "stat").flatMap(stat -> parse(pid, stat));
    }

    /**
     * Parses a {@code stat} file. The command name is in parentheses and may itself contain some; the last one ends it.
     */
    static Optional<Entry> parse(long pid, String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        if (fields.length < 20) {
            return Optional.empty();
        }
        return Optional.of(new Entry(pid, Long.parseLong(fields[1]), fields[0].charAt(0), Long.parseLong(fields[19])));
    }

    /** Returns the soft limit of real-time CPU time, which carries a {@code ProcessMark}; empty if it is unlimited. */
    public static Optional<Long> realTimeLimit(long pid) {
        return text(pid, "limits")
                .flatMap(limits -> limits.lines().filter(line -> line.startsWith("Max realtime timeout"))
                        .map(line -> line.substring(25).strip().split("\\s+", 2)[0])
                        .filter(value -> !value.equals("unlimited")).map(Long::parseUnsignedLong).findFirst());
    }

    /**
     * Returns a variable of the environment in which the process was started; empty if it is not set or not readable.
     */
    public static Optional<String> environmentVariable(long pid, String name) {
        return text(pid, "environ").flatMap(
                environment -> Stream.of(environment.split("\0", -1)).filter(entry -> entry.startsWith(name + "="))
                        .map(entry -> entry.substring(name.length() + 1)).findFirst());
    }

    /** Returns the working directory of a process; empty if it is not readable. */
    public static Optional<Path> workingDirectory(long pid) {
        try {
            return Optional.of(Files.readSymbolicLink(PROC.resolve(pid + "/cwd")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns the children of all threads of a process, including adopted orphans. */
    public static List<Long> children(long pid) {
        String[] threads = new File(PROC.resolve(pid + "/task").toString()).list();
        return threads == null ? List.of()
                : Stream.of(threads).flatMap(thread -> text(pid, "task/" + thread + "/children").stream())
                        .flatMap(pids -> Stream.of(pids.strip().split(" ", -1))).filter(child -> !child.isEmpty())
                        .map(Long::valueOf).toList();
    }

    private static Optional<String> text(long pid, String file) {
        try {
            return Optional.of(Files.readString(PROC.resolve(pid + "/" + file), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
