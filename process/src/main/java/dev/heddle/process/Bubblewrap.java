package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.heddle.process.SandboxMounts.Access;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands in sandboxes of bubblewrap ({@code bwrap}): mount, PID, IPC and UTS namespaces, no capabilities, no new
 * privileges. A signal for the group of the command must not end bubblewrap, which would kill the command at once, so
 * bubblewrap ignores SIGTERM and the command does not.
 */
final class Bubblewrap {

    private static final String PATH = Optional.ofNullable(System.getenv("PATH")).orElse("") + ":/usr/bin:/bin";
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(30);
    private static final int PROBE_CODE = 42;
    /** Sockets and files of other programs. Sockets can be connected to even where nothing can be written. */
    private static final List<Path> HIDDEN = List.of(Path.of("/tmp"), Path.of("/var/tmp"), Path.of("/run"));
    /** The resolver's configuration, to which {@code /etc/resolv.conf} is a link on many machines. */
    private static final List<Path> READABLE = List.of(Path.of("/run/systemd/resolve/stub-resolv.conf"),
            Path.of("/run/systemd/resolve/resolv.conf"), Path.of("/run/NetworkManager/resolv.conf"));

    private final @Nullable Path bwrap;
    private final @Nullable Path env;
    private final Optional<String> problem;

    private Bubblewrap(@Nullable Path bwrap, @Nullable Path env) {
        this.bwrap = bwrap;
        this.env = env;
        this.problem = bwrap == null ? Optional.of("bwrap is not on the PATH; install the package bubblewrap")
                : env == null ? Optional.of("env is not on the PATH") : probe();
    }

    /** Looks for bubblewrap and tries it, once. */
    static Bubblewrap here() {
        return Holder.HERE;
    }

    private static final class Holder {
        private static final Bubblewrap HERE = new Bubblewrap(Executables.find("bwrap", PATH).orElse(null),
                Executables.find("env", PATH).orElse(null));
    }

    /** Returns why there is no sandbox, in words; empty if there is one. */
    Optional<String> problem() {
        return problem;
    }

    private Optional<String> probe() {
        List<String> line = wrap(List.of("/bin/sh", "-c", "exit " + PROBE_CODE), new SandboxMounts(), Path.of("/"),
                false);
        try {
            ShortCommand.Result result = ShortCommand.run(line, Path.of("/"), Map.of("PATH", PATH), PROBE_TIMEOUT);
            return result.exit() == PROBE_CODE ? Optional.empty()
                    : Optional.of("bwrap does not work here: "
                            + result.err().lines().findFirst().orElse("exit code " + result.exit()));
        } catch (IOException e) {
            return Optional.of("bwrap cannot be started: " + e.getMessage());
        }
    }

    /**
     * Returns the command line that runs a command in a sandbox.
     *
     * @param command the absolute path of the program, and its arguments
     * @param directory the working directory
     * @param temp the temp directory; null if the command uses that of the sandbox
     * @throws LaunchException if there is no sandbox, or if the program would be hidden
     */
    List<String> wrap(List<String> command, Sandbox sandbox, Path directory, @Nullable Path temp) {
        problem.ifPresent(why -> {
            throw new LaunchException(LaunchException.Kind.NOT_FOUND, "no sandbox on this machine: " + why);
        });
        SandboxMounts mounts = mounts(sandbox, directory, temp);
        Path program = Path.of(command.getFirst());
        if (mounts.access(program) == Access.HIDDEN || mounts.access(real(program)) == Access.HIDDEN) {
            throw new LaunchException(LaunchException.Kind.NOT_FOUND, "the program " + program
                    + " is hidden by the sandbox; add its directory to the paths that the sandbox can read");
        }
        return wrap(command, mounts, directory, sandbox.network());
    }

    private static SandboxMounts mounts(Sandbox sandbox, Path directory, @Nullable Path temp) {
        SandboxMounts mounts = new SandboxMounts();
        List<Path> hidden = new ArrayList<>(HIDDEN);
        hidden.add(Path.of(System.getProperty("user.home")));
        hidden.addAll(sandbox.hidden());
        addExisting(mounts, Access.HIDDEN, hidden);
        addExisting(mounts, Access.READ, READABLE);
        addExisting(mounts, Access.READ, sandbox.readable());
        addExisting(mounts, Access.WRITE, sandbox.writable());
        mounts.add(Access.WRITE, real(directory));
        if (temp != null) {
            mounts.add(Access.WRITE, temp);
        }
        return mounts;
    }

    private static void addExisting(SandboxMounts mounts, Access access, List<Path> paths) {
        paths.stream().filter(Files::exists).map(Bubblewrap::real).filter(path -> path.getNameCount() > 0)
                .forEach(path -> mounts.add(access, path));
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize();
        }
    }

    private List<String> wrap(List<String> command, SandboxMounts mounts, Path directory, boolean network) {
        List<String> line = new ArrayList<>(List.of(String.valueOf(env), "--ignore-signal=TERM", String.valueOf(bwrap),
                "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL"));
        if (!network) {
            line.add("--unshare-net");
        }
        line.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"));
        line.addAll(mounts.options(Files::isDirectory));
        line.addAll(List.of("--chdir", real(directory).toString(), "--", String.valueOf(env), "--default-signal=TERM"));
        line.addAll(command);
        return line;
    }
}
