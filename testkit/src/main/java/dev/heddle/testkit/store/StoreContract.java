package dev.heddle.testkit.store;

import dev.heddle.env.Environment;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.Store;
import dev.heddle.testkit.ManualClock;
import org.junit.jupiter.api.Nested;

/**
 * The specification of a {@link Store}, as tests. Extend this class in the tests of a store and tell it how to open
 * one:
 *
 * {@snippet :
 * class MemoryStoreContractTest extends StoreContract {
 *     protected Store newStore() {
 *         return new MemoryStore();
 *     }
 *
 *     protected Store reopen(Store store) {
 *         return store;
 *     }
 * }
 * }
 *
 * Each test gets its own instance, and with it its own fields, such as a {@code @TempDir}. A second node joins only
 * after the store was reopened, because a store may support a single node only. The suites of optional capabilities,
 * such as sessions, are skipped if the store does not offer them.
 */
public abstract class StoreContract {

    /** Opens a new and empty store. The contract closes it. */
    protected abstract Store newStore();

    /**
     * Closes the store and opens it again with its content, as a new process would. A store that is not persistent
     * returns the same instance, still open.
     */
    protected abstract Store reopen(Store store);

    /**
     * Lets a store go by the clock of the test. Override this if the store has a clock of its own, as one with a server
     * does, and steer that clock.
     */
    protected void follow(Store store, ManualClock clock) {
        store.capability(ClockedStore.class)
                .orElseThrow(
                        () -> new IllegalStateException("a store with a clock of its own has to override follow()"))
                .useClock(Environment.system().withClock(clock));
    }

    @Nested
    class Inserting extends InsertContract {
        Inserting() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Claiming extends ClaimContract {
        Claiming() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Clocks extends ClockContract {
        Clocks() {
            super(StoreContract.this);
        }
    }

    @Nested
    class SessionClocks extends SessionClockContract {
        SessionClocks() {
            super(StoreContract.this);
        }
    }

    @Nested
    class DedupeModes extends DedupeContract {
        DedupeModes() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Successions extends SuccessorContract {
        Successions() {
            super(StoreContract.this);
        }
    }

    @Nested
    class KeyLimits extends LimitStoreContract {
        KeyLimits() {
            super(StoreContract.this);
        }
    }

    @Nested
    class ExplainingWaits extends WaitStoreContract {
        ExplainingWaits() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Rates extends RateStoreContract {
        Rates() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Attempts extends AttemptContract {
        Attempts() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Fencing extends FenceContract {
        Fencing() {
            super(StoreContract.this);
        }
    }

    @Nested
    class AdminCommands extends AdminCommandContract {
        AdminCommands() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Rescheduling extends RescheduleContract {
        Rescheduling() {
            super(StoreContract.this);
        }
    }

    @Nested
    class SelfRescheduling extends SelfRescheduleContract {
        SelfRescheduling() {
            super(StoreContract.this);
        }
    }

    @Nested
    class DeadLetters extends DeadLetterContract {
        DeadLetters() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Recovering extends RecoveryContract {
        Recovering() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Suspects extends SuspicionContract {
        Suspects() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Adopting extends AdoptionStoreContract {
        Adopting() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Families extends FamilyStoreContract {
        Families() {
            super(StoreContract.this);
        }
    }

    @Nested
    class FamilyCleanup extends FamilyCleanupContract {
        FamilyCleanup() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Sequels extends SequelStorageContract {
        Sequels() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Reading extends ReadContract {
        Reading() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Querying extends QueryContract {
        Querying() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Retaining extends RetentionContract {
        Retaining() {
            super(StoreContract.this);
        }
    }

    @Nested
    class RunRecords extends RunArchiveContract {
        RunRecords() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Logs extends LogStoreContract {
        Logs() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Spending extends SpendStoreContract {
        Spending() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Access extends AccessStoreContract {
        Access() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Events extends EventStoreContract {
        Events() {
            super(StoreContract.this);
        }
    }

    @Nested
    class AuditLog extends AuditStoreContract {
        AuditLog() {
            super(StoreContract.this);
        }
    }

    @Nested
    class SearchingText extends TextIndexContract {
        SearchingText() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Counts extends CountStoreContract {
        Counts() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Statistics extends StatsStoreContract {
        Statistics() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Errors extends ErrorStoreContract {
        Errors() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        Concurrency() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Sessions extends SessionStoreContract {
        Sessions() {
            super(StoreContract.this);
        }
    }
}
