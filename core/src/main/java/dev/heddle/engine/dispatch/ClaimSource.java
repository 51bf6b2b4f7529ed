package dev.heddle.engine.dispatch;

import java.util.List;

import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult;

/** The store as the dispatcher sees it: something to claim from, and how much may be claimed ahead. */
public interface ClaimSource {

    /** Claims up to {@code limit} of the wanted jobs for this node. */
    ClaimResult claim(int limit, List<Wanted> wanted);

    /** Returns how many claims may be in flight beyond the free workers. */
    int maxAhead();

    /** Returns how many attempts have ended and are not yet committed. */
    int unsettled();
}
