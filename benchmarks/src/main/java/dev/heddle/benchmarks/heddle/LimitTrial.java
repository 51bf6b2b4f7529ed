package dev.heddle.benchmarks.heddle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

import dev.heddle.benchmarks.Options;
import dev.heddle.benchmarks.contender.Database;
import dev.heddle.benchmarks.contender.PostgresLocations;
import dev.heddle.benchmarks.contender.StoreLocations;
import dev.heddle.benchmarks.heddle.DrainSide.Drain;
import dev.heddle.benchmarks.report.MachineInfo;
import dev.heddle.benchmarks.report.ServerInfo;
import dev.heddle.benchmarks.trial.Directories;
import dev.heddle.testkit.PostgresServer;

/** Measures what limits cost: the jobs that have them, and others beside jobs that wait for room. */
final class LimitTrial {

    private final Database database;
    private final StoreLocations places;
    private final CpuTime cpu;
    private final Size size;

    /**
     * The size of a run.
     *
     * @param active how many keys the drained jobs have
     * @param full how many keys without room there are
     * @param each how many jobs wait for each of these
     */
    private record Size(int drained, int pairs, int active, int full, int each) {
        static final Size FULL = new Size(10_000, 8, 10_000, 1_000, 100);
        static final Size SMOKE = new Size(100, 1, 50, 10, 10);
    }

    private LimitTrial(Database database, StoreLocations places, CpuTime cpu, Size size) {
        this.database = database;
        this.places = places;
        this.cpu = cpu;
        this.size = size;
    }

    public static void main(String[] arguments) throws Exception {
        Options options = Options.parse(List.of(arguments));
        Path directory = Files.createTempDirectory("heddle-limits");
        Size size = options.smoke() ? Size.SMOKE : Size.FULL;
        try {
            System.out.println(MachineInfo.here(directory).line());
            if (options.stores().has(Database.SQLITE)) {
                new LimitTrial(Database.SQLITE, StoreLocations.in(directory), new CpuTime(Optional.empty()), size)
                        .run();
            }
            if (options.stores().has(Database.POSTGRES)) {
                try (PostgresServer server = PostgresServer.start(PostgresServer.Version.V18)) {
                    System.out.println(ServerInfo.at(server.url()).line());
                    new LimitTrial(Database.POSTGRES, new PostgresLocations(server.url(), "limits"),
                            new CpuTime(Optional.of(server)), size).run();
                }
            }
            System.out.println(MachineInfo.here(directory).line());
        } finally {
            Directories.delete(directory);
        }
    }

    private void run() throws Exception {
        try (DrainSide without = new DrainSide(database, places, cpu, "without", 100, 0)) {
            for (int i = 0; i < 3; i++) {
                without.drain(size.drained, DrainSide.plain());
            }
            print("the same twice, which is the noise", without, "alone", 100, 0, 0, false);
            print("%,d active keys".formatted(size.active), without, "active", 100, 0, 0, true);
            print("beside %,d full keys, %,d waiting of each".formatted(size.full, size.each), without, "beside", 1,
                    size.full, size.each, false);
            print("beside a full key, %,d waiting".formatted(size.full * size.each), without, "big", 1, 1,
                    size.full * size.each, false);
        }
    }

    private void print(String title, DrainSide without, String name, int most, int keys, int each, boolean limited)
            throws Exception {
        try (DrainSide with = new DrainSide(database, places, cpu, name, most, keys)) {
            if (keys > 0) {
                with.fill(keys, each);
            }
            var request = limited ? DrainSide.ofKeys(size.active) : DrainSide.plain();
            with.drain(size.drained, request);
            var pairs = Pairs.measure(size.pairs, () -> with.drain(size.drained, request),
                    () -> without.drain(size.drained, DrainSide.plain()));
            System.out.printf("  %-10s %-45s rate %s, processor time of a job %s, %.0f against %.0f µs; %d pairs%n",
                    database.label, title, Pairs.ratios(pairs, Drain::rate), Pairs.ratios(pairs, Drain::cpu),
                    median(pairs, pair -> pair.one().cpu()), median(pairs, pair -> pair.other().cpu()), size.pairs);
        }
    }

    private static double median(List<Pairs.Pair<Drain>> pairs, ToDoubleFunction<Pairs.Pair<Drain>> figure) {
        return pairs.stream().mapToDouble(figure).sorted().skip((pairs.size() - 1) / 2).findFirst().orElseThrow();
    }
}
