package dev.heddle.benchmarks.trial;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import dev.heddle.benchmarks.contender.Contender;
import dev.heddle.benchmarks.contender.Contender.Aim;
import dev.heddle.benchmarks.contender.ContenderSession;
import dev.heddle.benchmarks.contender.Contenders;
import dev.heddle.benchmarks.contender.Probe;
import dev.heddle.benchmarks.contender.StoreLocation;

/**
 * Submits jobs from another process, like a web server whose jobs run elsewhere. It reports the time of each submit by
 * the wall clock, which all processes of a machine share.
 */
final class ExternalSubmitter implements AutoCloseable {

    /** Jobs of the warm-up, which loads classes and opens connections. */
    static final int FIRST = 50;

    private final ChildProcess child;

    /** Starts the process and waits until it has submitted the jobs {@code jobs} to {@code jobs + FIRST - 1}. */
    ExternalSubmitter(Contender contender, OptionalInt inFlight, StoreLocation place, int jobs) throws Exception {
        this.child = ChildProcess.start(List.of("-Xmx256m"), ExternalSubmitter.class,
                List.of(contender.card().id(), "" + inFlight.orElse(0), place.address(), "" + jobs));
        child.hear();
    }

    /** Submits the jobs 0 to {@code jobs - 1}; returns the time of each submit in {@link Probe#wall()} time. */
    long[] submit() throws Exception {
        child.say("go");
        return Arrays.stream(child.hear().split(" ")).mapToLong(Long::parseLong).toArray();
    }

    @Override
    public void close() {
        child.close();
    }

    /** Arguments: the id of the contender, its jobs in flight or 0, the location, the number of jobs. */
    public static void main(String[] arguments) throws Exception {
        ParentProcess parent = new ParentProcess();
        int inFlight = Integer.parseInt(arguments[1]);
        Contender contender = Contenders.named(arguments[0],
                inFlight == 0 ? OptionalInt.empty() : OptionalInt.of(inFlight));
        int jobs = Integer.parseInt(arguments[3]);
        try (ContenderSession session = contender.open(new StoreLocation(arguments[2]), Aim.SUBMITTING, new Probe(0))) {
            for (int number = jobs; number < jobs + FIRST; number++) {
                session.submit(number);
            }
            parent.say("ready");
            parent.hear();
            long[] submitted = RandomArrivals.submit(session, jobs, Probe::wall);
            parent.say(LongStream.of(submitted).mapToObj(Long::toString).collect(Collectors.joining(" ")));
            // The parent ends this process when it has read the result.
            parent.hear();
        }
    }
}
