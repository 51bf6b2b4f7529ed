package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Attempt;
import dev.heddle.store.JobDetails;

/** What must be true of every job once a run is over. */
final class EndRules {

    private EndRules() {}

    /** Returns what is wrong with a run of these kinds of jobs; empty if nothing is. */
    static List<String> wrong(Collection<Work> work, Evidence evidence) {
        List<String> wrong = new ArrayList<>();
        work.forEach(each -> wrong.addAll(each.workload().wrongAtEnd(evidence)));
        for (Story story : evidence.stories().all()) {
            wrong(story, evidence).forEach(what -> wrong.add(story + " " + what));
        }
        wrong.addAll(AttemptRules.wrong(evidence));
        blame(evidence).ifPresent(wrong::add);
        return wrong;
    }

    /** One killer among n jobs is found after at most 1 + ⌈log2 n⌉ + 3 deaths; no node runs more than 8 jobs. */
    private static Optional<String> blame(Evidence evidence) {
        List<Story> killers = evidence.stories().all().stream().filter(story -> story.work() == Work.KILLER).toList();
        boolean retried = killers.stream().anyMatch(story -> story.wasOrdered(Order.RETRY));
        int most = killers.size() * 7;
        return evidence.mayDieByChance() || retried || evidence.deaths() <= most ? Optional.empty()
                : Optional.of(evidence.deaths() + " nodes died because of " + killers.size() + " jobs");
    }

    private static List<String> wrong(Story story, Evidence evidence) {
        Optional<JobDetails> found = evidence.observer().details(story.id());
        if (found.isEmpty()) {
            return story.isAcknowledged() && !story.wasOrdered(Order.DELETE)
                    ? List.of("was acknowledged and is gone") : List.of();
        }
        JobDetails details = found.get();
        if (!details.job().state().isFinal()) {
            return story.isAcknowledged() ? List.of("is stuck: " + details.job().state()) : List.of();
        }
        List<String> wrong = new ArrayList<>();
        story.workload().wrong(story, details, evidence).ifPresent(wrong::add);
        if (details.attempts().stream().map(Attempt::number).distinct().count() != details.attempts().size()) {
            wrong.add("has an attempt with two results: " + details.attempts());
        }
        return wrong;
    }
}
