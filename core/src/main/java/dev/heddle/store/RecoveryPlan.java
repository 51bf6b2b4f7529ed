package dev.heddle.store;

import java.util.List;

/** Decides, without I/O, what becomes of everything that dead nodes held. */
@FunctionalInterface
public interface RecoveryPlan {

    /** One recovery for each orphan. */
    List<Recovery> decide(List<Orphan> orphans);
}
