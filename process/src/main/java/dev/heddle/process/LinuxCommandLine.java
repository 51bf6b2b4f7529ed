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
 * What stands before a command so that it is held as wanted. Each program executes the next in its own place, so the
 * first of them is the process that Java knows, and leads the session and the group.
 *
 * <pre>
 * prlimit   the mark, as a limit that all descendants inherit
 * setsid    a session and a group of its own
 * setpriv   killed when the thread that started it ends, and so with the JVM
 * unshare   a PID namespace; killed with this process. Waits for the namespace's first process:
 * sh        the first process: starts the command, reaps orphans, exits as the command did, and the rest is killed
 * </pre>
 *
 * The shell is there because the first process of a namespace gets no signal that it has no handler for: a command in
 * its place would not hear a SIGTERM. It hears one itself only until the command is there to hear it, and lets go of all
 * streams, so that it holds none of them open.
 */
final class LinuxCommandLine {

    private static final String FIRST = """
            trap 'exit 143' TERM; exec 3<&0; "$@" <&3 3<&- & trap '' TERM; \
            exec 3<&- </dev/null >/dev/null 2>&1; wait $!""";
    private static final String PATH = Optional.ofNullable(System.getenv("PATH")).orElse("")
            + ":/usr/bin:/bin:/usr/sbin:/sbin";
    private static final int GOOD = 42;

    /** What sets a limit; null where nothing can. */
    private final @Nullable Path prlimit;
    private final List<String> session;
    private final List<String> namespace;
    private final String obstacle;

    private LinuxCommandLine(@Nullable Path prlimit, List<String> session, List<String> namespace,
            String obstacle) {
        this.prlimit = prlimit;
        this.session = session;
        this.namespace = namespace;
        this.obstacle = obstacle;
    }

    /** Tries what works here; empty where there is not even a {@code setsid}. */
    static Optional<LinuxCommandLine> find() {
        Optional<Path> setsid = tool("setsid");
        if (setsid.isEmpty()) {
            return Optional.empty();
        }
        List<String> session = new ArrayList<>(List.of(setsid.get().toString()));
        List<String> dying = tool("setpriv").map(path -> List.of(path.toString(), "--pdeathsig", "KILL"))
                .orElse(List.of());
        String obstacle = "setpriv is missing";
        if (!dying.isEmpty()) {
            LinuxCommandLine line = new LinuxCommandLine(null, append(session, dying), List.of(), "");
            obstacle = line.problem(Isolation.SESSION);
            if (obstacle.isEmpty()) {
                session.addAll(dying);
            }
        }
        Path prlimit = tool("prlimit").filter(found -> new LinuxCommandLine(found, session, List.of(), "")
                .problem(Isolation.SESSION).isEmpty()).orElse(null);
        if (!obstacle.isEmpty()) {
            return Optional.of(new LinuxCommandLine(prlimit, session, List.of(), obstacle));
        }
        return Optional.of(withNamespace(prlimit, session));
    }

    /** Root needs no user namespace, and would lose by it: in one, files of other users are out of its reach. */
    private static LinuxCommandLine withNamespace(@Nullable Path prlimit, List<String> session) {
        Optional<Path> unshare = tool("unshare");
        if (unshare.isEmpty()) {
            return new LinuxCommandLine(prlimit, session, List.of(), "unshare is missing");
        }
        String obstacle = "";
        for (List<String> user : List.of(List.<String>of(), List.of("--user", "--map-current-user"))) {
            List<String> namespace = append(append(List.of(unshare.get().toString()), user),
                    List.of("--pid", "--mount-proc", "--fork", "--kill-child", "--", "/bin/sh", "-c", FIRST,
                            "heddle"));
            LinuxCommandLine line = new LinuxCommandLine(prlimit, session, namespace, "");
            obstacle = line.problem(Isolation.NAMESPACE);
            if (obstacle.isEmpty()) {
                return line;
            }
        }
        return new LinuxCommandLine(prlimit, session, List.of(), obstacle);
    }

    private static Optional<Path> tool(String name) {
        return Tools.find(name, PATH);
    }

    private static List<String> append(List<String> some, List<String> more) {
        List<String> both = new ArrayList<>(some);
        both.addAll(more);
        return List.copyOf(both);
    }

    Isolation firmest() {
        return namespace.isEmpty() ? Isolation.SESSION : Isolation.NAMESPACE;
    }

    String obstacle() {
        return obstacle;
    }

    /** Whether all that a command starts can be known by a limit. */
    boolean marks() {
        return prlimit != null;
    }

    List<String> around(List<String> command, Mark mark, Isolation isolation) {
        List<String> line = new ArrayList<>();
        if (prlimit != null) {
            line.addAll(List.of(prlimit.toString(), "--rttime=" + mark.value() + ":"));
        }
        line.addAll(session);
        if (isolation == Isolation.NAMESPACE) {
            line.addAll(namespace);
        }
        line.addAll(command);
        return line;
    }

    /** What goes wrong where a command is run this way; empty where nothing does. */
    private String problem(Isolation isolation) {
        List<String> line = around(List.of("/bin/sh", "-c", "exit " + GOOD), Mark.random(), isolation);
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            process.getOutputStream().close();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return line.getFirst() + " did not end";
            }
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.exitValue() == GOOD ? "" : said.isEmpty() ? "exit " + process.exitValue() : said;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
