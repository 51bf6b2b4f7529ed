package dev.heddle.engine;

import dev.heddle.engine.dispatch.Demand;
import dev.heddle.engine.execute.WorkerGroup;
import dev.heddle.engine.support.EventPublisher;
import dev.heddle.pool.PoolEvent;
import dev.heddle.worker.WorkerEvent;

/** Wakes the dispatcher when workers have room, and publishes their events. */
record GroupListener(Demand demand, EventPublisher events) implements WorkerGroup.Listener {

    @Override
    public void workerFreed() {
        demand.roomAvailable();
    }

    @Override
    public void workerJoined() {
        demand.workAvailable();
    }

    @Override
    public void publish(WorkerEvent event) {
        events.publish(() -> new PoolEvent.OfWorker(event));
    }
}
