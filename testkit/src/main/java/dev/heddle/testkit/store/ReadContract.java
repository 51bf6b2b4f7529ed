package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import dev.heddle.job.Attempt;
import dev.heddle.job.IdRange;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Progress;
import dev.heddle.job.Transition;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.Fence;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Retention;
import dev.heddle.store.SavedState;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreListener;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Reads: jobs, their details, counts and nodes. Every call fails after close. */
abstract class ReadContract extends StoreFixture {

    ReadContract(StoreContract contract) {
        super(contract);
    }

    private List<JobId> list(JobQuery query) {
        return ids(store.list(query));
    }

    @Test
    void tellsWhenJobsFailedFirst() {
        JobDraft draft = JobDraft.of("mail");
        Fence first = running(draft);
        applied(ended(first, Attempt.End.FAILED, retry(at(10), "Retry 1/2"), at(2)));
        Fence second = start(claimAgain(draft.id(), at(10)));
        applied(ended(second, Attempt.End.FAILED, new Transition.Fail("no retries left"), at(12)));
        JobId fine = completed(JobDraft.of("fax"), at(20));

        assertThat(store.firstFailures(List.of(first.seq(), job(fine).seq(), 4_711L)))
                .containsExactly(Map.entry(first.seq(), at(2)));
        assertThat(store.firstFailures(List.of())).isEmpty();
    }

    @Test
    void findsNothingUnderAnUnknownId() {
        insert(JobDraft.of("mail"));

        assertThat(store.find(JobId.next())).isEmpty();
        assertThat(store.details(JobId.next())).isEmpty();
        assertThat(store.saved(987_654)).isEqualTo(SavedState.EMPTY);
    }

    @Test
    void isEmptyWhenNew() {
        assertThat(store.list(JobQuery.all())).isEmpty();
        assertThat(store.countJobs()).isEqualTo(new JobCounts(List.of(), 0, Set.of()));
        assertThat(store.saved(1)).isEqualTo(SavedState.EMPTY);
    }

    @Test
    void listsJobsInEveryStateNewestFirst() {
        JobId completed = in(JobState.COMPLETED, JobDraft.of("mail"));
        JobId queued = in(JobState.QUEUED, JobDraft.of("fax"));
        JobId dead = in(JobState.FAILED, JobDraft.of("mail"));
        JobId cancelled = in(JobState.CANCELLED, JobDraft.of("mail"));
        JobId running = in(JobState.RUNNING, JobDraft.of("mail"));

        assertThat(list(JobQuery.all())).containsExactly(running, cancelled, dead, queued, completed);
        assertThat(store.list(JobQuery.all())).allSatisfy(job -> assertThat(job(job.id())).isEqualTo(job));
    }

    @Test
    void filtersByState() {
        Map<JobState, JobId> ids = new EnumMap<>(JobState.class);
        for (JobState state : JobState.values()) {
            if (state != JobState.WAITING) {
                ids.put(state, in(state, JobDraft.of(state.name())));
            }
        }

        ids.forEach((state, id) -> assertThat(list(JobQuery.all().states(state))).containsExactly(id));
        assertThat(list(JobQuery.all().states(JobState.FAILED, JobState.QUEUED)))
                .containsExactlyInAnyOrderElementsOf(List.of(ids.get(JobState.FAILED), ids.get(JobState.QUEUED)));
        assertThat(list(JobQuery.deadLetters())).containsExactly(ids.get(JobState.FAILED));
        assertThat(list(JobQuery.all().states(JobState.WAITING))).isEmpty();
    }

    @Test
    void listsOnlyJobsThatMatchEveryFilter() {
        JobId parent = insert(JobDraft.of("batch"));
        JobId all = insert(JobDraft.of("mail").queue("q").subject("s").tags("a", "b").parent(parent));
        JobId type = insert(JobDraft.of("mail"));
        JobId queue = insert(JobDraft.of("fax").queue("q"));
        JobId subject = insert(JobDraft.of("fax").subject("s"));
        JobId tag = insert(JobDraft.of("fax").tags("b", "bb"));
        JobId child = insert(JobDraft.of("fax").parent(parent));

        assertThat(list(JobQuery.all().type("mail"))).containsExactly(type, all);
        assertThat(list(JobQuery.all().queue("q"))).containsExactly(queue, all);
        assertThat(list(JobQuery.all().subject("s"))).containsExactly(subject, all);
        assertThat(list(JobQuery.all().tag("b"))).containsExactly(tag, all);
        assertThat(list(JobQuery.all().tag("a"))).containsExactly(all);
        assertThat(list(JobQuery.all().parent(parent))).containsExactly(child, all);
        assertThat(list(
                JobQuery.all().type("mail").queue("q").subject("s").tag("a").parent(parent).states(JobState.QUEUED)))
                .containsExactly(all);
        assertThat(list(JobQuery.all().type("mail").tag("bb"))).isEmpty();
    }

    @Test
    void filtersByIdPrefix() {
        JobId first = insert(JobDraft.of("mail").id(JobId.of("01900000-0000-7000-8000-00000000ab00")));
        JobId second = completed(JobDraft.of("fax").id(JobId.of("01900000-0000-7000-8000-00000000abff")), at(2));
        JobId other = insert(JobDraft.of("mail").id(JobId.of("01900000-0000-7000-8000-00000000ac00")));

        assertThat(list(startingWith("01900000-0000-7000-8000-00000000ab"))).containsExactly(second, first);
        assertThat(list(startingWith("01900000000070008"))).hasSize(3);
        assertThat(list(startingWith("01900000-0000-7000-8000-00000000ab").states(JobState.COMPLETED)))
                .containsExactly(second);
        assertThat(list(startingWith(other.toString().toUpperCase(Locale.ROOT)))).containsExactly(other);
        assertThat(list(startingWith("018"))).isEmpty();
    }

    private static JobQuery startingWith(String prefix) {
        return JobQuery.all().ids(IdRange.startingWith(prefix));
    }

    @Test
    void filtersEndedJobsLikeLiveOnes() {
        JobId all = completed(JobDraft.of("mail").queue("q").subject("s").tags("a"), at(2));
        completed(JobDraft.of("fax"), at(2));

        assertThat(list(JobQuery.all().type("mail"))).containsExactly(all);
        assertThat(list(JobQuery.all().queue("q"))).containsExactly(all);
        assertThat(list(JobQuery.all().subject("s"))).containsExactly(all);
        assertThat(list(JobQuery.all().tag("a"))).containsExactly(all);
    }

    @Test
    void pagesThroughAList() {
        for (int i = 0; i < 5; i++) {
            in(i % 2 == 0 ? JobState.COMPLETED : JobState.QUEUED, JobDraft.of("mail" + i));
        }
        List<Job> jobs = store.list(JobQuery.all());

        assertThat(store.list(JobQuery.all().limit(2))).isEqualTo(jobs.subList(0, 2));
        assertThat(store.list(JobQuery.all().limit(2).before(jobs.get(1).seq()))).isEqualTo(jobs.subList(2, 4));
        assertThat(store.list(JobQuery.all().limit(2).before(jobs.get(3).seq()))).isEqualTo(jobs.subList(4, 5));
        assertThat(store.list(JobQuery.all().before(jobs.get(4).seq()))).isEmpty();
    }

    @Test
    void listsAttemptsAndHistoryInOrder() {
        JobDraft draft = JobDraft.of("mail");
        JobId id = insert(draft);
        store.execute(pause(id));
        store.execute(new AdminCommand.Resume(id, ACTOR, at(6)));
        Fence first = start(claimAgain(id, at(7)));
        applied(ended(first, Attempt.End.TIMED_OUT, retry(at(20), "Retry 1/2"), at(8)));
        applied(new Change.Released(claimAgain(id, at(20)), "closing", at(21)));
        applied(ended(start(claimAgain(id, at(22))), Attempt.End.COMPLETED, new Transition.Complete("1"), at(23)));

        JobDetails story = story(id);

        assertThat(story.job()).isEqualTo(job(id));
        assertThat(story.attempts()).extracting(Attempt::number).as("the released claim leaves a gap")
                .containsExactly(1, 3);
        assertThat(story.history()).extracting(entry -> entry.from() + ">" + entry.to())
                .containsExactly("QUEUED>PAUSED", "PAUSED>QUEUED", "RUNNING>SCHEDULED", "ASSIGNED>QUEUED");
    }

    @Test
    void countsLiveJobsByQueueTypeAndState() {
        insert(JobDraft.of("mail"));
        insert(JobDraft.of("mail"));
        insert(JobDraft.of("mail").queue("q"));
        in(JobState.SCHEDULED, JobDraft.of("fax"));
        in(JobState.PAUSED, JobDraft.of("fax"));
        in(JobState.ASSIGNED, JobDraft.of("sms"));
        in(JobState.RUNNING, JobDraft.of("sms"));
        for (JobState ended : List.of(JobState.COMPLETED, JobState.CANCELLED, JobState.FAILED)) {
            in(ended, JobDraft.of("sms"));
        }
        store.execute(new AdminCommand.PauseQueue("slow", ACTOR, T0));

        JobCounts tally = store.countJobs();

        assertThat(tally.live()).containsExactlyInAnyOrder(new JobCounts.Line("default", "mail", JobState.QUEUED, 2),
                new JobCounts.Line("q", "mail", JobState.QUEUED, 1),
                new JobCounts.Line("default", "fax", JobState.SCHEDULED, 1),
                new JobCounts.Line("default", "fax", JobState.PAUSED, 1),
                new JobCounts.Line("default", "sms", JobState.ASSIGNED, 1),
                new JobCounts.Line("default", "sms", JobState.RUNNING, 1));
        assertThat(tally.dead()).isEqualTo(1);
        assertThat(tally.pausedQueues()).containsExactly("slow");
    }

    @Test
    void doesNotCountACancelledJobAsLiveWhileItsAttemptRuns() {
        JobDraft draft = JobDraft.of("mail");
        running(draft);
        store.execute(cancel(draft.id(), at(2)));

        assertThat(store.countJobs().live()).isEmpty();
        assertThat(store.countJobs().dead()).isZero();
    }

    @Test
    void listsTheNodeThatJoined() {
        assertThat(store.nodes()).containsExactly(record(NODE, T0, T0));
    }

    @Test
    void keepsTheJoinTimeWhenANodeRenews() {
        store.renew(new NodeRecord(NODE, at(7), at(9).plusNanos(999_999), Duration.ZERO, "[{\"id\":1}]"));

        assertThat(store.nodes()).containsExactly(new NodeRecord(NODE, T0, at(9), Duration.ZERO, "[{\"id\":1}]"));
    }

    @Test
    void keepsEverythingAcrossARestart() {
        JobDraft running = JobDraft.of("mail").tags("a").key("k");
        Fence fence = running(running);
        applied(new Change.Progressed(fence, new Progress(1, 2, "half")));
        applied(new Change.Checkpointed(fence, "7", at(1)));
        applied(new Change.StepDone(fence, "fetch", "1", at(1)));
        List<JobId> ids = List.of(running.id(), in(JobState.COMPLETED, JobDraft.of("fax")),
                in(JobState.FAILED, JobDraft.of("fax")), in(JobState.PAUSED, JobDraft.of("fax")),
                in(JobState.SCHEDULED, JobDraft.of("fax")));
        store.execute(new AdminCommand.PauseQueue("slow", ACTOR, T0));
        List<JobDetails> stories = ids.stream().map(this::story).toList();
        long lines = store.countJobs().live().size();

        restart(at(60));

        assertThat(ids.stream().map(this::story).toList()).isEqualTo(stories);
        assertThat(store.countJobs().live()).hasSize((int) lines);
        assertThat(store.countJobs().pausedQueues()).containsExactly("slow");
        assertThat(insert(JobDraft.of("mail").key("k"))).isEqualTo(running.id());
        JobDraft next = JobDraft.of("mail");
        insert(next);
        assertThat(list(JobQuery.all()).getFirst()).as("sequence numbers continue after the restart")
                .isEqualTo(next.id());
    }

    @Test
    void failsEveryCallAfterClose() {
        JobId id = insert(JobDraft.of("mail"));
        store.close();
        store.close();

        Map<String, Consumer<Store>> calls = new LinkedHashMap<>();
        calls.put("join", s -> s.join(record(NODE, T0, T0), StoreListener.none()));
        calls.put("insert", s -> s.insert(List.of(submission(JobDraft.of("mail")))));
        calls.put("claim", s -> s.claim(new ClaimRequest(NODE, T0, 1, List.of(any("mail")))));
        calls.put("apply",
                s -> s.apply(List.of(new Change.Started(new Fence(1, 1, NODE), T0, StartGuarantee.COMMITTED_FIRST))));
        calls.put("execute", s -> s.execute(pause(id)));
        calls.put("renew", s -> s.renew(record(NODE, T0, T0)));
        calls.put("recover", s -> s.recover(NODE, all(new Transition.Requeue("x"), true), T0));
        calls.put("saved", s -> s.saved(1));
        calls.put("find", s -> s.find(id));
        calls.put("list", s -> s.list(JobQuery.all()));
        calls.put("story", s -> s.details(id));
        calls.put("first failures", s -> s.firstFailures(List.of(1L)));
        calls.put("tally", Store::countJobs);
        calls.put("nodes", Store::nodes);
        calls.put("prune", s -> s.prune(Retention.standard(), T0));
        calls.forEach((name, call) -> assertThatThrownBy(() -> call.accept(store)).as(name)
                .isInstanceOf(StoreException.class).hasMessageContaining("closed")
                .extracting(e -> ((StoreException) e).kind()).isEqualTo(StoreException.Kind.CLOSED));
    }
}
