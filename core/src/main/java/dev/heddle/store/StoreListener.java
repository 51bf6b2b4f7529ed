package dev.heddle.store;

import java.time.Duration;

/**
 * Tells a node what happened in the store without its doing: on other nodes, or to parents and children of a job that
 * it ended. A store may call it on any thread, so be quick.
 */
public interface StoreListener {

    /** Called if there may be new jobs to claim. */
    void workAvailable();

    /** Called if something changed that this node runs or waits for. Its next renewal shows what it should stop. */
    void jobsChanged();

    /** Called if another node has changed a schedule. */
    default void schedulesChanged() {}

    /** Called if another node has published events, or subscribes to them. */
    default void eventsAnnounced() {}

    /**
     * Called if notifications from other nodes stop or start to arrive. While they do not, the node polls more often.
     */
    void notificationsReliable(boolean reliable);

    /**
     * Called if the clock was set that a {@link ClockedStore} goes by.
     *
     * @param jump by how much, negative if back
     * @param moved how many jobs wait for some time to pass, whose due times were moved by as much
     */
    void clockJumped(Duration jump, int moved);

    /** Returns a listener that ignores everything. */
    static StoreListener none() {
        return new StoreListener() {
            @Override
            public void workAvailable() {}

            @Override
            public void jobsChanged() {}

            @Override
            public void notificationsReliable(boolean reliable) {}

            @Override
            public void clockJumped(Duration jump, int moved) {}
        };
    }
}
