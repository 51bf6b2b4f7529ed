package dev.heddle.memory;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import dev.heddle.access.AccessStore;
import dev.heddle.access.AccessToken;
import dev.heddle.access.AuditEntry;
import dev.heddle.access.AuditQuery;
import dev.heddle.access.AuditStore;

/** The tokens and the audit log of a {@link MemoryStore}. */
record MemoryAccess(Data data, Transaction transaction) implements AccessStore, AuditStore {

    private static final Comparator<AuditEntry> NEWEST_FIRST = Comparator.comparing(AuditEntry::at)
            .thenComparingLong(AuditEntry::seq).reversed();

    /** What all connections to a shared store have in common. */
    static final class Data {
        private final Map<String, AccessToken> tokens = new TreeMap<>();
        private final Deque<AuditEntry> log = new ArrayDeque<>();
        private long lastSeq;
    }

    /** Runs an action alone, and fails if the store is closed. */
    interface Transaction {
        <T> T run(Supplier<T> action);
    }

    @Override
    public boolean addToken(AccessToken token) {
        return transaction.run(() -> data.tokens.putIfAbsent(token.name(), token) == null);
    }

    @Override
    public boolean removeToken(String name) {
        return transaction.run(() -> data.tokens.remove(name) != null);
    }

    @Override
    public List<AccessToken> tokens() {
        return transaction.run(() -> List.copyOf(data.tokens.values()));
    }

    @Override
    public void recordUses(Map<String, Instant> uses) {
        transaction.run(() -> {
            data.tokens.replaceAll((_, token) -> used(token, uses.getOrDefault(token.hash(), Instant.MIN)));
            return uses;
        });
    }

    private static AccessToken used(AccessToken token, Instant at) {
        Instant known = token.usedAt();
        return at.equals(Instant.MIN) || (known != null && known.isAfter(at)) ? token
                : new AccessToken(token.name(), token.role(), token.hash(), token.hint(), token.createdBy(),
                        token.createdAt(), token.expiresAt(), at);
    }

    @Override
    public void append(List<AuditEntry> entries) {
        transaction.run(() -> {
            entries.forEach(entry -> data.log.addLast(new AuditEntry(++data.lastSeq, entry.at(), entry.actor(),
                    entry.operation(), entry.target(), entry.count(), entry.outcome(), entry.detail())));
            return entries;
        });
    }

    @Override
    public List<AuditEntry> entries(AuditQuery query) {
        return transaction.run(() -> data.log.stream().filter(query::matches).sorted(NEWEST_FIRST)
                .limit(query.limit()).toList());
    }

    @Override
    public int deleteEntries(Instant before, long kept, int limit) {
        return transaction.run(() -> {
            int deleted = 0;
            while (deleted < limit && !data.log.isEmpty()
                    && (data.log.size() > kept || data.log.getFirst().at().isBefore(before))) {
                data.log.removeFirst();
                deleted++;
            }
            return deleted;
        });
    }
}
