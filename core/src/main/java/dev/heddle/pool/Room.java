package dev.heddle.pool;

/**
 * How much a group of workers can take.
 *
 * @param free workers with nothing to do
 * @param inHand claims that wait for a worker
 * @param unsettled attempts that are over and whose commit is still to come
 * @param mostAhead how many there may be of the last two together
 */
record Room(int free, int inHand, int unsettled, int mostAhead) {

    /**
     * How many jobs to claim beyond the free workers. At most half of what may be in flight, so that the store claims one
     * half while it commits the other.
     */
    int ahead() {
        return Math.clamp((long) mostAhead - inHand - unsettled, 0, half());
    }

    /**
     * Whether it is worth a claim. One costs the store nearly the same for a single job as for a hundred: where jobs end
     * by the hundred, there will be room for more in a moment.
     */
    boolean isWorthAClaim() {
        return free + ahead() >= Math.max(1, half());
    }

    private int half() {
        return (mostAhead + 1) / 2;
    }
}
