package dev.heddle.cli.serve;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.batch.BatchPlan;
import dev.heddle.batch.Unit;
import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.batch.UnitsFile;
import dev.heddle.cli.config.BatchFile;
import dev.heddle.cli.config.BatchFile.Work;
import dev.heddle.cli.shell.BatchLine;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.control.BatchOrder;
import dev.heddle.control.BatchView;
import dev.heddle.control.BudgetDraft;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.JobDraft;
import dev.heddle.control.JobFilter;
import dev.heddle.control.JobView;
import dev.heddle.control.Submitted;
import dev.heddle.control.UnitPage;
import dev.heddle.control.UnitView;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One call of {@code batch run}: finds out what of the batch is left to do, has that done, and watches it. */
final class BatchRun {

    private static final Duration BETWEEN = Duration.ofMillis(500);

    private final Desk desk;
    private final Access.Found node;
    private final BatchFile file;
    private final BatchPlan plan;
    private final String definition;

    /**
     * What was asked for besides the batch itself.
     *
     * @param tryFirst how many units run before somebody approves; 0 for all
     * @param anew whether all units are run, whatever was done before
     * @param detach whether not to wait for the end
     * @param goesOn whether it was at work before a node was there, which may have ended it by now
     */
    record Wish(int tryFirst, boolean anew, boolean detach, boolean goesOn) {

        Wish goingOn(boolean value) {
            return new Wish(tryFirst, anew, detach, value);
        }
    }

    /** What earlier runs of the same batch did, and which units of the last one failed; all by the ids of units. */
    private record Past(Set<String> done, Set<String> failed) {}

    BatchRun(Desk desk, Access.Found node, BatchFile file, BatchPlan plan, String definition) {
        this.desk = desk;
        this.node = node;
        this.file = file;
        this.plan = plan;
        this.definition = definition;
    }

    /** The job type of its units. */
    static String unitType(BatchPlan plan) {
        return "batch:" + plan.id();
    }

    /** Whether units of it are to be done that a node does by itself. */
    boolean isAtWork() {
        List<String> earlier = earlier();
        return !earlier.isEmpty() && !control().batch(earlier.getFirst()).state().isFinal();
    }

    /** Does it as a job of this type. */
    Exit run(String type, Wish wish, StopSignal stop) throws InterruptedException {
        if (plan.repeated() > 0) {
            desk.screen().say(plan.repeated() + (plan.repeated() == 1
                    ? " of the units is there twice, and runs once"
                    : " of the units are there twice, and run once"));
        }
        BatchView batch = begin(type, wish);
        if (batch == null) {
            return Exit.OK;
        }
        desk.screen().print(batch.id());
        return wish.detach() ? Exit.OK : watch(batch, stop);
    }

    /** The batch that is at work now; null where nothing is left to do. */
    private @Nullable BatchView begin(String type, Wish wish) {
        List<String> earlier = earlier();
        if (earlier.isEmpty()) {
            return submit(type, plan.units(), wish.tryFirst());
        }
        BatchView last = control().batch(earlier.getFirst());
        boolean same = last.type().equals(unitType(plan));
        if (wish.anew()) {
            if (same && !last.state().isFinal()) {
                throw new CliException(Exit.FAILED, "batch '" + plan.name() + "' is at work as job "
                        + last.id() + "; 'heddle job cancel " + last.id() + "' ends it");
            }
            return submit(type, plan.units(), wish.tryFirst());
        }
        if (!same) {
            throw CliException.usage("batch '" + plan.name() + "' was run with another template ("
                    + last.id() + "); --new runs this one");
        }
        if (file.budget() != null) {
            control().setBudget(new BudgetDraft("type:" + last.type(), "usd/30d", file.budget()));
        }
        boolean asBegun = definition
                .equals(control().job(last.id()).payload().path("definition").asString());
        if (!last.state().isFinal() || wish.goesOn()) {
            desk.screen().say("goes on: " + last.ended() + " of " + last.units() + " units have ended"
                    + (asBegun ? "" : "; as it was begun, but for the budget"));
            return last;
        }
        return goOn(type, last, past(earlier, last), asBegun && wish.tryFirst() == 0, wish.tryFirst());
    }

    /**
     * What failed is tried again where it is; what is new to the list, or was cancelled, makes another job.
     *
     * @param inPlace whether the last job may do what is left, as it would do it
     */
    private @Nullable BatchView goOn(String type, BatchView last, Past past, boolean inPlace, int tryFirst) {
        List<Unit> rest = plan.units().stream().filter(unit -> !past.done().contains(unit.id())).toList();
        int done = plan.units().size() - rest.size();
        if (rest.isEmpty()) {
            desk.screen().say((done == 1 ? "its one unit is" : "all " + done + " units are")
                    + " done already; --new runs them again");
            return null;
        }
        if (done > 0) {
            desk.screen().say(done + " of " + plan.units().size() + " units are done already");
        }
        if (inPlace
                && past.failed().equals(rest.stream().map(Unit::id).collect(Collectors.toSet()))) {
            control().retryBatch(last.id());
            return control().batch(last.id());
        }
        return submit(type, rest, tryFirst);
    }

    /** The ids of all batches of that name, newest first. */
    private List<String> earlier() {
        return control()
                .jobs(JobFilter.ALL.tag(BatchOrder.TAG).subject(plan.name()).limit(Control.MOST_LISTED))
                .jobs().stream().map(JobView::id).toList();
    }

    private Past past(List<String> earlier, BatchView last) {
        Past past = new Past(new HashSet<>(), new HashSet<>());
        for (String id : earlier) {
            if (!control().batch(id).type().equals(last.type())) {
                continue;
            }
            String cursor = null;
            do {
                UnitPage page = control().units(id, cursor, Control.MOST_LISTED);
                for (UnitView unit : page.units()) {
                    if (unit.state() == JobState.COMPLETED) {
                        past.done().add(new Unit("", unit.unit()).id());
                    } else if (unit.state() == JobState.FAILED && id.equals(last.id())) {
                        past.failed().add(new Unit("", unit.unit()).id());
                    }
                }
                cursor = page.next();
            } while (cursor != null);
        }
        return past;
    }

    private BatchView submit(String type, List<Unit> units, int tryFirst) {
        JobId id = JobId.next();
        UnitsFile stored = store(id, units.stream().map(Unit::payload).toList());
        BatchOrder order = new BatchOrder(plan.name(), unitType(plan), definition,
                file.directory().toString(), file.prompt(), units.size(), stored.path().toString(),
                Math.min(tryFirst, units.size()));
        JobDraft draft = new JobDraft(type, ControlJson.tree(ControlJson.write(order)), id.toString(), null,
                null, null, null, 0, null, null, null, order.name(), Set.of(BatchOrder.TAG), order.type());
        Submitted.Accepted accepted = control().submit(List.of(draft)).jobs().getFirst();
        return control().batch(accepted.id());
    }

    private UnitsFile store(JobId batch, List<JsonNode> units) {
        try {
            return UnitsFile.write(desk.place().home().batches(), batch, units);
        } catch (IOException e) {
            throw new CliException(Exit.FAILED, "cannot write the units down: " + e, e);
        }
    }

    private Exit watch(BatchView begun, StopSignal stop) throws InterruptedException {
        BatchView batch = begun;
        try (BatchLine line = new BatchLine(desk.screen(), desk.clock())) {
            while (!batch.state().isFinal() && !stop.isTold() && !batch.hasBeenTried()) {
                line.show(batch);
                Thread.sleep(BETWEEN);
                batch = control().batch(begun.id());
            }
        }
        desk.screen().say(batch.error() == null ? BatchLine.summary(batch) : batch.error());
        if (batch.hasBeenTried()) {
            desk.screen().say("look at it with 'heddle batch results " + batch.name()
                    + "'; 'heddle batch approve " + batch.name() + "' lets the rest run");
            return batch.in(JobState.COMPLETED) == batch.ended() ? Exit.OK : Exit.FAILED;
        }
        if (!batch.state().isFinal()) {
            desk.screen().say(whatNow(batch));
            return Exit.INTERRUPTED;
        }
        if (batch.in(JobState.FAILED) > 0) {
            desk.screen().say("'heddle batch show " + batch.name() + "' says why; the same command, or"
                    + " 'heddle batch retry " + batch.name() + "', tries them again");
        }
        return batch.in(JobState.COMPLETED) == batch.units() ? Exit.OK : Exit.FAILED;
    }

    private String whatNow(BatchView batch) {
        if (batch.held() != null) {
            return "raise its budget, and the same command goes on with the batch";
        }
        if (node.remote()) {
            return "the node goes on with it; 'heddle batch show " + batch.name() + "' says how far it is";
        }
        return switch (file.work()) {
            case Work.ByAgent _ ->
                "agents that run go on by themselves; the same command goes on with the batch";
            case Work.ByCommand _ -> "commands that ran start again; the same command goes on with the batch";
        };
    }

    private Control control() {
        return node.control();
    }
}
