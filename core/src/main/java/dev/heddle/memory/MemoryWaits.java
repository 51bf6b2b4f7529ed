package dev.heddle.memory;

import java.util.List;

import dev.heddle.store.Suspicion;
import dev.heddle.waiting.WaitStore;
import dev.heddle.waiting.WaitStore.Facts;

/** What a {@link MemoryStore} knows about a job that may wait. */
record MemoryWaits(MemoryTable table, MemorySessions sessions) {

    Facts facts(MemoryRow row) {
        boolean live = !row.state.isFinal();
        int most = WaitStore.MOST_COUNTED + 1;
        return new Facts(row.job(), MemoryRow.millis(table.now()), live ? row.suspicion : Suspicion.NONE,
                table.pausedQueues.contains(row.spec.queue()), row.attempts.isEmpty() ? null : row.attempts.getLast(),
                row.history.isEmpty() ? null : row.history.getLast(),
                live ? table.limits.uses(row.spec.limits()) : List.of(),
                row.spec.session().flatMap(session -> sessions.find(row.spec.type(), session)).orElse(null),
                live ? (int) table.ahead(row).limit(most).count() : 0,
                live ? Math.min(most, table.children.live(row).size()) : 0,
                live && row.behind != null ? row.behind.spec.id() : null);
    }
}
