package dev.heddle.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.job.JobState;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.simulation.Story.Execution;
import dev.heddle.store.StoreException;

/**
 * What must be true of a story, whatever its workload and however far it is. An attempt that lost its job may go on for
 * a while on a node that stood still, so what it does is compared only with earlier attempts.
 */
final class StoryRules {

    /** What a client that waits for the end of a job may be told. */
    private static final Set<String> ANSWERS = Set.of(JobState.COMPLETED.name(), JobState.FAILED.name(),
            JobState.CANCELLED.name(), NoSuchJobException.class.getSimpleName(),
            PoolClosedException.class.getSimpleName(), StoreException.class.getSimpleName());

    private StoryRules() {}

    /** Returns what is wrong; empty if nothing is. */
    static List<String> wrong(Story story, Evidence evidence) {
        List<String> wrong = new ArrayList<>();
        Set<String> committed = new HashSet<>();
        int saved = 0;
        for (Execution execution : story.executions()) {
            int savedBefore = saved;
            for (Report report : execution.reports()) {
                switch (report.event()) {
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
        story.answers().stream().filter(answer -> !ANSWERS.contains(answer))
                .forEach(answer -> wrong.add("was awaited and answered by " + answer));
        if (!evidence.mayStandStill()) {
            story.executions().stream().filter(each -> !each.wasHeld()).forEach(each -> wrong
                    .add("starts attempt " + each.attempt() + " on " + each.node()
                            + ", which the store does not have"));
            boolean mayOverlap = evidence.mayHang() || story.workload().ignoresCancellation();
            wrong.addAll(mayOverlap ? List.of() : overlaps(story.executions(), evidence));
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
