package dev.heddle.benchmarks.trial;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

import dev.heddle.benchmarks.contender.Contender;
import dev.heddle.benchmarks.contender.Contender.Aim;
import dev.heddle.benchmarks.contender.ContenderSession;
import dev.heddle.benchmarks.contender.Probe;
import dev.heddle.benchmarks.contender.StoreLocation;
import dev.heddle.benchmarks.contender.StoreLocations;

/**
 * Several processes drain one queue together. The warm-up drains the same number of jobs in another database. The time
 * runs from the first start to the last end in any process.
 */
public final class MultiNodeDrain {

    private final Contender contender;
    private final OptionalInt inFlight;
    private final StoreLocations places;
    private final int jobs;

    public MultiNodeDrain(Contender contender, OptionalInt inFlight, StoreLocations places, int jobs) {
        this.contender = contender;
        this.inFlight = inFlight;
        this.places = places;
        this.jobs = jobs;
    }

    /** Returns the jobs per second of all processes together. */
    public double drain(int count) throws Exception {
        List<ChildProcess> nodes = new ArrayList<>();
        try {
            for (int number = 0; number < count; number++) {
                nodes.add(ChildProcess.start(List.of("-Xmx512m"), DrainNode.class,
                        List.of(contender.card().id(), "" + inFlight.orElse(0), "" + jobs)));
            }
            drain(nodes, "nodes-warm-up");
            return drain(nodes, "nodes");
        } finally {
            nodes.forEach(ChildProcess::close);
        }
    }

    private double drain(List<ChildProcess> nodes, String name) throws Exception {
        StoreLocation place = places.at(name);
        contender.prepare(place);
        List<DrainNode.Share> shares;
        try (ContenderSession session = contender.open(place, Aim.SUBMITTING, new Probe(0))) {
            session.submitAll(0, jobs);
            places.settle(place);
            tell(nodes, place.address());
            tell(nodes, "go");
            // Polls rarely: the nodes measure the time, and each query costs the server something.
            while (session.unfinished() > 0) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            shares = tell(nodes, "end").stream().map(DrainNode.Share::of).toList();
        }
        places.drop(place);
        return rate(shares);
    }

    /** Sends a line to every process, then reads the answer of each. */
    private static List<String> tell(List<ChildProcess> nodes, String line) throws IOException, InterruptedException {
        nodes.forEach(node -> node.say(line));
        List<String> answers = new ArrayList<>();
        for (ChildProcess node : nodes) {
            answers.add(node.hear());
        }
        return answers;
    }

    private double rate(List<DrainNode.Share> shares) {
        long ran = shares.stream().mapToLong(DrainNode.Share::jobs).sum();
        if (ran != jobs) {
            throw new IllegalStateException(
                    "the processes ran " + ran + " jobs, and there were " + jobs + ": " + shares);
        }
        long first = shares.stream().filter(share -> share.jobs() > 0).mapToLong(DrainNode.Share::first).min()
                .orElseThrow();
        long last = shares.stream().mapToLong(DrainNode.Share::last).max().orElseThrow();
        return jobs / ((last - first) / 1e9);
    }
}
