package dev.heddle.testkit;

import dev.heddle.store.Store;
import org.junit.jupiter.api.Nested;

/**
 * What every {@link Store} does, as tests. Extend it in the store's tests and say how to open one:
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
 * A new instance is made for each test, so that fields such as a {@code @TempDir} belong to one store alone. A
 * second node never joins before the store was reopened, as a store may be for one node only.
 */
public abstract class StoreContract {

    /** A new and empty store. The contract closes it. */
    protected abstract Store newStore();

    /**
     * The store after its process has gone and the next one came: closes it and opens it anew with all that it
     * kept. A store that keeps nothing returns itself, open as it is.
     */
    protected abstract Store reopen(Store store);

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
    class WritingAttempts extends AttemptContract {
        WritingAttempts() {
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
    class Commanding extends CommandContract {
        Commanding() {
            super(StoreContract.this);
        }
    }

    @Nested
    class RetryingDeadLetters extends DeadLetterContract {
        RetryingDeadLetters() {
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
    class Adopting extends AdoptionContract {
        Adopting() {
            super(StoreContract.this);
        }
    }

    @Nested
    class KeepingFamilies extends FamilyContract {
        KeepingFamilies() {
            super(StoreContract.this);
        }
    }

    @Nested
    class EndingFamilies extends FamilyEndContract {
        EndingFamilies() {
            super(StoreContract.this);
        }
    }

    @Nested
    class FollowingEnds extends SequelContract {
        FollowingEnds() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Reading extends ReadingContract {
        Reading() {
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
    class KeepingRuns extends RunContract {
        KeepingRuns() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Spending extends SpendContract {
        Spending() {
            super(StoreContract.this);
        }
    }

    @Nested
    class FindingText extends TextContract {
        FindingText() {
            super(StoreContract.this);
        }
    }

    @Nested
    class SharingBetweenThreads extends ConcurrencyContract {
        SharingBetweenThreads() {
            super(StoreContract.this);
        }
    }

    @Nested
    class HavingSessions extends SessionContract {
        HavingSessions() {
            super(StoreContract.this);
        }
    }
}
