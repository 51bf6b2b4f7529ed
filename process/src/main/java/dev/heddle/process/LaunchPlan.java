package dev.heddle.process;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A launch with everything looked up and checked, so that what is left to go wrong is the start itself. */
record LaunchPlan(Row row, ProcessBuilder builder) {

    static LaunchPlan of(Launch launch, Platform platform, Isolation firmest) {
        Launch.Place place = place(launch);
        List<String> command = new ArrayList<>(launch.command());
        command.set(0, Tools.locate(command.getFirst(), place.directory(), launch.environment()).toString());
        Mark mark = Mark.random();
        Row row = new Row(mark, launch.run(), launch.isolation().atMost(firmest), place,
                TempDirectory.of(mark), null);
        ProcessBuilder builder = new ProcessBuilder(platform.commandLine(mark, row.isolation(), command))
                .directory(place.directory().toFile());
        setEnvironment(builder, launch, row);
        redirect(builder, launch.streams());
        return new LaunchPlan(row, builder);
    }

    private static void setEnvironment(ProcessBuilder builder, Launch launch, Row row) {
        Map<String, String> environment = builder.environment();
        environment.clear();
        try {
            environment.putAll(launch.environment());
        } catch (IllegalArgumentException e) {
            throw new LaunchException(LaunchException.Kind.INVALID, "the environment of " + launch.run()
                    + " cannot be set: " + e.getMessage(), e);
        }
        environment.putAll(TempDirectory.variables(row.temp()));
        environment.put(Mark.VARIABLE, row.mark().toString());
    }

    private static Launch.Place place(Launch launch) {
        Path directory = launch.place().directory();
        if (!Files.isDirectory(directory)) {
            throw new LaunchException(LaunchException.Kind.NO_PLACE, "cannot run in " + directory + ": "
                    + (Files.exists(directory) ? "it is not a directory" : "there is no such directory"));
        }
        try {
            return new Launch.Place(directory.toRealPath(), launch.place().own());
        } catch (IOException e) {
            throw new LaunchException(LaunchException.Kind.NO_PLACE,
                    "cannot run in " + directory + ": " + e.getMessage(),
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
            throw new LaunchException(LaunchException.Kind.NO_PLACE,
                    "cannot read " + file + " for its input");
        }
        return file.toFile();
    }

    private static Redirect redirect(Output output) {
        return switch (output) {
            case Output.Discarded() -> Redirect.DISCARD;
            case Output.ToFile(Path file) -> Redirect.appendTo(file.toFile());
            case Output.ToStream _,Output.WithOutput _ -> Redirect.PIPE;
        };
    }
}
