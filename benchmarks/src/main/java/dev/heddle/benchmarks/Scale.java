package dev.heddle.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * What Heddle's own size does to it: a million jobs queued or ended, a hundred thousand that cannot be claimed, ten
 * thousand workers, nothing at all. Each scenario has a JVM of its own with the heap it is allowed.
 */
final class Scale {

    private static final TypeReference<Map<String, Double>> FIGURES = new TypeReference<>() {};

    /** The scenarios in order; the ended jobs of the first are what the second works beside. */
    private enum Scenario {
        MILLION("-Xmx256m"), ENDED("-Xmx1g"), UNCLAIMABLE("-Xmx1g"), WORKERS("-Xmx512m"), BARE(
                "-Xmx256m"), IDLE("-Xmx256m");

        final String heap;

        Scenario(String heap) {
            this.heap = heap;
        }
    }

    private Scale() {}

    /** Arguments: none, or, in a child, the scenario, its directory and where its figures go. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 3) {
            ScaleTrial trial = new ScaleTrial(Path.of(arguments[1]));
            Map<String, Double> figures = switch (Scenario.valueOf(arguments[0])) {
                case MILLION -> trial.million();
                case ENDED -> trial.besideEndedJobs();
                case UNCLAIMABLE -> trial.besideUnclaimableJobs();
                case WORKERS -> trial.tenThousandWorkers();
                case BARE -> ScaleTrial.bare();
                case IDLE -> trial.idle();
            };
            new JsonMapper().writeValue(Path.of(arguments[2]), figures);
            System.exit(0);
        }
        Path directory = Files.createTempDirectory("heddle-scale");
        try {
            System.err.println(Machine.here(directory).line());
            for (Scenario scenario : Scenario.values()) {
                System.out.println(scenario.name().toLowerCase(Locale.ROOT) + " (" + scenario.heap + ")");
                run(scenario, directory)
                        .forEach((name, value) -> System.out.printf("  %-55s %,14.2f%n", name, value));
            }
        } finally {
            delete(directory);
        }
    }

    private static Map<String, Double> run(Scenario scenario, Path directory)
            throws IOException, InterruptedException {
        Path output = directory.resolve(scenario + ".json");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", scenario.heap, "-cp",
                System.getProperty("java.class.path"),
                Scale.class.getName(), scenario.name(), directory.toString(), output.toString()));
        int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException(scenario + " failed with exit code " + exit);
        }
        return new JsonMapper().readValue(Files.readString(output), FIGURES).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, TreeMap::new));
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
