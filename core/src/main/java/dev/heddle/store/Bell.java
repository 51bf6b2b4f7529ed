package dev.heddle.store;

/** How a store that several nodes share tells one of them that something happened elsewhere. Any thread may ring. */
public interface Bell {

    /** There may be something new to claim. */
    void work();

    /** Something this node runs was changed from elsewhere; its next renewal shows what. */
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
