package dev.heddle.control;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendBook;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Story;
import org.jspecify.annotations.Nullable;

/**
 * Batches: jobs with a {@link BatchOrder}, whose children are the units, tagged with its id. Counted and summed up whenever
 * somebody asks.
 */
record Batches(Ground ground) {

    List<BatchView> list() {
        return ground.list(JobQuery.all().tag(BatchOrder.TAG).limit(Control.MOST_LISTED)).stream()
                .map(this::view)
                .toList();
    }

    static BatchOrder order(Job job) {
        if (!job.spec().tags().contains(BatchOrder.TAG)) {
            throw ControlException
                    .notFound("job " + job.id() + " is no batch; 'heddle batch list' has those that are");
        }
        return ControlJson.read(ControlJson.bytes(ControlJson.tree(job.spec().payload())), BatchOrder.class);
    }

    BatchView view(Job job) {
        BatchOrder order = order(job);
        Map<JobState, Long> counts = ground.story(job.id()).map(story -> story.children()).orElse(Map.of());
        boolean ended = job.state().isFinal();
        boolean atWork = counts.keySet().stream().anyMatch(state -> !state.isFinal());
        List<Spend> spent = ground.feature(SpendBook.class)
                .map(book -> book.spentSince(job.spec().createdAt()))
                .orElse(List.of()).stream().filter(spend -> spend.tags().contains(job.id().toString()))
                .toList();
        return new BatchView(job.id().toString(), order.name(), order.type(),
                atWork && ended ? JobState.WAITING : job.state(), job.spec().createdAt(),
                atWork ? null : job.status().endedAt(), order.units(), counts,
                spent.stream().map(Spend::usd).reduce(BigDecimal.ZERO, BigDecimal::add),
                spent.stream().anyMatch(Spend::estimated), spent.stream().mapToLong(Spend::tokens).sum(),
                order.tryFirst(),
                order.tryFirst() > 0 && !ended && ground.tally().pausedQueues().contains(order.queue()),
                ground.held().reason(order.type(), Set.of(order.name(), job.id().toString())).orElse(null),
                job.state() == JobState.FAILED ? job.failure().map(Failure::message).orElse(null) : null);
    }

    UnitPage units(Job batch, @Nullable String cursor, int limit) {
        order(batch);
        List<Job> jobs = ground.list(
                JobQuery.all().parent(batch.id()).after(Translation.cursor(cursor)).limit(limit));
        return new UnitPage(
                jobs.stream().flatMap(job -> ground.story(job.id()).stream()).map(this::unit).toList(),
                jobs.size() < limit ? null : String.valueOf(jobs.getLast().seq()));
    }

    private UnitView unit(Story story) {
        return UnitView.of(story,
                ground.runs().map(archive -> archive.runs(story.job().id())).orElse(List.of()));
    }
}
