package dev.heddle.engine.commit;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import dev.heddle.env.Environment;
import dev.heddle.job.Progress;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.store.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LedgerTest {

    private static final Fence GOOD = new Fence(1, 1, "n");
    private static final Fence BAD = new Fence(2, 1, "n");

    /** A store that throws for one job and writes all others. */
    private static Store buggy() {
        return store(changes -> {
            if (changes.stream().anyMatch(change -> change.fence().equals(BAD))) {
                throw new ArithmeticException("long overflow");
            }
        });
    }

    /** A store that writes everything that passes this check. */
    private static Store store(Consumer<List<Change>> check) {
        return (Store) Proxy.newProxyInstance(LedgerTest.class.getClassLoader(), new Class<?>[]{Store.class},
                (_, method, arguments) -> {
                    if (!method.getName().equals("apply")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    List<Change> changes = ((List<?>) arguments[0]).stream().map(Change.class::cast).toList();
                    check.accept(changes);
                    return changes.stream().map(_ -> Verdict.APPLIED).toList();
                });
    }

    @Test
    @Timeout(10)
    void survivesAChangeThatTheStoreCannotWrite() throws Exception {
        Ledger ledger = new Ledger(buggy(), Environment.system(), () -> {});
        Thread thread = Thread.ofPlatform().daemon().start(ledger::run);
        assertThatThrownBy(() -> ledger.write(new Change.Progressed(BAD, new Progress(1, 2, ""))))
                .isInstanceOfSatisfying(StoreException.class,
                        e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.REJECTED))
                .hasMessageContaining("long overflow");
        assertThat(ledger.write(new Change.Progressed(GOOD, new Progress(1, 2, "")))).isEqualTo(Verdict.APPLIED);
        ledger.stop();
        thread.join();
    }

    @Test
    void writesTheOtherChangesOfTheSameBatch() throws Exception {
        Ledger ledger = new Ledger(buggy(), Environment.system(), () -> {});
        List<Verdict> verdicts = new ArrayList<>();
        for (Fence fence : List.of(GOOD, BAD, GOOD)) {
            ledger.post(new Change.Progressed(fence, new Progress(1, 2, "")), verdicts::add);
        }
        ledger.stop();
        ledger.run();
        assertThat(verdicts).containsExactly(Verdict.APPLIED, Verdict.LOST, Verdict.APPLIED);
    }

    @Test
    void findsARefusedChangeInABatchOfAHundredInFewCalls() {
        AtomicInteger calls = new AtomicInteger();
        Store picky = store(changes -> {
            calls.incrementAndGet();
            if (changes.stream().anyMatch(change -> change.fence().equals(BAD))) {
                throw new StoreException(StoreException.Kind.REJECTED, "made up");
            }
        });
        Ledger ledger = new Ledger(picky, Environment.system(), () -> {});
        List<Verdict> verdicts = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        for (int i = 0; i < 101; i++) {
            ledger.post(new Change.Progressed(i == 60 ? BAD : GOOD, new Progress(1, 2, "")), verdicts::add,
                    refusal -> refusals.add(refusal.getMessage()));
        }
        ledger.stop();
        ledger.run();
        assertThat(verdicts).hasSize(100).containsOnly(Verdict.APPLIED);
        assertThat(refusals).containsExactly("made up");
        assertThat(calls.get()).isLessThan(20);
    }

    @Test
    void goesOnWithWhatItHadInHandAfterAnError() {
        AtomicInteger calls = new AtomicInteger();
        Store exhausted = store(_ -> {
            if (calls.incrementAndGet() == 1) {
                throw new OutOfMemoryError("made up");
            }
        });
        Ledger ledger = new Ledger(exhausted, Environment.system(), () -> {});
        List<Verdict> verdicts = new ArrayList<>();
        ledger.post(new Change.Progressed(GOOD, new Progress(1, 2, "")), verdicts::add);
        ledger.stop();

        assertThatThrownBy(ledger::run).isInstanceOf(OutOfMemoryError.class);
        ledger.run(); // as its supervisor does
        assertThat(verdicts).containsExactly(Verdict.APPLIED);
    }
}
