package dev.heddle.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.JobCancelledException;
import dev.heddle.pool.PoolBuilder;
import org.jspecify.annotations.Nullable;

/** Its work outlives its node, and the next node on the machine takes it over. It is expensive, so it runs once. */
final class AdoptedWork extends Workload {

    AdoptedWork() {
        super(Workloads.named("adopted").timeout(Duration.ofMinutes(5)));
    }

    @Override
    void register(PoolBuilder pool, Host host) {
        super.register(pool.detachedWork(host.runs()), host);
    }

    @Override
    @Nullable String handle(HandlerCall call) {
        DetachedRuns runs = call.host().runs();
        Duration time = Duration.ofMillis(call.behavior() * 200L);
        if (!runs.resume(call.job().id(), call.job().attempt(), call.host())) {
            call.job().detachFromNode();
            runs.begin(call.job().id(), call.job().attempt(), time, call.host());
            call.tell(new Report.WorkBegan(time.toNanos()));
        }
        try {
            call.job().sleep(runs.left(call.job().id(), call.job().attempt()));
            return "ok";
        } catch (JobCancelledException e) {
            if (!call.job().cancellation().jobContinues()) {
                runs.kill(call.job().id(), call.job().attempt());
                call.tell(new Report.WorkKilled());
            }
            throw e;
        } finally {
            runs.leave(call.job().id(), call.job().attempt());
        }
    }

    /** While one attempt works, no other does. */
    @Override
    Optional<String> wrongSoFar(Story story, Evidence evidence) {
        List<Report> begun = new ArrayList<>();
        for (Report report : story.reports().toList()) {
            if (report.event() instanceof Report.WorkBegan) {
                boolean works = begun.stream().anyMatch(before -> endOf(before, story) > report.at());
                if (works) {
                    return Optional.of("works a second time, although the first time is not over");
                }
                begun.add(report);
            }
        }
        return Optional.empty();
    }

    private static long endOf(Report begun, Story story) {
        long end = begun.at() + (begun.event() instanceof Report.WorkBegan(long nanos) ? nanos : 0);
        return story.reports()
                .filter(report -> report.event() instanceof Report.WorkKilled && report.attempt() == begun.attempt())
                .mapToLong(Report::at).reduce(end, Math::min);
    }
}
