package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.simulation.Story.Execution;

/**
 * What must be true of a story, whatever its workload and however far it is. An attempt that lost its job may go on for
 * a while on a node that stood still, so what it does is compared only with earlier attempts.
 */
final class StoryRules {

    private StoryRules() {}

    /** Returns what is wrong; empty if nothing is. */
    static List<String> wrong(Story story, Evidence evidence) {
        List<String> wrong = new ArrayList<>();
        Set<String> committed = new HashSet<>();
        int saved = 0;
        for (Execution execution : story.executions()) {
            int savedBefore = saved;
            for (Report.Event event : execution.events()) {
                switch (event) {
                    case Report.StepRan(String step) when committed.contains(step) ->
                        wrong.add(step + " was committed and runs again");
                    case Report.StepCommitted(String step) -> committed.add(step);
                    case Report.CheckpointLoaded(int checkpoint) when checkpoint < savedBefore ->
                        wrong.add("saved checkpoint " + savedBefore + " and got " + checkpoint);
                    case Report.CheckpointSaved(int checkpoint) -> saved = Math.max(saved, checkpoint);
                    case Report.Wrong(String what) -> wrong.add(what);
                    default -> {
                    }
                }
            }
        }
        if (!evidence.mayStandStill()) {
            wrong.addAll(overlaps(story.executions(), evidence));
        }
        return wrong;
    }

    /** A job runs once at a time. */
    private static List<String> overlaps(List<Execution> executions, Evidence evidence) {
        List<String> wrong = new ArrayList<>();
        for (int i = 1; i < executions.size(); i++) {
            Execution next = executions.get(i);
            for (Execution before : executions.subList(0, i)) {
                if (Math.min(before.endedAt(), evidence.diedAt(before.node())) > next.startedAt()) {
                    wrong.add("runs twice at the same time: attempt " + before.attempt() + " on " + before.node()
                            + " and attempt " + next.attempt() + " on " + next.node());
                }
            }
        }
        return wrong;
    }
}
