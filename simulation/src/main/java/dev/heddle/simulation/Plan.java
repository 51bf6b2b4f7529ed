package dev.heddle.simulation;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;

/**
 * What a simulation does. The seed decides everything that the other components leave open.
 *
 * @param seed the seed
 * @param nodes how many nodes there are
 * @param operations how many things happen: submits, commands, faults
 * @param sharing whether the store is for one node at a time or for many
 * @param work the kinds of jobs
 * @param orders what clients ask of jobs
 * @param faults the kinds of faults
 */
record Plan(long seed, int nodes, int operations, Sharing sharing, Set<Work> work, Set<Order> orders,
        Set<Fault> faults) {

    private static final Duration RARELY = Duration.ofSeconds(20);

    Plan {
        nodes = sharing == Sharing.SINGLE ? 1 : nodes;
        work = ordered(Work.class, work);
        orders = ordered(Order.class, orders);
        faults = ordered(Fault.class, faults);
    }

    /** Other sets have an order that differs between JVMs. */
    private static <E extends Enum<E>> Set<E> ordered(Class<E> type, Set<E> some) {
        Set<E> copy = EnumSet.noneOf(type);
        copy.addAll(some);
        return Collections.unmodifiableSet(copy);
    }

    /** How many nodes a store is for. */
    enum Sharing {
        /** One node at a time, whose clock is the clock of the store, as with SQLite. */
        SINGLE,
        /** Many nodes with leases, and a clock of its own, as with PostgreSQL. */
        SHARED
    }

    /** What can go wrong. */
    enum Fault {
        /** The store takes longer. */
        SLOW_STORE,
        /** A call of the store fails, and has done nothing. */
        ERROR,
        /** A call of the store fails, and has done what it should. */
        LOST_REPLY,
        /** A node cannot reach the store for a while. */
        PARTITION,
        /** A node dies at any moment, and starts again. */
        CRASH,
        /** All threads of a node stand still for a while. */
        PAUSE,
        /** A node closes in an orderly way, and starts again. */
        RESTART,
        /** The clocks of nodes differ, and are set. */
        CLOCK,
        /** Notifications come late or never. */
        LOST_NOTIFICATION
    }

    /** Returns the plan of a seed: a random subset of everything. */
    static Plan of(long seed) {
        Random random = new Random(seed ^ 0x5DEECE66DL);
        int nodes = 1 + random.nextInt(3);
        Sharing sharing = nodes == 1 && random.nextBoolean() ? Sharing.SINGLE : Sharing.SHARED;
        return new Plan(seed, nodes, 10 + random.nextInt(50), sharing, some(Work.class, random, 3),
                some(Order.class, random, 3), some(Fault.class, random, 3));
    }

    /** Returns a random subset in which each has a chance of one in {@code chance}; perhaps an empty one. */
    private static <E extends Enum<E>> Set<E> some(Class<E> type, Random random, int chance) {
        Set<E> chosen = EnumSet.noneOf(type);
        for (E each : type.getEnumConstants()) {
            if (random.nextInt(chance) == 0) {
                chosen.add(each);
            }
        }
        if (chosen.isEmpty() && type.equals(Work.class)) {
            chosen.add(type.getEnumConstants()[0]);
        }
        return chosen;
    }

    /**
     * Returns how often nodes look for jobs without a notification; empty for what is standard. That polls often, and
     * what nobody was told of, the next poll finds; so with most seeds, nodes poll rarely.
     */
    Optional<Duration> pollEvery() {
        return Math.floorMod(seed, 4) == 0 ? Optional.empty() : Optional.of(RARELY);
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    Plan withNodes(int count) {
        return new Plan(seed, count, operations, sharing, work, orders, faults);
    }

    Plan withOperations(int count) {
        return new Plan(seed, nodes, count, sharing, work, orders, faults);
    }

    Plan without(Work kind) {
        return new Plan(seed, nodes, operations, sharing, less(Work.class, work, kind), orders, faults);
    }

    Plan without(Order order) {
        return new Plan(seed, nodes, operations, sharing, work, less(Order.class, orders, order), faults);
    }

    Plan without(Fault fault) {
        return new Plan(seed, nodes, operations, sharing, work, orders, less(Fault.class, faults, fault));
    }

    private static <E extends Enum<E>> Set<E> less(Class<E> type, Set<E> some, E one) {
        Set<E> fewer = EnumSet.noneOf(type);
        fewer.addAll(some);
        fewer.remove(one);
        return fewer;
    }

    /** Returns the arguments with which {@link Simulate} plays this plan again. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(" ");
        text.add("--seed=" + seed).add("--nodes=" + nodes).add("--operations=" + operations)
                .add("--sharing=" + sharing).add("--work=" + names(work)).add("--orders=" + names(orders))
                .add("--faults=" + names(faults));
        return text.toString();
    }

    private static <E extends Enum<E>> String names(Set<E> some) {
        return String.join(",", some.stream().map(Enum::name).toList());
    }
}
