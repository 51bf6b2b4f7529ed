package dev.heddle.engine.dispatch;

/**
 * Counts the attempts that ended in the last 200 ms, which limits how many jobs to claim ahead. A pool that ends jobs
 * by the thousand may hold hundreds of claims. One whose jobs take minutes holds none, so a crash repeats none.
 *
 * <p>The window is long enough for several commits over a network. With a shorter one, a slow store would get smaller
 * claims, which make it slower still.
 */
final class CompletionRate {

    private static final long WINDOW_NANOS = 200_000_000;
    private static final int SLOTS = 5;
    private static final long SLOT_NANOS = WINDOW_NANOS / SLOTS;

    private final long[] slotNumber = new long[SLOTS];
    private final int[] count = new int[SLOTS];

    synchronized void add(int attempts, long nanoTime) {
        long number = Math.floorDiv(nanoTime, SLOT_NANOS);
        int slot = Math.floorMod(number, SLOTS);
        if (slotNumber[slot] != number) {
            slotNumber[slot] = number;
            count[slot] = 0;
        }
        count[slot] += attempts;
    }

    synchronized int lastWindow(long nanoTime) {
        long number = Math.floorDiv(nanoTime, SLOT_NANOS);
        int sum = 0;
        for (int i = 0; i < SLOTS; i++) {
            if (number - slotNumber[i] < SLOTS) {
                sum += count[i];
            }
        }
        return sum;
    }
}
