package dev.heddle.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** This program once more, in a JVM of its own. */
final class ChildJvm implements Crew {

    @Override
    public Process start(Path directory) throws IOException {
        return new ProcessBuilder(command(directory, CrewCommand.NAME, directory.toString()))
                .redirectErrorStream(true).redirectOutput(directory.resolve("crew.out").toFile()).start();
    }

    /** A killed JVM cannot clear up after itself, so all that it may leave has to lie in the directory. */
    static List<String> command(Path directory, String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData", "-Dorg.sqlite.tmpdir=" + directory, "-cp",
                System.getProperty("java.class.path"), "dev.heddle.cli.Main"));
        command.addAll(List.of(args));
        return command;
    }
}
