package dev.heddle.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

import dev.heddle.benchmarks.Contender.Aim;

/**
 * Several processes drain one queue together. They are warmed up with as many jobs as count, in another database. Time
 * runs from the first job's start in any of them to the last one's end.
 */
final class Nodes {

    private final Contender contender;
    private final OptionalInt inFlight;
    private final Places places;
    private final int jobs;

    Nodes(Contender contender, OptionalInt inFlight, Places places, int jobs) {
        this.contender = contender;
        this.inFlight = inFlight;
        this.places = places;
        this.jobs = jobs;
    }

    /** Jobs a second, all processes together. */
    double drain(int count) throws Exception {
        List<Child> nodes = new ArrayList<>();
        try {
            for (int number = 0; number < count; number++) {
                nodes.add(Child.start(List.of("-Xmx512m"), Node.class,
                        List.of(contender.card().id(), "" + inFlight.orElse(0), "" + jobs)));
            }
            drain(nodes, "nodes-warm-up");
            return drain(nodes, "nodes");
        } finally {
            nodes.forEach(Child::close);
        }
    }

    private double drain(List<Child> nodes, String name) throws Exception {
        Place place = places.at(name);
        contender.prepare(place);
        List<Node.Share> shares;
        try (Session session = contender.open(place, Aim.SUBMITTING, new Probe(0))) {
            session.submitAll(0, jobs);
            places.settle(place);
            tell(nodes, place.address());
            tell(nodes, "go");
            // Seldom: the time comes from the nodes, and a look costs the server something.
            while (session.unfinished() > 0) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            shares = tell(nodes, "end").stream().map(Node.Share::of).toList();
        }
        places.drop(place);
        return rate(shares);
    }

    /** Says something to all of them, and then hears what each answers. */
    private static List<String> tell(List<Child> nodes, String line)
            throws IOException, InterruptedException {
        nodes.forEach(node -> node.say(line));
        List<String> answers = new ArrayList<>();
        for (Child node : nodes) {
            answers.add(node.hear());
        }
        return answers;
    }

    private double rate(List<Node.Share> shares) {
        long ran = shares.stream().mapToLong(Node.Share::jobs).sum();
        if (ran != jobs) {
            throw new IllegalStateException(
                    "the processes ran " + ran + " jobs, and there were " + jobs + ": " + shares);
        }
        long first = shares.stream().filter(share -> share.jobs() > 0).mapToLong(Node.Share::first).min()
                .orElseThrow();
        long last = shares.stream().mapToLong(Node.Share::last).max().orElseThrow();
        return jobs / ((last - first) / 1e9);
    }
}
