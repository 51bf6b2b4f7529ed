package dev.heddle.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** This program once more, in a JVM of its own. */
final class ChildJvm implements Crew {

    @Override
    public Process start(Path directory) throws IOException {
        // A killed JVM cannot clear up after itself: all that it may leave has to lie in the demo's directory.
        List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData", "-Dorg.sqlite.tmpdir=" + directory, "-cp",
                System.getProperty("java.class.path"), "dev.heddle.cli.Main", CrewCommand.NAME,
                directory.toString());
        return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(directory.resolve("crew.out").toFile()).start();
    }
}
