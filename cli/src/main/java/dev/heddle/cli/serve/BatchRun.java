package dev.heddle.cli.serve;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.batch.BatchPlan;
import dev.heddle.batch.Unit;
import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector;
import dev.heddle.cli.batch.BatchUnits;
import dev.heddle.cli.batch.UnitsFile;
import dev.heddle.cli.config.BatchFile;
import dev.heddle.cli.config.BatchFile.Work;
import dev.heddle.cli.shell.BatchProgress;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.local.BatchSpec;
import dev.heddle.control.local.ReservedNames;
import dev.heddle.control.model.BatchView;
import dev.heddle.control.model.BudgetDraft;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobView;
import dev.heddle.control.model.SubmitResult;
import dev.heddle.control.model.UnitView;
import dev.heddle.env.Environment;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One call of {@code batch run}: determines which units are left, submits them and shows their progress. */
final class BatchRun {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private final CliContext context;
    private final Connector.Connection node;
    private final BatchFile file;
    private final BatchPlan plan;
    private final String definition;

    /**
     * The options of the call.
     *
     * @param tryFirst number of units to run before approval; 0 for all
     * @param runAll whether to run all units, even those that completed before
     * @param detach whether to return without waiting for the end
     * @param resumed whether the batch was unfinished before this node started, which may have ended it by now
     */
    record Options(int tryFirst, boolean runAll, boolean detach, boolean resumed) {

        Options resumed(boolean value) {
            return new Options(tryFirst, runAll, detach, value);
        }
    }

    /** The ids of units that earlier runs completed, and of those that failed in the latest run. */
    private record PastUnits(Set<String> completed, Set<String> failed) {}

    BatchRun(CliContext context, Connector.Connection node, BatchFile file, BatchPlan plan, String definition) {
        this.context = context;
        this.node = node;
        this.file = file;
        this.plan = plan;
        this.definition = definition;
    }

    /** Returns the job type of the units of a batch. */
    static String unitType(BatchPlan plan) {
        return ReservedNames.UNITS + plan.id();
    }

    /** Returns whether the latest run of the batch has not ended, so that a node continues it. */
    boolean isUnfinished() {
        List<String> earlier = earlier();
        return !earlier.isEmpty() && !control().batch(earlier.getFirst()).state().isFinal();
    }

    /** Runs the batch as a job of the given type. */
    ExitCode run(String type, Options options, StopSignal stop) throws InterruptedException {
        if (plan.repeated() > 0) {
            context.output()
                    .info("ignoring " + plan.repeated() + " duplicate unit" + (plan.repeated() == 1 ? "" : "s"));
        }
        BatchView batch = begin(type, options);
        if (batch == null) {
            return ExitCode.OK;
        }
        context.output().print(batch.id());
        return options.detach() ? ExitCode.OK : watch(batch, stop);
    }

    /** Returns the batch that runs now, or null if nothing is left to do. */
    private @Nullable BatchView begin(String type, Options options) {
        List<String> earlier = earlier();
        if (earlier.isEmpty()) {
            return submit(type, plan.units(), options.tryFirst());
        }
        BatchView last = control().batch(earlier.getFirst());
        boolean same = last.type().equals(unitType(plan));
        if (options.runAll()) {
            if (same && !last.state().isFinal()) {
                throw new CliException(ExitCode.FAILED, "batch '" + plan.name() + "' is still running as job "
                        + last.id() + "; cancel it with 'heddle job cancel " + last.id() + "'");
            }
            return submit(type, plan.units(), options.tryFirst());
        }
        if (!same) {
            throw CliException.usage("the template of batch '" + plan.name() + "' has changed since job " + last.id()
                    + "; use --new to run all units with the new one");
        }
        if (file.budget() != null) {
            control().setBudget(new BudgetDraft("type:" + last.type(), "usd/30d", file.budget()));
        }
        boolean unchanged = definition.equals(control().job(last.id()).payload().path("definition").asString());
        if (!last.state().isFinal() || options.resumed()) {
            context.output().info("resuming: " + last.ended() + " of " + last.units() + " units have ended"
                    + (unchanged ? "" : "; changes to the file apply to the budget only"));
            return last;
        }
        return resume(type, last, pastUnits(earlier, last), unchanged && options.tryFirst() == 0, options.tryFirst());
    }

    /**
     * Retries failed units in the last job. If there are also new or cancelled units, submits all remaining units as
     * another job.
     *
     * @param inPlace whether the last job may run the remaining units
     */
    private @Nullable BatchView resume(String type, BatchView last, PastUnits past, boolean inPlace, int tryFirst) {
        List<Unit> rest = plan.units().stream().filter(unit -> !past.completed().contains(unit.id())).toList();
        int done = plan.units().size() - rest.size();
        if (rest.isEmpty()) {
            context.output().info("nothing to do: " + (done == 1 ? "the unit is" : "all " + done + " units are")
                    + " done; use --new to run again");
            return null;
        }
        if (done > 0) {
            context.output().info(done + " of " + plan.units().size() + " units are already done");
        }
        if (inPlace && past.failed().equals(rest.stream().map(Unit::id).collect(Collectors.toSet()))) {
            control().retryBatch(last.id());
            return control().batch(last.id());
        }
        return submit(type, rest, tryFirst);
    }

    /** Returns the job ids of all batches of this name, newest first. */
    private List<String> earlier() {
        return control().jobs(JobFilter.ALL.tag(BatchSpec.TAG).subject(plan.name()).limit(Control.MOST_LISTED)).jobs()
                .stream().map(JobView::id).toList();
    }

    private PastUnits pastUnits(List<String> earlier, BatchView last) {
        PastUnits past = new PastUnits(new HashSet<>(), new HashSet<>());
        for (String id : earlier) {
            if (!control().batch(id).type().equals(last.type())) {
                continue;
            }
            for (UnitView unit : BatchUnits.all(control(), id)) {
                if (unit.state() == JobState.COMPLETED) {
                    past.completed().add(new Unit("", unit.unit()).id());
                } else if (unit.state() == JobState.FAILED && id.equals(last.id())) {
                    past.failed().add(new Unit("", unit.unit()).id());
                }
            }
        }
        return past;
    }

    private BatchView submit(String type, List<Unit> units, int tryFirst) {
        JobId id = JobId.next();
        UnitsFile stored = store(id, units.stream().map(Unit::payload).toList());
        BatchSpec order = new BatchSpec(plan.name(), unitType(plan), definition, file.directory().toString(),
                file.prompt(), units.size(), stored.path().toString(), Math.min(tryFirst, units.size()));
        JobDraft draft = JobDraft.of(type, ControlJson.tree(ControlJson.write(order))).id(id.toString()).maxRetries(0)
                .subject(order.name()).tags(Set.of(BatchSpec.TAG)).dedupeKey(order.type());
        SubmitResult.Accepted accepted = control().submit(List.of(draft)).jobs().getFirst();
        return control().batch(accepted.id());
    }

    private UnitsFile store(JobId batch, List<JsonNode> units) {
        try {
            return UnitsFile.write(context.options().home().batches(), batch, units);
        } catch (IOException e) {
            throw new CliException(ExitCode.FAILED, "cannot store the units: " + e, e);
        }
    }

    private ExitCode watch(BatchView started, StopSignal stop) throws InterruptedException {
        BatchView batch = started;
        try (BatchProgress line = new BatchProgress(context.output(),
                Environment.system().withClock(context.clock()))) {
            while (!batch.state().isFinal() && !stop.isRequested() && !batch.hasBeenTried()) {
                line.show(batch);
                Thread.sleep(POLL_INTERVAL);
                batch = control().batch(started.id());
            }
        }
        context.output().info(batch.error() == null ? BatchProgress.summary(batch) : batch.error());
        if (batch.hasBeenTried()) {
            context.output().info("check with 'heddle batch results " + batch.name()
                    + "', then run the rest with 'heddle batch approve " + batch.name() + "'");
            return batch.in(JobState.COMPLETED) == batch.ended() ? ExitCode.OK : ExitCode.FAILED;
        }
        if (!batch.state().isFinal()) {
            context.output().info(nextStep(batch));
            return ExitCode.INTERRUPTED;
        }
        if (batch.in(JobState.FAILED) > 0) {
            context.output().info("see why with 'heddle batch show " + batch.name() + "'; retry with"
                    + " 'heddle batch retry " + batch.name() + "' or the same command");
        }
        return batch.in(JobState.COMPLETED) == batch.units() ? ExitCode.OK : ExitCode.FAILED;
    }

    private String nextStep(BatchView batch) {
        if (batch.held() != null) {
            return "raise the budget and repeat the command to continue";
        }
        if (node.remote()) {
            return "the batch continues on the node; see 'heddle batch show " + batch.name() + "'";
        }
        return switch (file.work()) {
            case Work.ByAgent _ -> "running agents continue; repeat the command to resume the batch";
            case Work.ByCommand _ -> "interrupted commands will run again; repeat the command to resume the batch";
        };
    }

    private Control control() {
        return node.control();
    }
}
