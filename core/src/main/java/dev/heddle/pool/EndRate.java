package dev.heddle.pool;

/**
 * How many attempts this node ended in the last 200 ms: the bound for claiming ahead. Long enough for several commits
 * over a network: a slow store must not make for small claims, which make it slower. A pool that ends jobs by the
 * thousand may hold hundreds in hand; one whose jobs take minutes holds none, and so a crash repeats none.
 */
final class EndRate {

    private static final long WINDOW_NANOS = 200_000_000;
    private static final int SLOTS = 5;
    private static final long SLOT_NANOS = WINDOW_NANOS / SLOTS;

    private final long[] slotNumber = new long[SLOTS];
    private final int[] count = new int[SLOTS];

    synchronized void ended(int attempts, long nanoTime) {
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
