package dev.heddle.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.heddle.benchmarks.ScaleTrial.Size;
import dev.heddle.testkit.PostgresServer;
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

        /** Those that the store decides; the others are about the JVM, and one store is enough. */
        private static final List<Scenario> OF_THE_STORE = List.of(MILLION, ENDED, UNCLAIMABLE);

        final String heap;

        Scenario(String heap) {
            this.heap = heap;
        }
    }

    private Scale() {}

    /** Arguments: options, or, in a child, the scenario, database, its address, smoke or full, and where figures go. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 5) {
            new Parent();
            Map<String, Double> figures = run(arguments);
            new JsonMapper().writeValue(Path.of(arguments[4]), figures);
            System.exit(0);
        }
        Options options;
        try {
            options = Options.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        Path directory = Files.createTempDirectory("heddle-scale");
        try {
            System.err.println(Machine.here(directory).line());
            if (options.stores().has(Database.SQLITE)) {
                run(List.of(Scenario.values()), Database.SQLITE, directory.toString(), options, directory);
            }
            if (options.stores().has(Database.POSTGRES)) {
                try (PostgresServer server = PostgresServer.start(PostgresServer.Version.V18)) {
                    System.err.println(Server.at(server.url()).line());
                    run(Scenario.OF_THE_STORE, Database.POSTGRES, server.url(), options, directory);
                }
            }
        } finally {
            Directories.delete(directory);
        }
    }

    private static Map<String, Double> run(String[] arguments) throws Exception {
        Database database = Database.valueOf(arguments[1]);
        Places places = database.hasServer() ? new ServerPlaces(arguments[2], "scale")
                : Places.in(Path.of(arguments[2]));
        ScaleTrial trial = new ScaleTrial(database, places,
                arguments[3].equals("smoke") ? Size.SMOKE : Size.FULL);
        return switch (Scenario.valueOf(arguments[0])) {
            case MILLION -> trial.million();
            case ENDED -> trial.besideEndedJobs();
            case UNCLAIMABLE -> trial.besideUnclaimableJobs();
            case WORKERS -> trial.tenThousandWorkers();
            case BARE -> ScaleTrial.bare();
            case IDLE -> trial.idle();
        };
    }

    private static void run(List<Scenario> scenarios, Database database, String address, Options options,
            Path directory) throws Exception {
        for (Scenario scenario : scenarios) {
            System.out.println(scenario + " on " + database.label + " (" + scenario.heap + ")");
            Path output = directory.resolve(scenario + ".json");
            try (Child child = Child.start(List.of(scenario.heap), Scale.class, List.of(scenario.name(),
                    database.name(), address, options.smoke() ? "smoke" : "full", output.toString()))) {
                int exit = child.join();
                if (exit != 0) {
                    throw new IllegalStateException(scenario + " failed with exit code " + exit);
                }
            }
            new TreeMap<>(new JsonMapper().readValue(Files.readString(output), FIGURES))
                    .forEach((name, value) -> System.out.printf("  %-55s %,14.2f%n", name, value));
        }
    }
}
