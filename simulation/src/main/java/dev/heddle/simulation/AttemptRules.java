package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.job.Attempt;
import dev.heddle.store.JobDetails;

/** What must be true of all attempts together once a run is over. */
final class AttemptRules {

    private AttemptRules() {}

    /** Returns what is wrong; empty if nothing is. */
    static List<String> wrong(Evidence evidence) {
        List<String> wrong = new ArrayList<>();
        Map<String, Integer> crashes = new HashMap<>();
        for (Story story : evidence.stories().all()) {
            List<Attempt> attempts = attempts(story, evidence).toList();
            // Two errors or lost answers in a row can be enough for a node to stop what it runs.
            long released = attempts.stream().filter(attempt -> attempt.end() == Attempt.End.RELEASED).count();
            for (Attempt attempt : attempts) {
                if (attempt.end() == Attempt.End.CRASHED && crashes.merge(attempt.node(), 1, Integer::sum) > 1) {
                    wrong.add(story + " is not the only job that is said to have killed " + attempt.node());
                }
                if (attempt.end() == Attempt.End.NODE_DIED && !evidence.mayLoseNodes()
                        && !mayBeLeftBehind(story, evidence)) {
                    wrong.add(story + " lost attempt " + attempt.number() + ", although no node died");
                }
            }
            if (story.work() == Work.ECHO && story.executions().size() > 1 + released && !evidence.mayLoseNodes()
                    && !evidence.mayClose()) {
                wrong.add(story + " ran " + story.executions().size() + " times, although nothing ended its attempts");
            }
        }
        return wrong;
    }

    /** Nobody adopts the work of a closed node once its job is cancelled, so it is recovered like that of a dead one. */
    private static boolean mayBeLeftBehind(Story story, Evidence evidence) {
        return story.work() == Work.ADOPTED && story.wasOrdered(Order.CANCEL) && evidence.mayClose();
    }

    private static Stream<Attempt> attempts(Story story, Evidence evidence) {
        return evidence.observer().details(story.id()).map(JobDetails::attempts).stream().flatMap(List::stream);
    }
}
