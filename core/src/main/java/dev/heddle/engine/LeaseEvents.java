package dev.heddle.engine;

import java.util.Optional;

import dev.heddle.engine.cluster.NodeLease;
import dev.heddle.engine.commit.CompletionPoller;
import dev.heddle.engine.dispatch.Dispatcher;
import dev.heddle.engine.event.EventPublication;
import dev.heddle.engine.execute.Watchdog;
import dev.heddle.engine.schedule.Scheduler;
import dev.heddle.engine.submit.Intake;
import dev.heddle.engine.support.PoolCounters;

/** Passes news from the node's lease on to the parts that depend on it. */
record LeaseEvents(Watchdog watchdog, CompletionPoller completionWatcher, Intake intake, WorkerGroups groups,
        Dispatcher dispatcher, PoolCounters counters,
        Optional<Scheduler> scheduler, EventPublication publication) implements NodeLease.LeaseListener {

    @Override
    public void leaseRenewed() {
        watchdog.wake();
        completionWatcher.wake();
        publication.leaseRenewed();
    }

    @Override
    public void storeRecovered() {
        dispatcher.storeRecovered();
    }

    @Override
    public void schedulesChanged() {
        scheduler.ifPresent(Scheduler::raise);
    }

    @Override
    public void eventsAnnounced() {
        publication.announced();
    }

    @Override
    public void clockJumped() {
        counters.clockJumped();
    }

    @Override
    public void jobsChanged() {
        intake.capacityFreed();
        completionWatcher.checkNow();
        groups.invalidateSessions();
    }
}
