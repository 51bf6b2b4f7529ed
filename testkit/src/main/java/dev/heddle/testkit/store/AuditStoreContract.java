package dev.heddle.testkit.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.access.Actor;
import dev.heddle.access.AuditEntry;
import dev.heddle.access.AuditEntry.Outcome;
import dev.heddle.access.AuditQuery;
import dev.heddle.access.AuditQuery.Position;
import dev.heddle.access.AuditStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The audit log. */
abstract class AuditStoreContract extends StoreFixture {

    private static final Actor ANN = new Actor(Actor.Kind.USER, "ann", "192.0.2.1");
    private static final Actor ANN_HERE = Actor.cli("ann");
    private static final Actor CI = new Actor(Actor.Kind.TOKEN, "ci", "2001:db8::1");

    AuditStoreContract(StoreContract contract) {
        super(contract);
    }

    private AuditStore log() {
        return capability(AuditStore.class);
    }

    private static AuditEntry entry(int second, Actor actor, String operation, @Nullable String target,
            Outcome outcome) {
        return new AuditEntry(0, at(second), actor, operation, target, 1, outcome,
                outcome == Outcome.DONE ? null : "it's \"so\"");
    }

    private List<Instant> times(AuditQuery query) {
        return log().entries(query).stream().map(AuditEntry::at).toList();
    }

    private static AuditQuery query(@Nullable String operation, @Nullable String target, @Nullable Outcome outcome,
            @Nullable Instant from, @Nullable Instant until) {
        return new AuditQuery(null, null, operation, target, outcome, from, until, null, 100);
    }

    @Test
    void keepsEntriesAcrossARestart() {
        AuditEntry first = entry(1, ANN, "cancel", "job / ü", Outcome.REFUSED);
        AuditEntry second = new AuditEntry(0, at(2), ANN_HERE, "drain", null, 12_345_678_901L, Outcome.DONE, null);
        log().append(List.of(first, second));
        restart(at(10));
        assertThat(log().entries(AuditQuery.newest(10)))
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("seq")
                .containsExactly(second, first);
    }

    @Test
    void findsEntriesByActorOperationTargetOutcomeAndTime() {
        log().append(List.of(entry(1, ANN, "cancel", "a", Outcome.DONE), entry(2, ANN_HERE, "retry", "b", Outcome.DONE),
                entry(3, CI, "cancel", "b", Outcome.REFUSED), entry(4, CI, "drain", null, Outcome.FAILED)));
        assertThat(times(AuditQuery.newest(3))).containsExactly(at(4), at(3), at(2));
        assertThat(times(AuditQuery.newest(10).by("ann"))).containsExactly(at(2), at(1));
        assertThat(times(AuditQuery.newest(10).by("user:ann"))).containsExactly(at(1));
        assertThat(times(AuditQuery.newest(10).by("user:ci"))).isEmpty();
        assertThat(times(query("cancel", null, null, null, null))).containsExactly(at(3), at(1));
        assertThat(times(query("cancel", "b", null, null, null))).containsExactly(at(3));
        assertThat(times(query(null, null, Outcome.FAILED, null, null))).containsExactly(at(4));
        assertThat(times(query(null, null, null, at(2), at(4)))).containsExactly(at(3), at(2));
    }

    @Test
    void pagesThroughEntriesOfTheSameTime() {
        List<AuditEntry> many = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            many.add(entry(i / 10, CI, "cancel", "job " + i, Outcome.DONE));
        }
        log().append(many);
        List<String> seen = new ArrayList<>();
        List<AuditEntry> page = log().entries(AuditQuery.newest(10));
        while (!page.isEmpty()) {
            page.forEach(entry -> seen.add(String.valueOf(entry.target())));
            AuditEntry last = page.getLast();
            page = log().entries(new AuditQuery(null, null, null, null, null, null, null,
                    new Position(last.at(), last.seq()), 10));
        }
        assertThat(seen).isEqualTo(many.reversed().stream().map(AuditEntry::target).toList());
    }

    @Test
    void deletesOldAndSurplusEntriesAFewAtATime() {
        for (int i = 0; i < 10; i++) {
            log().append(List.of(entry(i, CI, "cancel", "a", Outcome.DONE)));
        }
        assertThat(log().deleteEntries(at(4), 100, 3)).isEqualTo(3);
        assertThat(log().deleteEntries(at(4), 100, 3)).isEqualTo(1);
        assertThat(log().deleteEntries(at(4), 100, 3)).isZero();
        assertThat(log().deleteEntries(at(4), 2, 3)).isEqualTo(3);
        assertThat(log().deleteEntries(at(4), 2, 3)).isEqualTo(1);
        assertThat(times(AuditQuery.newest(10))).containsExactly(at(9), at(8));
    }
}
