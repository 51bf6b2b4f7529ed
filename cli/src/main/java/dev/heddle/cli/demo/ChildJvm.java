package dev.heddle.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts this program again in a child JVM. */
final class ChildJvm implements DemoWorker {

    @Override
    public Process start(Path directory) throws IOException {
        return new ProcessBuilder(command(DemoWorkerCommand.NAME, directory.toString())).redirectErrorStream(true)
                .redirectOutput(directory.resolve("worker.out").toFile()).start();
    }

    static List<String> command(String... args) {
        List<String> words = new ArrayList<>(List.of("dev.heddle.cli.Main"));
        words.addAll(List.of(args));
        return java(words.toArray(String[]::new));
    }

    /**
     * Returns a command line of java with the class path of this program; the words are options, a class and arguments.
     */
    static List<String> java(String... words) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(words));
        return command;
    }
}
