package dev.heddle.benchmarks;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

import org.jobrunr.server.configuration.BackgroundJobServerThreadType;

/** Who takes part, each with the best settings found for it; the README of the module says how. */
final class Contenders {

    private Contenders() {}

    /** Everybody; the peers hold as many jobs in flight as is given, or else as many as suits them best. */
    static List<Contender> all(OptionalInt inFlight) {
        List<Contender> all = new ArrayList<>();
        addOnFiles(all, inFlight);
        addOnPostgres(all, inFlight);
        return List.copyOf(all);
    }

    private static void addOnFiles(List<Contender> all, OptionalInt inFlight) {
        all.add(new Heddle(Database.SQLITE, 4, 500));
        all.add(new Heddle(Database.SQLITE, 4, 60));
        all.add(new Heddle(Database.SQLITE, 4, 4));
        all.add(new DbScheduler(Database.SQLITE, inFlight.orElse(8), 1, 3.0, true));
        all.add(new DbScheduler(Database.SQLITE, inFlight.orElse(8), 1, 3.0, false));
        all.add(new JobRunr(Database.SQLITE, inFlight.orElse(64),
                BackgroundJobServerThreadType.PlatformThreads, 1, false));
        all.add(new DbScheduler(Database.H2, inFlight.orElse(16), 8, 3.0, true));
        all.add(new JobRunr(Database.H2, inFlight.orElse(16), BackgroundJobServerThreadType.PlatformThreads,
                8, false));
    }

    private static void addOnPostgres(List<Contender> all, OptionalInt inFlight) {
        all.add(new Heddle(Database.POSTGRES, 4, 500));
        all.add(new Heddle(Database.POSTGRES, 4, 196));
        all.add(new Heddle(Database.POSTGRES, 4, 60));
        int threads = inFlight.isPresent() ? Math.max(1, inFlight.getAsInt() / 4) : 50;
        all.add(new DbScheduler(Database.POSTGRES, threads, 20, 4.0, true));
        all.add(new DbScheduler(Database.POSTGRES, threads, 20, 4.0, false));
        all.add(new JobRunr(Database.POSTGRES, inFlight.orElse(64),
                BackgroundJobServerThreadType.VirtualThreads, 20, true));
        all.add(new JobRunr(Database.POSTGRES, inFlight.orElse(64),
                BackgroundJobServerThreadType.VirtualThreads, 20, false));
        all.add(new Quartz(inFlight.orElse(10), 12));
        all.add(new Dbos(inFlight.orElse(2_000), 20));
    }

    /**
     * Those whose id contains the text. JobRunr on H2 must be asked for by its id: each of its claims there
     * costs more the more jobs wait, so that 20,000 of them would take longer than all the others together.
     */
    static List<Contender> matching(String text, StoreChoice stores, OptionalInt inFlight) {
        return all(inFlight).stream().filter(contender -> contender.card().id().contains(text))
                .filter(contender -> !contender.card().id().equals("jobrunr/h2") || text.equals("jobrunr/h2"))
                .filter(contender -> stores.has(contender.database())).toList();
    }

    /** One of each product on each store, to see that they run. */
    static List<Contender> oneOfEach(List<Contender> contenders) {
        Set<List<String>> seen = new HashSet<>();
        return contenders.stream()
                .filter(one -> seen.add(List.of(one.card().product(), one.card().store()))).toList();
    }

    static Contender named(String id, OptionalInt inFlight) {
        return all(inFlight).stream().filter(contender -> contender.card().id().equals(id)).findFirst()
                .orElseThrow();
    }
}
