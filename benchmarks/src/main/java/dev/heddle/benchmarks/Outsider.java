package dev.heddle.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import dev.heddle.benchmarks.Contender.Aim;

/**
 * Submits from a process of its own, as a web server would whose jobs run elsewhere. It says when it submitted each, by
 * the clock that all processes of a machine share.
 */
final class Outsider implements AutoCloseable {

    /** Submitted before anything counts: loads its classes, opens its connections. */
    static final int FIRST = 50;

    private final Child child;

    /** Starts it and waits until it has submitted the jobs {@code jobs} to {@code jobs + FIRST - 1}. */
    Outsider(Contender contender, OptionalInt inFlight, Place place, int jobs) throws Exception {
        this.child = Child.start(List.of("-Xmx256m"), Outsider.class, List.of(contender.card().id(),
                "" + inFlight.orElse(0), place.address(), "" + jobs));
        child.hear();
    }

    /** Lets it submit the jobs 0 to {@code jobs - 1}; when it submitted each, by {@link Probe#wall()}. */
    long[] submit() throws Exception {
        child.say("go");
        return Arrays.stream(child.hear().split(" ")).mapToLong(Long::parseLong).toArray();
    }

    @Override
    public void close() {
        child.close();
    }

    /** Arguments: the contender, what it has in flight or 0, the place, the number of jobs. */
    public static void main(String[] arguments) throws Exception {
        Parent parent = new Parent();
        int inFlight = Integer.parseInt(arguments[1]);
        Contender contender = Contenders.named(arguments[0],
                inFlight == 0 ? OptionalInt.empty() : OptionalInt.of(inFlight));
        int jobs = Integer.parseInt(arguments[3]);
        try (Session session = contender.open(new Place(arguments[2]), Aim.SUBMITTING, new Probe(0))) {
            for (int number = jobs; number < jobs + FIRST; number++) {
                session.submit(number);
            }
            parent.say("ready");
            parent.hear();
            long[] submitted = Gaps.submit(session, jobs, Probe::wall);
            parent.say(LongStream.of(submitted).mapToObj(Long::toString).collect(Collectors.joining(" ")));
            // The parent takes what it needs and then ends this process.
            parent.hear();
        }
    }
}
