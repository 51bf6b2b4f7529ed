package dev.heddle.process;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends what nodes of this machine left that were killed themselves. */
final class Inheritance {

    private static final Logger LOG = LoggerFactory.getLogger(Inheritance.class);

    private final Registry registry;
    private final Platform platform;
    private final Sweeper sweeper;

    /** What became of a node. */
    enum Fate {
        /** It runs, here: its processes are its own. */
        LIVES,
        /** It is gone, and its processes may not be. */
        DIED,
        /** It is gone with everything, because the machine was switched off. */
        DIED_WITH_THE_MACHINE,
        /** It was on another machine, or in another container: nothing can be said from here. */
        ELSEWHERE
    }

    Inheritance(Registry registry, Platform platform, Sweeper sweeper) {
        this.registry = registry;
        this.platform = platform;
        this.sweeper = sweeper;
    }

    static Fate fateOf(Registry.Owner owner, Platform.Machine here, LongUnaryOperator startOf) {
        Platform.Machine there = owner.machine();
        if (!there.id().equals(here.id())) {
            return Fate.ELSEWHERE;
        }
        if (!there.bootId().equals(here.bootId())) {
            return Fate.DIED_WITH_THE_MACHINE;
        }
        if (!there.view().equals(here.view())) {
            return Fate.ELSEWHERE;
        }
        return startOf.applyAsLong(owner.pid()) == owner.startTicks() ? Fate.LIVES : Fate.DIED;
    }

    void settle() {
        for (Registry.Estate estate : registry.others()) {
            switch (fateOf(estate.owner(), platform.machine(), platform::startOf)) {
                case LIVES, ELSEWHERE -> {
                }
                case DIED_WITH_THE_MACHINE -> {
                    estate.rows().forEach(row -> clear(estate, row));
                    Registry.removeIfEmpty(estate.directory());
                }
                case DIED -> sweep(estate);
            }
        }
    }

    private void sweep(Registry.Estate estate) {
        Map<Row, CompletableFuture<Sweeper.Swept>> sweeps = estate.rows().stream()
                .collect(Collectors.toMap(row -> row, sweeper::sweep));
        sweeps.forEach((row, sweep) -> {
            Sweeper.Swept swept = sweep.join();
            LOG.atInfo().addKeyValue("run", row.run()).addKeyValue("killed", swept.killed())
                    .log("Cleared up {} of node process {}, which died: {} processes killed", row.run(),
                            estate.owner().pid(), swept.killed());
            List<Long> survivors = swept.survivors();
            if (survivors.isEmpty()) {
                clear(estate, row);
            } else {
                LOG.warn("Of {}, processes {} cannot be killed; tried again at the next opening", row.run(),
                        survivors);
            }
        });
        Registry.removeIfEmpty(estate.directory());
    }

    private static void clear(Registry.Estate estate, Row row) {
        TempDirectory.delete(row.temp());
        Registry.remove(estate, row.mark());
    }
}
