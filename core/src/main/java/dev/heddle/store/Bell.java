package dev.heddle.store;

/**
 * How a store tells a node that something happened which the node did not ask for: elsewhere, or in the family of a job
 * it ended. Any thread may ring.
 */
public interface Bell {

    /** There may be something new to claim. */
    void work();

    /** Something this node runs or waits for was changed; its next renewal shows what it runs and should not. */
    void changed();

    /** Whether what happens elsewhere is heard here; a node that cannot rely on the bell looks by itself more often. */
    void hearing(boolean heard);

    /** Hears nothing: for nodes that only submit or look. */
    static Bell silent() {
        return new Bell() {
            @Override
            public void work() {}

            @Override
            public void changed() {}

            @Override
            public void hearing(boolean heard) {}
        };
    }
}
