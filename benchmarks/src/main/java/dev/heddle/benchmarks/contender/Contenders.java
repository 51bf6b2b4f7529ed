package dev.heddle.benchmarks.contender;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

import org.jobrunr.server.configuration.BackgroundJobServerThreadType;

/** All contenders with the best settings found for each; the README of the module explains how they were found. */
public final class Contenders {

    private Contenders() {}

    /**
     * Returns all contenders. Peers hold the given number of jobs in flight, or else the number that is best for them.
     */
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
        all.add(new JobRunr(Database.SQLITE, inFlight.orElse(64), BackgroundJobServerThreadType.PlatformThreads, 1,
                false));
        all.add(new DbScheduler(Database.H2, inFlight.orElse(16), 8, 3.0, true));
        all.add(new JobRunr(Database.H2, inFlight.orElse(16), BackgroundJobServerThreadType.PlatformThreads, 8, false));
    }

    private static void addOnPostgres(List<Contender> all, OptionalInt inFlight) {
        all.add(new Heddle(Database.POSTGRES, 4, 500));
        all.add(new Heddle(Database.POSTGRES, 4, 196));
        all.add(new Heddle(Database.POSTGRES, 4, 60));
        int threads = inFlight.isPresent() ? Math.max(1, inFlight.getAsInt() / 4) : 50;
        all.add(new DbScheduler(Database.POSTGRES, threads, 20, 4.0, true));
        all.add(new DbScheduler(Database.POSTGRES, threads, 20, 4.0, false));
        all.add(new JobRunr(Database.POSTGRES, inFlight.orElse(64), BackgroundJobServerThreadType.VirtualThreads, 20,
                true));
        all.add(new JobRunr(Database.POSTGRES, inFlight.orElse(64), BackgroundJobServerThreadType.VirtualThreads, 20,
                false));
        all.add(new Quartz(inFlight.orElse(10), 12));
        all.add(new Dbos(inFlight.orElse(2_000), 20));
    }

    /**
     * Returns the contenders whose id contains the text. JobRunr on H2 takes part only if its full id is given: its
     * claims slow down with the number of waiting jobs, and 20,000 jobs would take longer than all other contenders
     * together.
     */
    public static List<Contender> matching(String text, StoreChoice stores, OptionalInt inFlight) {
        return all(inFlight).stream().filter(contender -> contender.card().id().contains(text))
                .filter(contender -> !contender.card().id().equals("jobrunr/h2") || text.equals("jobrunr/h2"))
                .filter(contender -> stores.has(contender.database())).toList();
    }

    /** Returns one contender for each product and store. */
    public static List<Contender> oneOfEach(List<Contender> contenders) {
        Set<List<String>> seen = new HashSet<>();
        return contenders.stream().filter(one -> seen.add(List.of(one.card().product(), one.card().store()))).toList();
    }

    public static Contender named(String id, OptionalInt inFlight) {
        return all(inFlight).stream().filter(contender -> contender.card().id().equals(id)).findFirst().orElseThrow();
    }
}
