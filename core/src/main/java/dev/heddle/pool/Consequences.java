package dev.heddle.pool;

import dev.heddle.store.Command;
import dev.heddle.store.Ruling;
import dev.heddle.store.Store;

/** What follows from a command that is committed. */
record Consequences(Store store, Recall recall, Intake intake, Waiters waiters, Observers observers,
        Demand demand) {

    /** As far as this node is concerned. */
    void of(Command command, Ruling ruling) {
        switch (ruling) {
            case Ruling.Done(int count) when count > 0 ->
                observers.tell(() -> new PoolEvent.Commanded(command, count));
            case Ruling.StillRunning _ when command instanceof Command.Cancel ->
                observers.tell(() -> new PoolEvent.Commanded(command, 1));
            case Ruling.Done _,Ruling.StillRunning _,Ruling.NotFound _,Ruling.WrongState _ -> {
            }
        }
        switch (command) {
            case Command.Cancel cancel -> cancelled(cancel, ruling);
            case Command.Delete delete -> {
                intake.roomMade();
                if (ruling instanceof Ruling.Done) {
                    waiters.leave(delete.id(), new NoSuchJobException(delete.id()));
                }
            }
            case Command.Pause _ -> intake.roomMade();
            case Command.Resume _,Command.Retry _,Command.RetryMatching _,Command.ResumeQueue _ ->
                demand.work();
            case Command.PauseQueue _,Command.PurgeMatching _ -> {
            }
        }
    }

    /** Whatever this node does for the job has to stop. */
    private void cancelled(Command.Cancel cancel, Ruling ruling) {
        if (ruling instanceof Ruling.StillRunning(var fence)) {
            recall.one(fence, Stop.CANCEL, cancel.reason());
        }
        intake.roomMade();
        store.find(cancel.id()).filter(found -> found.state().isFinal()).ifPresent(waiters::ended);
    }
}
