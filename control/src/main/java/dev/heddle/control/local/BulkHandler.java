package dev.heddle.control.local;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;

import dev.heddle.control.local.BulkOrder.Progress;
import dev.heddle.control.model.BulkAction;
import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolAdmin;
import dev.heddle.query.QueryTimeoutException;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.JobQuery;

/**
 * Carries out bulk operations: goes through the jobs from the oldest on, a chunk at a time, and saves how far it is
 * after each. After a crash, it continues from there; the jobs of the last chunk may then be looked at twice.
 */
public final class BulkHandler implements JobHandler<BulkOrder, Progress> {

    private static final InstantSource CLOCK = Clock.tickMillis(ZoneOffset.UTC);
    private static final JobType<BulkOrder, Progress> TYPE = JobType
            .of(BulkOrder.TYPE, BulkOrder.class, Progress.class).timeout(Duration.ofDays(7));

    /** How many jobs one transaction changes. */
    private static final int CHUNK = 200;
    /** How many jobs one query reads at most to find them. */
    private static final long WINDOW = 50_000;
    private static final long SMALLEST_WINDOW = 500;

    private final Pool pool;

    private BulkHandler(Pool pool) {
        this.pool = pool;
    }

    /** Lets a pool carry out bulk operations, also those that earlier nodes have begun. */
    public static synchronized void register(Pool pool) {
        if (!pool.admin().types().contains(BulkOrder.TYPE)) {
            pool.register(TYPE, new BulkHandler(pool));
        }
    }

    @Override
    public Progress handle(BulkOrder order, JobContext job) {
        PoolAdmin admin = pool.admin();
        Progress progress = job.checkpoint(Progress.class).orElse(new Progress(0, 0, 0, 0));
        JobQuery query = order.query().limit(CHUNK);
        long window = WINDOW;
        while (progress.cursor() < order.last()) {
            long to = Math.min(progress.cursor() + window, order.last());
            List<Job> jobs;
            try {
                jobs = admin.list(query.after(progress.cursor()).before(to + 1));
            } catch (QueryTimeoutException e) {
                if (window <= SMALLEST_WINDOW) {
                    throw e;
                }
                window = Math.max(SMALLEST_WINDOW, window / 4);
                continue;
            }
            progress = apply(order, jobs, admin, progress).at(jobs.size() < CHUNK ? to : jobs.getLast().seq());
            job.progress(progress.handled(), Math.max(order.total(), progress.handled()),
                    progress.done() + " done, " + progress.failed() + " failed, " + progress.skipped() + " skipped");
            job.saveCheckpoint(progress);
        }
        return progress;
    }

    private static Progress apply(BulkOrder order, List<Job> jobs, PoolAdmin admin, Progress before) {
        Instant now = CLOCK.instant();
        List<AdminCommand> commands = jobs.stream().filter(job -> order.permits(job.type()))
                .map(job -> order.command(job.id(), now)).toList();
        Progress after = before.plus(0, 0, jobs.size() - commands.size());
        for (CommandResult result : commands.isEmpty() ? List.<CommandResult>of() : admin.executeAll(commands)) {
            after = switch (result) {
                case CommandResult.Done(int count) when count > 0 -> after.plus(1, 0, 0);
                case CommandResult.StillRunning _ when order.action() == BulkAction.CANCEL ->
                    after.plus(1, 0, 0);
                case CommandResult.Done _, CommandResult.NotFound _ -> after.plus(0, 0, 1);
                case CommandResult.StillRunning _, CommandResult.WrongState _, CommandResult.NoSuchStep _ ->
                    after.plus(0, 1, 0);
            };
        }
        return after;
    }
}
