package dev.heddle.testkit.pool;

import dev.heddle.store.Store;
import dev.heddle.testkit.ManualClock;
import org.junit.jupiter.api.Nested;

/**
 * The specification of a pool, as tests. Extend this class in the tests of a store and tell it how to open one. The
 * pool is real and runs its own threads; tests in which minutes pass use a {@link ManualClock}. The suites of optional
 * capabilities, such as sessions, are skipped if the store does not offer them.
 */
public abstract class PoolContract {

    /** Opens a new and empty store. The pool closes it. */
    protected abstract Store newStore();

    /** Opens the store of {@link #newStore} again after a pool has closed it. Its content is unchanged. */
    protected abstract Store openAgain();

    /**
     * Returns whether nodes can share the store. A new node then learns only after a lease which other nodes are dead.
     */
    protected boolean isShared() {
        return false;
    }

    /**
     * Lets the stores of this test go by its clock. Override this if the store has a clock of its own, as one with a
     * server does, and steer that clock. A store without one goes by the clock of its pool.
     */
    protected void follow(ManualClock clock) {}

    @Nested
    class Submitting extends SubmitContract {
        Submitting() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Executing extends ExecutionContract {
        Executing() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Logging extends LogContract {
        Logging() {
            super(PoolContract.this);
        }
    }

    @Nested
    class SettingTheClock extends ClockPoolContract {
        SettingTheClock() {
            super(PoolContract.this);
        }
    }

    @Nested
    class SelfRescheduling extends SelfRescheduleContract {
        SelfRescheduling() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Checkpointing extends CheckpointContract {
        Checkpointing() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Failing extends FailureContract {
        Failing() {
            super(PoolContract.this);
        }
    }

    @Nested
    class ThrowingOddExceptions extends ExceptionContract {
        ThrowingOddExceptions() {
            super(PoolContract.this);
        }
    }

    @Nested
    class RefusingContents extends RefusalContract {
        RefusingContents() {
            super(PoolContract.this);
        }
    }

    @Nested
    class KeepingValues extends ValueContract {
        KeepingValues() {
            super(PoolContract.this);
        }
    }

    @Nested
    class StoppingAttempts extends AttemptStopContract {
        StoppingAttempts() {
            super(PoolContract.this);
        }
    }

    @Nested
    class CallingUserCode extends UserCodeContract {
        CallingUserCode() {
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
    class Draining extends DrainContract {
        Draining() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Suspects extends SuspectContract {
        Suspects() {
            super(PoolContract.this);
        }
    }

    @Nested
    class RecoveringAtStartup extends StartupRecoveryContract {
        RecoveringAtStartup() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Adopting extends AdoptionContract {
        Adopting() {
            super(PoolContract.this);
        }
    }

    @Nested
    class CircuitBreaking extends CircuitBreakerContract {
        CircuitBreaking() {
            super(PoolContract.this);
        }
    }

    @Nested
    class DedupeModes extends DedupePoolContract {
        DedupeModes() {
            super(PoolContract.this);
        }
    }

    @Nested
    class KeyLimits extends LimitContract {
        KeyLimits() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Explaining extends ExplanationContract {
        Explaining() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Gating extends GateContract {
        Gating() {
            super(PoolContract.this);
        }
    }

    @Nested
    class FollowingUp extends SequelContract {
        FollowingUp() {
            super(PoolContract.this);
        }
    }

    @Nested
    class RunningTwoPhaseJobs extends TwoPhaseJobContract {
        RunningTwoPhaseJobs() {
            super(PoolContract.this);
        }
    }

    @Nested
    class CancellingFamilies extends FamilyCancellationContract {
        CancellingFamilies() {
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
    class Notifying extends NotificationContract {
        Notifying() {
            super(PoolContract.this);
        }
    }

    @Nested
    class Scheduling extends ScheduleContract {
        Scheduling() {
            super(PoolContract.this);
        }
    }

    @Nested
    class KeepingSessions extends SessionAffinityContract {
        KeepingSessions() {
            super(PoolContract.this);
        }
    }
}
