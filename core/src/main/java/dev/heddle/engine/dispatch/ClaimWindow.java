package dev.heddle.engine.dispatch;

/**
 * How much a group of workers can take.
 *
 * @param free idle workers
 * @param waiting claims that wait for a worker
 * @param unsettled attempts that have ended and are not yet committed
 * @param maxAhead the limit for {@code waiting} and {@code unsettled} together
 */
record ClaimWindow(int free, int waiting, int unsettled, int maxAhead) {

    /**
     * Returns how many jobs to claim beyond the free workers. At most half of what may be in flight, so the store can
     * claim one half while it commits the other.
     */
    int ahead() {
        return Math.clamp((long) maxAhead - waiting - unsettled, 0, half());
    }

    /**
     * Returns whether to claim now. A claim costs the store nearly the same for one job as for a hundred. If jobs end
     * by the hundred, it is better to wait a moment for more room.
     */
    boolean isWorthAClaim() {
        return free + ahead() >= Math.max(1, half());
    }

    private int half() {
        return (maxAhead + 1) / 2;
    }
}
