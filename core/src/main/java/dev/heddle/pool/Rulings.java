package dev.heddle.pool;

import dev.heddle.job.JobId;
import dev.heddle.store.Ruling;

/** Turns a refused command into the exception its caller should see. */
final class Rulings {

    private Rulings() {}

    static void require(String what, JobId id, Ruling ruling) {
        switch (ruling) {
            case Ruling.Done _,Ruling.StillRunning _ -> {
            }
            case Ruling.NotFound _ -> throw new NoSuchJobException(id);
            case Ruling.WrongState(var state) -> throw new WrongStateException(what, id, state);
        }
    }
}
