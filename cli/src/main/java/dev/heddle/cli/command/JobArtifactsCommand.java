package dev.heddle.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.FileErrors;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.model.ArtifactView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists, prints or saves the files that a job has left. */
@Command(name = "artifacts", description = {"List, print or save the files that a job has left.",
    "Without NAME, lists them; with NAME, prints the file. Of several attempts, the last one that left a file counts."})
final class JobArtifactsCommand extends ControlCommand {

    private static final int BUFFER = 64 << 10;

    @Parameters(index = "0", paramLabel = "ID", description = "Job id, or a unique prefix of it.")
    @SuppressWarnings("NullAway.Init") // set before call()
    private String id;

    @Parameters(index = "1", paramLabel = "NAME", arity = "0..1", description = "Artifact to print or save.")
    private @Nullable String name;

    @Option(names = "--save", paramLabel = "DIR", description = "Save the file, or all files, in this directory.")
    private @Nullable Path directory;

    @Option(names = "--attempt", paramLabel = "N", converter = PositiveIntConverter.class,
            description = "Only files of this attempt.")
    private @Nullable Integer attempt;

    JobArtifactsCommand(CliContext context) {
        super(context, Intent.READ);
    }

    @Override
    ExitCode execute(Control control) throws IOException {
        if (name != null && directory == null) {
            print(control, name);
            return ExitCode.OK;
        }
        List<ArtifactView> found = control.artifacts(id).stream()
                .filter(artifact -> attempt == null || artifact.attempt() == attempt)
                .filter(artifact -> name == null || artifact.name().equals(name)).toList();
        if (name != null && found.isEmpty()) {
            throw ControlException.notFound("job " + id + " has no artifact '" + name + "'");
        }
        if (directory == null) {
            format().many(output(), found, artifacts -> table().print(output(), artifacts));
        } else {
            save(control, found, directory);
        }
        return ExitCode.OK;
    }

    private static Table<ArtifactView> table() {
        return new Table<ArtifactView>().number("ATTEMPT", artifact -> String.valueOf(artifact.attempt()))
                .number("BYTES", artifact -> String.valueOf(artifact.bytes())).elastic("NAME", ArtifactView::name)
                .elastic("PLACE", ArtifactView::place);
    }

    private void print(Control control, String artifact) throws IOException {
        try (InputStream in = control.artifact(id, artifact, attempt)) {
            byte[] buffer = new byte[BUFFER];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                output().copy(Arrays.copyOf(buffer, read), false);
            }
        }
    }

    private void save(Control control, List<ArtifactView> found, Path to) throws IOException {
        Map<String, ArtifactView> last = new LinkedHashMap<>();
        found.forEach(artifact -> last.put(artifact.name(), artifact));
        for (ArtifactView artifact : last.values()) {
            Path file = within(to, artifact.name());
            try (InputStream in = control.artifact(id, artifact.name(), artifact.attempt())) {
                Path parent = Objects.requireNonNull(file.getParent());
                Files.createDirectories(parent);
                if (!parent.toRealPath().startsWith(to.toRealPath())) {
                    throw CliException.usage("'" + file + "' would be outside of " + to + "; choose another directory");
                }
                Files.copy(in, file);
            } catch (FileAlreadyExistsException e) {
                throw new CliException(ExitCode.FAILED, file + " exists already; choose another directory", e);
            } catch (IOException e) {
                throw FileErrors.writing(file, e);
            }
            output().print(file.toString());
        }
    }

    /** Refuses names that lead elsewhere. A node of the right version sends none; another program might. */
    private static Path within(Path directory, String artifact) {
        Path root = directory.toAbsolutePath().normalize();
        Path file = root.resolve(artifact).normalize();
        if (!file.startsWith(root) || file.equals(root)) {
            throw CliException.usage("the name '" + artifact + "' is not one of a file in a directory");
        }
        return file;
    }
}
