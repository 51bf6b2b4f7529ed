package dev.heddle.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** This program once more, in a JVM of its own. */
final class ChildJvm implements Crew {

    @Override
    public Process start(Path directory) throws IOException {
        return new ProcessBuilder(command(CrewCommand.NAME, directory.toString()))
                .redirectErrorStream(true).redirectOutput(directory.resolve("crew.out").toFile()).start();
    }

    static List<String> command(String... args) {
        List<String> words = new ArrayList<>(List.of("dev.heddle.cli.Main"));
        words.addAll(List.of(args));
        return java(words.toArray(String[]::new));
    }

    /** What java is told: a class of this program, with its arguments, and options before it. */
    static List<String> java(String... words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(words));
        return command;
    }
}
