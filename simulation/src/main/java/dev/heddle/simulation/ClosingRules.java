package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.List;

/** What must be true of a node that has closed in an orderly way. */
final class ClosingRules {

    private ClosingRules() {}

    /** Returns what is wrong; empty if nothing is. */
    static List<String> wrong(String node, Evidence evidence) {
        List<String> wrong = new ArrayList<>();
        for (Story story : evidence.stories().all()) {
            if (story.unanswered().contains(node)) {
                wrong.add(story + " was awaited on " + node + ", which closed without an answer");
            }
            if (!evidence.mayHang() && story.executions().stream()
                    .anyMatch(each -> each.node().equals(node) && !each.hasEnded())) {
                wrong.add(story + " still runs on " + node + ", which has closed");
            }
        }
        return wrong;
    }
}
