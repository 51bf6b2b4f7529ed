package dev.heddle.process;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A launch with every path resolved and checked, which leaves only the start itself to fail.
 *
 * @param user the user as which the process runs; null for the user of the node
 */
record LaunchPlan(ProcessRecord record, ProcessBuilder builder, @Nullable TargetUser user) {

    static LaunchPlan of(Launch launch, Platform platform, Isolation strongest) {
        Launch.WorkingDirectory directory = resolve(launch.directory());
        List<String> command = new ArrayList<>(launch.command());
        command.set(0, Executables.locate(command.getFirst(), directory.path(), launch.environment()).toString());
        ProcessMark mark = ProcessMark.random();
        ProcessRecord record = new ProcessRecord(mark, launch.label(), launch.isolation().atMost(strongest), directory,
                TempDirectory.of(mark), null);
        ConfinedCommand confined = ConfinedCommand.of(launch, command, directory.path(), record.temp(), true);
        ProcessBuilder builder = new ProcessBuilder(
                platform.commandLine(mark, record.isolation(), confined.command()))
                .directory(directory.path().toFile());
        setEnvironment(builder, launch.label(), confined.environment(), record);
        redirect(builder, launch.streams());
        return new LaunchPlan(record, builder, confined.user());
    }

    private static void setEnvironment(ProcessBuilder builder, String label, Map<String, String> variables,
            ProcessRecord record) {
        Map<String, String> environment = builder.environment();
        environment.clear();
        try {
            environment.putAll(variables);
        } catch (IllegalArgumentException e) {
            throw new LaunchException(LaunchException.Kind.INVALID,
                    "the environment of " + label + " cannot be set: " + e.getMessage(), e);
        }
        environment.putAll(TempDirectory.variables(record.temp()));
        environment.put(ProcessMark.VARIABLE, record.mark().toString());
    }

    private static Launch.WorkingDirectory resolve(Launch.WorkingDirectory directory) {
        Path path = directory.path();
        if (!Files.isDirectory(path)) {
            throw new LaunchException(LaunchException.Kind.BAD_PATH, "cannot run in " + path + ": "
                    + (Files.exists(path) ? "it is not a directory" : "there is no such directory"));
        }
        try {
            return new Launch.WorkingDirectory(path.toRealPath(), directory.exclusive());
        } catch (IOException e) {
            throw new LaunchException(LaunchException.Kind.BAD_PATH, "cannot run in " + path + ": " + e.getMessage(),
                    e);
        }
    }

    private static void redirect(ProcessBuilder builder, Launch.Streams streams) {
        builder.redirectInput(switch (streams.input()) {
            case Input.None() -> Redirect.from(new File(File.separatorChar == '\\' ? "NUL" : "/dev/null"));
            case Input.FromFile(Path file) -> Redirect.from(readable(file));
            case Input.Pipe() -> Redirect.PIPE;
        });
        builder.redirectOutput(redirect(streams.output()));
        if (streams.errors() instanceof Output.WithOutput) {
            builder.redirectErrorStream(true);
        } else {
            builder.redirectError(redirect(streams.errors()));
        }
    }

    private static File readable(Path file) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new LaunchException(LaunchException.Kind.BAD_PATH,
                    "cannot read the input file " + file + "; check that it exists and is readable");
        }
        return file.toFile();
    }

    private static Redirect redirect(Output output) {
        return switch (output) {
            case Output.Discarded() -> Redirect.DISCARD;
            case Output.ToFile(Path file) -> Redirect.appendTo(file.toFile());
            case Output.ToStream _, Output.WithOutput _ -> Redirect.PIPE;
        };
    }
}
