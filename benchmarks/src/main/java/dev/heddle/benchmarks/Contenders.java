package dev.heddle.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

import org.jobrunr.server.configuration.BackgroundJobServerThreadType;

/** Who takes part, each with the best settings found for it; the README of the module says how. */
final class Contenders {

    private Contenders() {}

    /** Everybody; the peers hold as many jobs in flight as is given, or else as many as suits them best. */
    static List<Contender> all(OptionalInt inFlight) {
        List<Contender> all = new ArrayList<>();
        all.add(new Heddle(4, 500));
        all.add(new Heddle(4, 60));
        all.add(new Heddle(4, 4));
        all.add(new DbScheduler(Database.SQLITE, inFlight.orElse(8), 1, 3.0, true));
        all.add(new DbScheduler(Database.SQLITE, inFlight.orElse(8), 1, 3.0, false));
        all.add(new JobRunr(Database.SQLITE, inFlight.orElse(64),
                BackgroundJobServerThreadType.PlatformThreads, 1));
        all.add(new DbScheduler(Database.H2, inFlight.orElse(16), 8, 3.0, true));
        all.add(new JobRunr(Database.H2, inFlight.orElse(16), BackgroundJobServerThreadType.PlatformThreads,
                8));
        return List.copyOf(all);
    }

    /**
     * Those whose id contains the text. JobRunr on H2 must be asked for by its id: each of its claims there
     * costs more the more jobs wait, so that 20,000 of them would take longer than all the others together.
     */
    static List<Contender> matching(String text, OptionalInt inFlight) {
        return all(inFlight).stream().filter(contender -> contender.card().id().contains(text))
                .filter(contender -> !contender.card().id().equals("jobrunr/h2") || text.equals("jobrunr/h2"))
                .toList();
    }
}
