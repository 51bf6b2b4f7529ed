package dev.heddle.benchmarks;

import java.util.OptionalInt;

import dev.heddle.benchmarks.Contender.Aim;

/** One of the processes of {@link Nodes}: opens a place, runs what it gets of the jobs there, tells how much that was. */
final class Node {

    private Node() {}

    /** Arguments: the contender, what it has in flight or 0, the number of jobs in a place. */
    public static void main(String[] arguments) throws Exception {
        Parent parent = new Parent();
        int inFlight = Integer.parseInt(arguments[1]);
        Contender contender = Contenders.named(arguments[0],
                inFlight == 0 ? OptionalInt.empty() : OptionalInt.of(inFlight));
        while (true) {
            Place place = new Place(parent.hear());
            Probe probe = Probe.onWallClock(Integer.parseInt(arguments[2]));
            try (Session session = contender.open(place, Aim.THROUGHPUT, probe)) {
                parent.say("ready");
                parent.hear();
                session.startProcessing();
                parent.say("going");
                parent.hear();
            }
            parent.say(new Share(probe.ended(), probe.firstStart(), probe.lastEnd()).line());
        }
    }

    /**
     * What one process did.
     *
     * @param first start, by {@link Probe#wall()}
     * @param last end
     */
    record Share(long jobs, long first, long last) {

        String line() {
            return jobs + " " + first + " " + last;
        }

        static Share of(String line) {
            String[] numbers = line.split(" ", 3);
            return new Share(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]),
                    Long.parseLong(numbers[2]));
        }
    }
}
