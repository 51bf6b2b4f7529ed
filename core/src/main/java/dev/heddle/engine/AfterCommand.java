package dev.heddle.engine;

import dev.heddle.engine.commit.CompletionPoller;
import dev.heddle.engine.commit.PendingFutures;
import dev.heddle.engine.dispatch.Demand;
import dev.heddle.engine.execute.AttemptStopper;
import dev.heddle.engine.execute.StopCause;
import dev.heddle.engine.submit.Intake;
import dev.heddle.engine.support.EventPublisher;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies a committed command to this node: publishes it, stops attempts, releases claims, completes waiters,
 * wakes the dispatcher.
 */
public record AfterCommand(Store store, AttemptStopper stopper, Intake intake, PendingFutures waiters,
        CompletionPoller poller, EventPublisher events, Demand demand, WorkerGroups groups) {

    private static final Logger LOG = LoggerFactory.getLogger(AfterCommand.class);

    /**
     * Runs after the command is committed.
     *
     * @param result what the store answered
     */
    public void run(AdminCommand command, CommandResult result) {
        switch (result) {
            case CommandResult.Done(int count) when count > 0 ->
                events.publish(() -> new PoolEvent.Commanded(command, count));
            case CommandResult.StillRunning _ when command instanceof AdminCommand.Cancel ->
                events.publish(() -> new PoolEvent.Commanded(command, 1));
            case CommandResult.Done _, CommandResult.StillRunning _, CommandResult.NotFound _, CommandResult.WrongState _, CommandResult.NoSuchStep _ ->
                {
                }
        }
        switch (command) {
            case AdminCommand.Cancel cancel -> stopAttempt(cancel, result);
            case AdminCommand.Delete delete -> {
                intake.capacityFreed();
                if (result instanceof CommandResult.Done) {
                    waiters.fail(delete.id(), new NoSuchJobException(delete.id()));
                }
            }
            case AdminCommand.Pause _ -> intake.capacityFreed();
            case AdminCommand.Reschedule _, AdminCommand.Move _ -> {
                intake.capacityFreed();
                demand.workAvailable();
            }
            case AdminCommand.Reprioritize _, AdminCommand.Resume _, AdminCommand.Retry _, AdminCommand.RetryMatching _, AdminCommand.RetryErrors _, AdminCommand.ResumeQueue _ ->
                demand.workAvailable();
            case AdminCommand.PauseQueue pause -> groups.releaseWaiting(pause.queue());
            case AdminCommand.PurgeMatching _, AdminCommand.PurgeErrors _ -> {
            }
        }
    }

    private void stopAttempt(AdminCommand.Cancel cancel, CommandResult result) {
        if (result instanceof CommandResult.StillRunning(var fence)) {
            stopper.stop(fence, StopCause.CANCEL, cancel.reason());
        }
        intake.capacityFreed();
        try {
            store.find(cancel.id()).filter(found -> found.state().isFinal()).ifPresent(waiters::complete);
        } catch (StoreException e) {
            // The job is cancelled, so the command must not fail.
            LOG.debug("Could not look up the cancelled job {}; trying again: {}", cancel.id(), e.getMessage());
            poller.checkNow();
        }
    }
}
