package dev.heddle.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Wraps a command in the programs that isolate it. Each program replaces itself with the next one ({@code exec}), so
 * the process that Java started leads the session and the group.
 *
 * <pre>
 * prlimit   sets the mark as a limit that all descendants inherit
 * setsid    starts a new session and process group
 * setpriv   has the kernel kill the process when the thread that started it ends, which it does only with the JVM
 * unshare   creates a PID namespace that is killed together with this process, and waits for its first process:
 * sh        the first process starts the command, reaps orphans and exits as the command did; the kernel kills the rest
 * </pre>
 *
 * <p>The shell is needed because the kernel delivers to the first process of a namespace only signals that it handles,
 * so a command in its place would ignore SIGTERM. The shell itself ends by SIGTERM only until the command has started,
 * and closes all streams so that it does not hold them open.
 */
final class LinuxCommandLine {

    private static final String FIRST_PROCESS = """
            trap '[ -n "$!" ] || exit 143' TERM; exec 3<&0; "$@" <&3 3<&- & trap '' TERM; \
            exec 3<&- </dev/null >/dev/null 2>&1; wait $!""";
    private static final String PATH = Optional.ofNullable(System.getenv("PATH")).orElse("")
            + ":/usr/bin:/bin:/usr/sbin:/sbin";
    /** The exit code by which a probe shows that it ran. */
    private static final int PROBE_CODE = 42;

    /** The program that sets a limit; null if there is none. */
    private final @Nullable Path prlimit;
    private final List<String> session;
    private final List<String> namespace;
    private final String limitation;

    private LinuxCommandLine(@Nullable Path prlimit, List<String> session, List<String> namespace, String limitation) {
        this.prlimit = prlimit;
        this.session = session;
        this.namespace = namespace;
        this.limitation = limitation;
    }

    /** Probes which wrappers work on this machine; empty if there is no {@code setsid}. */
    static Optional<LinuxCommandLine> find() {
        Optional<Path> setsid = tool("setsid");
        if (setsid.isEmpty()) {
            return Optional.empty();
        }
        List<String> session = new ArrayList<>(List.of(setsid.get().toString()));
        List<String> deathSignal = tool("setpriv").map(path -> List.of(path.toString(), "--pdeathsig", "KILL"))
                .orElse(List.of());
        String limitation = "setpriv is missing";
        if (!deathSignal.isEmpty()) {
            LinuxCommandLine line = new LinuxCommandLine(null, append(session, deathSignal), List.of(), "");
            limitation = line.probe(Isolation.SESSION);
            if (limitation.isEmpty()) {
                session.addAll(deathSignal);
            }
        }
        Path prlimit = tool("prlimit")
                .filter(found -> new LinuxCommandLine(found, session, List.of(), "").probe(Isolation.SESSION).isEmpty())
                .orElse(null);
        if (!limitation.isEmpty()) {
            return Optional.of(new LinuxCommandLine(prlimit, session, List.of(), limitation));
        }
        return Optional.of(withNamespace(prlimit, session));
    }

    /**
     * Tries first without a user namespace. Root does not need one, and would lose access to the files of other users
     * in it.
     */
    private static LinuxCommandLine withNamespace(@Nullable Path prlimit, List<String> session) {
        Optional<Path> unshare = tool("unshare");
        if (unshare.isEmpty()) {
            return new LinuxCommandLine(prlimit, session, List.of(), "unshare is missing");
        }
        String limitation = "";
        for (List<String> user : List.of(List.<String>of(), List.of("--user", "--map-current-user"))) {
            List<String> namespace = append(append(List.of(unshare.get().toString()), user), List.of("--pid",
                    "--mount-proc", "--fork", "--kill-child", "--", "/bin/sh", "-c", FIRST_PROCESS, "heddle"));
            LinuxCommandLine line = new LinuxCommandLine(prlimit, session, namespace, "");
            limitation = line.probe(Isolation.NAMESPACE);
            if (limitation.isEmpty()) {
                return line;
            }
        }
        return new LinuxCommandLine(prlimit, session, List.of(), limitation);
    }

    private static Optional<Path> tool(String name) {
        return Executables.find(name, PATH);
    }

    private static List<String> append(List<String> some, List<String> more) {
        List<String> both = new ArrayList<>(some);
        both.addAll(more);
        return List.copyOf(both);
    }

    Isolation strongestIsolation() {
        return namespace.isEmpty() ? Isolation.SESSION : Isolation.NAMESPACE;
    }

    String limitation() {
        return limitation;
    }

    /** Returns whether the mark is set as a limit, which all descendants keep. */
    boolean setsMarks() {
        return prlimit != null;
    }

    List<String> wrap(List<String> command, ProcessMark mark, Isolation isolation) {
        return wrap(command, mark, session, isolation == Isolation.NAMESPACE ? namespace : List.of());
    }

    /** Wraps a command as strongly as possible, but without the death signal. */
    List<String> wrapUnbound(List<String> command, ProcessMark mark) {
        return wrap(command, mark, session.subList(0, 1), namespace);
    }

    private List<String> wrap(List<String> command, ProcessMark mark, List<String> sessionLeader,
            List<String> namespaceLeader) {
        List<String> line = new ArrayList<>();
        if (prlimit != null) {
            line.addAll(List.of(prlimit.toString(), "--rttime=" + mark.value() + ":"));
        }
        line.addAll(sessionLeader);
        line.addAll(namespaceLeader);
        line.addAll(command);
        return line;
    }

    /** Runs a probe with this command line and returns what went wrong; empty if it worked. */
    private String probe(Isolation isolation) {
        List<String> line = wrap(List.of("/bin/sh", "-c", "exit " + PROBE_CODE), ProcessMark.random(), isolation);
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            process.getOutputStream().close();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return line.getFirst() + " did not end within 30 s";
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.exitValue() == PROBE_CODE ? "" : output.isEmpty() ? "exit " + process.exitValue() : output;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
