package dev.heddle.benchmarks.heddle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.heddle.benchmarks.Options;
import dev.heddle.benchmarks.contender.Database;
import dev.heddle.benchmarks.contender.PostgresLocations;
import dev.heddle.benchmarks.contender.StoreLocations;
import dev.heddle.benchmarks.heddle.ScaleTrial.Size;
import dev.heddle.benchmarks.report.MachineInfo;
import dev.heddle.benchmarks.report.ServerInfo;
import dev.heddle.benchmarks.trial.ChildProcess;
import dev.heddle.benchmarks.trial.Directories;
import dev.heddle.benchmarks.trial.ParentProcess;
import dev.heddle.testkit.PostgresServer;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures how Heddle scales: with a million queued or ended jobs, a hundred thousand jobs that cannot be claimed, ten
 * thousand workers, and without any load. Each scenario runs in a child JVM with a limited heap.
 */
final class Scale {

    private static final TypeReference<Map<String, Double>> FIGURES = new TypeReference<>() {};

    /** The scenarios in order; the second one runs next to the ended jobs of the first. */
    private enum Scenario {
        MILLION("-Xmx256m"), ENDED("-Xmx1g"), UNCLAIMABLE("-Xmx1g"), WORKERS("-Xmx512m"), BARE("-Xmx256m"), IDLE(
                "-Xmx256m");

        /** The scenarios that depend on the store; the others measure the JVM and run on one store only. */
        private static final List<Scenario> OF_THE_STORE = List.of(MILLION, ENDED, UNCLAIMABLE);

        final String heap;

        Scenario(String heap) {
            this.heap = heap;
        }
    }

    private Scale() {}

    /** Arguments: options; or, in a child, the scenario, database, address, "smoke" or "full", and the output file. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 5) {
            new ParentProcess();
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
            System.err.println(MachineInfo.here(directory).line());
            if (options.stores().has(Database.SQLITE)) {
                run(List.of(Scenario.values()), Database.SQLITE, directory.toString(), options, directory);
            }
            if (options.stores().has(Database.POSTGRES)) {
                try (PostgresServer server = PostgresServer.start(PostgresServer.Version.V18)) {
                    System.err.println(ServerInfo.at(server.url()).line());
                    run(Scenario.OF_THE_STORE, Database.POSTGRES, server.url(), options, directory);
                }
            }
        } finally {
            Directories.delete(directory);
        }
    }

    private static Map<String, Double> run(String[] arguments) throws Exception {
        Database database = Database.valueOf(arguments[1]);
        StoreLocations places = database.hasServer() ? new PostgresLocations(arguments[2], "scale")
                : StoreLocations.in(Path.of(arguments[2]));
        ScaleTrial trial = new ScaleTrial(database, places, arguments[3].equals("smoke") ? Size.SMOKE : Size.FULL);
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
            try (ChildProcess child = ChildProcess.start(List.of(scenario.heap), Scale.class, List.of(scenario.name(),
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
