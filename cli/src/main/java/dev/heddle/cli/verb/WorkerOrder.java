package dev.heddle.cli.verb;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.control.Control;
import dev.heddle.control.WorkerView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The orders one can give about a worker. */
abstract class WorkerOrder extends Question {

    @Parameters(paramLabel = "ID", description = "The worker, by its id, the beginning of it, or its name after the node's.") @SuppressWarnings("NullAway.Init") // set before call()
    private String id;

    WorkerOrder(Desk desk) {
        super(desk, Access.Intent.LOOK);
    }

    @Override
    final Exit ask(Control control) {
        format().one(screen(), order(control, id), worker -> screen().print(worker.id()));
        return Exit.OK;
    }

    abstract WorkerView order(Control control, String worker);

    @Command(name = "stop", description = "Stop a worker for good; what it runs goes back to the queue.")
    static final class Stop extends WorkerOrder {
        Stop(Desk desk) {
            super(desk);
        }

        @Override
        WorkerView order(Control control, String worker) {
            return control.stopWorker(worker);
        }
    }

    @Command(name = "drain", description = "Stop a worker for good, once it has ended what it runs.")
    static final class Drain extends WorkerOrder {
        Drain(Desk desk) {
            super(desk);
        }

        @Override
        WorkerView order(Control control, String worker) {
            return control.drainWorker(worker);
        }
    }
}
