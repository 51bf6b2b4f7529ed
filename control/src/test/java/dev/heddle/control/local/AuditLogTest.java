package dev.heddle.control.local;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.heddle.access.Actor;
import dev.heddle.access.AuditEntry;
import dev.heddle.access.AuditEntry.Outcome;
import dev.heddle.access.AuditQuery;
import dev.heddle.access.AuditStore;
import dev.heddle.memory.MemoryStore;
import dev.heddle.store.StoreException;
import dev.heddle.testkit.ManualClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the audit log writes, and when. */
class AuditLogTest {

    private static final Actor ANN = Actor.cli("ann");
    private static final Actor BOB = Actor.cli("bob");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
    private final AuditStore store = new MemoryStore().capability(AuditStore.class).orElseThrow();
    private boolean broken;
    private final AuditLog log = AuditLog.grouped(Optional.of(new BreakableStore()), clock, Duration.ofDays(90));

    /** Passes everything to the store, unless it is broken. */
    private final class BreakableStore implements AuditStore {
        @Override
        public void append(List<AuditEntry> entries) {
            if (broken) {
                throw new StoreException(StoreException.Kind.UNREACHABLE, "the database is down");
            }
            store.append(entries);
        }

        @Override
        public List<AuditEntry> entries(AuditQuery query) {
            return store.entries(query);
        }

        @Override
        public int deleteEntries(Instant before, long kept, int limit) {
            return store.deleteEntries(before, kept, limit);
        }
    }

    private List<String> written() {
        List<String> lines = new ArrayList<>();
        store.entries(AuditQuery.newest(1_000)).reversed().forEach(
                entry -> lines.add(entry.actor().name() + " " + entry.operation() + " " + entry.count()));
        return lines;
    }

    private void record(Actor actor, String operation, Outcome outcome) {
        log.record(actor, operation, "target", 1, outcome, null);
    }

    @Test
    void writesWhatWasDoneAtOnce() {
        record(ANN, "cancelJob", Outcome.DONE);
        record(ANN, "cancelJob", Outcome.DONE);
        assertThat(written()).containsExactly("ann cancelJob 1", "ann cancelJob 1");
    }

    @Test
    void countsWhatCanBeMany() {
        for (int i = 0; i < 100; i++) {
            record(ANN, "submit", Outcome.DONE);
            record(BOB, "submit", Outcome.DONE);
            record(ANN, "cancelJob", Outcome.REFUSED);
        }
        assertThat(written()).isEmpty();
        log.flush();
        assertThat(written()).containsExactly("ann submit 100", "bob submit 100", "ann cancelJob 100");
        log.flush();
        assertThat(written()).hasSize(3);
    }

    @Test
    void keepsEntriesUntilTheStoreCanBeWritten() {
        broken = true;
        record(ANN, "cancelJob", Outcome.DONE);
        record(ANN, "submit", Outcome.DONE);
        log.flush();
        assertThat(written()).isEmpty();
        broken = false;
        record(BOB, "drain", Outcome.DONE);
        assertThat(written()).containsExactly("ann cancelJob 1", "ann submit 1", "bob drain 1");
    }

    @Test
    void deletesOldEntriesOnceAnHour() {
        record(ANN, "old", Outcome.DONE);
        clock.advance(Duration.ofDays(91));
        record(ANN, "new", Outcome.DONE);
        assertThat(written()).containsExactly("ann new 1");
    }

    @Test
    void writesEverythingAtOnceIfItIsNotGrouped() {
        AuditLog.immediate(Optional.of(store), clock, Duration.ofDays(90)).record(ANN, "submit", null, 7,
                Outcome.DONE, null);
        assertThat(written()).containsExactly("ann submit 7");
    }
}
