package dev.heddle.cli.verb;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.Lasting;
import dev.heddle.cli.access.OutputTap;
import dev.heddle.cli.shell.Exit;
import dev.heddle.control.LogPiece;
import dev.heddle.control.WorkerDetail;
import dev.heddle.worker.StateChange;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looking over a worker's shoulder. Ctrl-C only stops the watching. */
final class WorkerWatch {

    private static final Duration BETWEEN = Duration.ofMillis(500);

    private WorkerWatch() {}

    @Command(name = "logs", description = "Print a worker's log, which outlives restarts of its node.")
    static final class Logs extends Verb {

        @Parameters(paramLabel = "ID", description = "The worker, by its id, the beginning of it, or its name after the node's.") @SuppressWarnings("NullAway.Init") // set before call()
        private String id;

        @Option(names = {"-f",
            "--follow"}, description = "Go on until Ctrl-C, which only stops the watching.") private boolean follow;

        Logs(Desk desk) {
            super(desk);
        }

        @Override
        Exit run() {
            try (Lasting access = new Lasting(desk())) {
                long next = 0;
                while (true) {
                    long offset = next;
                    LogPiece piece = access.ask(found -> found.control().workerLog(id, offset,
                            follow ? BETWEEN : Duration.ZERO));
                    screen().pass(piece.bytes(), false);
                    next = piece.next();
                    if (!follow && piece.next() == piece.offset()) {
                        return Exit.OK;
                    }
                }
            }
        }
    }

    @Command(name = "attach", description = {
        "Show what a worker runs as it prints it, and its changes of state.",
        "Goes on until the worker is gone, or Ctrl-C, which only stops the watching."})
    static final class Attach extends Verb {

        @Parameters(paramLabel = "ID", description = "The worker, by its id, the beginning of it, or its name after the node's.") @SuppressWarnings("NullAway.Init") // set before call()
        private String id;

        private Instant shown = Instant.MIN;
        private @Nullable String job;
        private @Nullable OutputTap tap;

        Attach(Desk desk) {
            super(desk);
        }

        @Override
        Exit run() throws InterruptedException {
            try (Lasting access = new Lasting(desk())) {
                while (true) {
                    WorkerDetail worker = access.ask(found -> found.control().worker(id));
                    id = worker.worker().id();
                    tell(worker);
                    pour(access, worker.worker().job());
                    if (!worker.worker().state().isLive()) {
                        return Exit.OK;
                    }
                    if (tap == null || tap.isDry()) {
                        Thread.sleep(BETWEEN.dividedBy(5));
                    }
                }
            }
        }

        /** Changes of state that were not told yet, oldest first. */
        private void tell(WorkerDetail worker) {
            List<StateChange> news = worker.history().reversed().stream()
                    .filter(change -> change.at().isAfter(shown)).toList();
            if (shown.equals(Instant.MIN)) {
                screen().say("worker " + worker.worker().id() + " is " + worker.worker().state());
            } else {
                news.forEach(
                        change -> screen().say(change.at() + " " + change.from() + " to " + change.to() + " ("
                                + change.reason() + ")"));
            }
            shown = news.isEmpty() ? shown.equals(Instant.MIN) ? Instant.EPOCH : shown : news.getLast().at();
        }

        private void pour(Lasting access, @Nullable String running) {
            if (running != null && !running.equals(job)) {
                job = running;
                tap = new OutputTap(screen(), null);
                screen().say("job " + running);
            }
            String of = job;
            OutputTap from = tap;
            if (of != null && from != null
                    && access.ask(found -> from.pour(query -> found.control().output(of, query), BETWEEN))) {
                tap = null;
            }
        }
    }
}
