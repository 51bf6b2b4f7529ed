package dev.heddle.engine.dispatch;

import java.util.List;

import dev.heddle.store.ClaimRequest.Wanted;

/** Jobs in the store that only one worker of a group may claim, because it has their session. */
public interface ParkedJobs {

    /** Notes that any worker may have parked jobs. */
    void mayBeParked();

    /** Notes that the store had more parked jobs than were asked for. */
    void mayBeParked(List<Wanted> wanted);

    /** Notes that the store had fewer parked jobs than were asked for. */
    void nothingParked(List<Wanted> wanted);

    /** Returns what to claim for workers that may have parked jobs and have room for them. */
    List<Wanted> parkedJobs();

    /** Returns what to claim to find parked suspects, one at a time. */
    List<Wanted> parkedSuspects();
}
