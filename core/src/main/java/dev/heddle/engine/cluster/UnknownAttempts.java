package dev.heddle.engine.cluster;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.env.Environment;
import dev.heddle.store.Fence;
import dev.heddle.store.Renewal.HeldAttempt;

/**
 * The attempts that the store has for this node and the node does not know. The answers to their claims may still be on
 * their way, so they count as lost only after a while. That is measured here, by a clock that nobody can set: the times
 * in the store follow the time of day. Not thread-safe.
 */
final class UnknownAttempts {

    private final Duration patience;
    private Map<Fence, Duration> unknownSince = Map.of();

    UnknownAttempts(Duration patience) {
        this.patience = patience;
    }

    /**
     * Returns the attempts that have been unknown for so long that their answers are lost.
     *
     * @param now when the store was asked, as {@link Environment#elapsed} time
     */
    Set<Fence> overdue(List<HeldAttempt> held, Set<Fence> known, Duration now) {
        Map<Fence, Duration> since = new HashMap<>();
        held.stream().map(HeldAttempt::fence).filter(fence -> !known.contains(fence))
                .forEach(fence -> since.put(fence, unknownSince.getOrDefault(fence, now)));
        unknownSince = since;
        return since.entrySet().stream().filter(entry -> now.minus(entry.getValue()).compareTo(patience) >= 0)
                .map(Map.Entry::getKey).collect(Collectors.toSet());
    }
}
