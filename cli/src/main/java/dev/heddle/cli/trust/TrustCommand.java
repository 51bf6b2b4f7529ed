package dev.heddle.cli.trust;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Trusts a home and a configuration that the user did not write. */
@Command(name = "trust", description = {"Trust a configuration and a home that git tracks or another user owns.",
    "Read heddle.yaml first: it names programs that run as you. After each change, trust it again."},
        footerHeading = "%nExamples:%n", footer = {"  heddle trust", "  heddle trust --list"})
public final class TrustCommand implements Callable<Integer> {

    private final CliOutput output;
    private final Trust trust;
    private final Places standard;

    @Parameters(arity = "0..1", paramLabel = "DIR",
            description = "Directory with heddle.yaml and .heddle (default: those of --config and --home).")
    private @Nullable Path directory;

    @Option(names = "--list", description = "List what you trust.")
    private boolean list;

    @Option(names = "--remove", description = "Stop trusting it.")
    private boolean remove;

    /** Finds the configuration and the home of this call, which may not exist. */
    public interface Places {
        /** Returns both paths. */
        List<Path> find();
    }

    /** Creates the command. */
    public TrustCommand(CliOutput output, Trust trust, Places standard) {
        this.output = output;
        this.trust = trust;
        this.standard = standard;
    }

    @Override
    public Integer call() {
        if (list) {
            if (remove || directory != null) {
                throw CliException.usage("--list lists everything; call it alone");
            }
            trust.list().forEach(output::print);
            return ExitCode.OK.code();
        }
        Path base = directory == null ? null : directory.toAbsolutePath().normalize();
        List<Path> paths = base == null ? standard.find()
                : List.of(base.resolve("heddle.yaml"), base.resolve(".heddle"));
        if (remove) {
            List<Path> removed = trust.remove(paths);
            removed.forEach(path -> output.info("no longer trusted: " + path));
            if (removed.isEmpty()) {
                throw notFound(paths, "is trusted; see 'heddle trust --list'");
            }
            return ExitCode.OK.code();
        }
        if (paths.stream().noneMatch(Files::exists)) {
            throw notFound(paths, "exists");
        }
        List<Path> added = trust.add(paths);
        added.forEach(path -> output.info("trusted: " + path));
        if (added.isEmpty()) {
            output.info("nothing to do: the files are yours and git does not track them");
        }
        return ExitCode.OK.code();
    }

    private static CliException notFound(List<Path> paths, String what) {
        return new CliException(ExitCode.NOT_FOUND, "neither " + paths.getFirst() + " nor " + paths.getLast() + " "
                + what);
    }
}
