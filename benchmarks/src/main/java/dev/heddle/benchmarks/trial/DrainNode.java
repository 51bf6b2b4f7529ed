package dev.heddle.benchmarks.trial;

import java.util.OptionalInt;

import dev.heddle.benchmarks.contender.Contender;
import dev.heddle.benchmarks.contender.Contender.Aim;
import dev.heddle.benchmarks.contender.ContenderSession;
import dev.heddle.benchmarks.contender.Contenders;
import dev.heddle.benchmarks.contender.Probe;
import dev.heddle.benchmarks.contender.StoreLocation;

/** A process of {@link MultiNodeDrain}: opens a location, runs the jobs that it claims, and reports how many it ran. */
final class DrainNode {

    private DrainNode() {}

    /** Arguments: the id of the contender, its jobs in flight or 0, the number of jobs in a location. */
    public static void main(String[] arguments) throws Exception {
        ParentProcess parent = new ParentProcess();
        int inFlight = Integer.parseInt(arguments[1]);
        Contender contender = Contenders.named(arguments[0],
                inFlight == 0 ? OptionalInt.empty() : OptionalInt.of(inFlight));
        while (true) {
            StoreLocation place = new StoreLocation(parent.hear());
            Probe probe = Probe.onWallClock(Integer.parseInt(arguments[2]));
            try (ContenderSession session = contender.open(place, Aim.THROUGHPUT, probe)) {
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
     * The result of one process.
     *
     * @param first the first start, in {@link Probe#wall()} time
     * @param last the last end
     */
    record Share(long jobs, long first, long last) {

        String line() {
            return jobs + " " + first + " " + last;
        }

        static Share of(String line) {
            String[] numbers = line.split(" ", 3);
            return new Share(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
        }
    }
}
