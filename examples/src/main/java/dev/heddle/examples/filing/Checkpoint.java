package dev.heddle.examples.filing;

import java.util.EnumSet;
import java.util.Set;

/** The completed steps. Stored as JSON: do not rename a step while jobs of an older release may be waiting. */
record Checkpoint(Set<Step> done) {

    static final Checkpoint NOTHING = new Checkpoint(Set.of());

    boolean has(Step step) {
        return done.contains(step);
    }

    Checkpoint with(Step step) {
        EnumSet<Step> more = EnumSet.of(step);
        more.addAll(done);
        return new Checkpoint(more);
    }
}
