package dev.heddle.testkit;

import dev.heddle.store.Store;
import org.junit.jupiter.api.Nested;

/**
 * What a pool does on any store, as tests: extend it and say how to open the store. The pool is a real one, with
 * its threads; time is a {@link ManualClock} where minutes pass.
 */
public abstract class PoolContract {

    /** A new and empty store. The pool closes it. */
    protected abstract Store newStore();

    /** Opens what {@code newStore} opened and a pool has closed; empty again where the store keeps nothing. */
    protected abstract Store openAgain();

    /** Whether several nodes work on it at once, so that a new one has to find out who is dead. */
    protected boolean isShared() {
        return false;
    }

    @Nested
    class Submitting extends SubmittingContract {
        Submitting() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Running extends RunningContract {
        Running() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Saving extends SavingContract {
        Saving() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Failing extends FailingContract {
        Failing() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Stopping extends StoppingContract {
        Stopping() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Closing extends ClosingContract {
        Closing() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Opening extends OpeningContract {
        Opening() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Adopting extends AdoptingContract {
        Adopting() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Breaking extends BreakerContract {
        Breaking() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Holding extends GateContract {
        Holding() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Following extends FollowingContract {
        Following() {
            super(PoolContract.this);
        }
    }

    @Nested
    class RunningFamilies extends FamilyRunContract {
        RunningFamilies() {
            super(PoolContract.this);
        }
    }

    @Nested
    class EndingFamilies extends FamilyStopContract {
        EndingFamilies() {
            super(PoolContract.this);
        }
    }

    @Nested
    class RecoveringPhases extends PhaseRecoveryContract {
        RecoveringPhases() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Telling extends TellingContract {
        Telling() {
            super(PoolContract.this);
        }
    }

    @Nested
    class KeepingSessions extends AffinityContract {
        KeepingSessions() {
            super(PoolContract.this);
        }
    }
}
