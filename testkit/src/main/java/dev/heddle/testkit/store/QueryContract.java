package dev.heddle.testkit.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.Dedupe;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.query.JobFacts;
import dev.heddle.query.ViewStore;
import dev.heddle.schedule.Schedule;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.testkit.JobDraft;
import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The query language: what {@link JobFacts} says of a job is what the store finds, whatever the query. */
abstract class QueryContract extends StoreFixture {

    private static final List<String> ERRORS = List.of("Connection timed out", "50% of \"x_y\" are missing",
            "TIMEOUT after 5 s", "Überlauf", "permanent: no such customer");
    private static final List<JobState> CLAIMED = List.of(JobState.ASSIGNED, JobState.RUNNING, JobState.COMPLETED,
            JobState.FAILED, JobState.WAITING);

    private final Random random = new Random(11);

    QueryContract(StoreContract contract) {
        super(contract);
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private JobDraft draft(List<JobId> parents) {
        JobDraft draft = JobDraft.of(any(List.of("mail", "fax", "or"))).queue(any(List.of("default", "q", "Q 2")))
                .priority(random.nextInt(-2, 3)).createdAt(at(-random.nextInt(100_000)));
        if (random.nextBoolean()) {
            draft.subject(any(List.of("doc-1", "doc 2", "a\"b")));
        }
        if (random.nextBoolean()) {
            draft.tags(random.nextBoolean() ? new String[]{"eu"} : new String[]{"eu", "de, at"});
        }
        if (random.nextInt(3) == 0) {
            draft.headers(Map.of("trace-id", any(List.of("t1", "t2")), Schedule.NAME_HEADER, any(List.of("s1", "s2"))));
        }
        if (random.nextInt(3) == 0) {
            draft.searchable(Map.of("customer.id", any(List.of("42", "43")), "plan", any(List.of("gold", "x y"))));
        }
        if (random.nextInt(4) == 0) {
            draft.key("k" + random.nextInt(1_000_000), Dedupe.whileActive());
        }
        if (random.nextInt(4) == 0 && !parents.isEmpty()) {
            draft.parent(any(parents));
        }
        return draft;
    }

    /** Fills the store with jobs in all states; returns their ids. */
    private List<JobId> fill() {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            JobDraft draft = draft(List.of());
            ids.add(draft.id());
            JobState state = any(CLAIMED);
            if (state == JobState.FAILED) {
                fail(draft, any(ERRORS));
            } else {
                in(state, draft);
            }
        }
        for (int i = 0; i < 40; i++) {
            JobDraft draft = draft(ids);
            ids.add(draft.id());
            in(any(List.of(JobState.QUEUED, JobState.SCHEDULED, JobState.PAUSED, JobState.CANCELLED)), draft);
        }
        return store.list(JobQuery.all().limit(1_000)).stream().map(Job::id).toList();
    }

    private void fail(JobDraft draft, String message) {
        Fence fence = running(draft);
        Instant end = at(2 + random.nextInt(100));
        applied(new Change.Ended(fence, new Change.Execution(WORKER, T0, at(1), end, Attempt.End.FAILED,
                Failure.of(FailureCategory.PERMANENT, message)), new Transition.Fail("no retries left"), true));
    }

    private String condition(List<JobId> ids) {
        return switch (random.nextInt(20)) {
            case 0, 1, 2 -> "state:" + any(List.of(JobState.values())).name().toLowerCase(Locale.ROOT)
                    + any(List.of("", "", ",failed", ",queued,cancelled"));
            case 3 -> "type:" + any(List.of("mail", "fax", "or", "x", "mail,fax"));
            case 4 -> "queue:" + any(List.of("default", "q", "\"Q 2\"", "q,default"));
            case 5 -> "tag:" + any(List.of("eu", "\"de, at\"", "none"));
            case 6 -> "subject:" + any(List.of("doc-1", "\"doc 2\"", "\"a\\\"b\"", "DOC-1"));
            case 7 -> "header.trace-id:" + any(List.of("t1", "t2,t1", "t3"));
            case 8 -> "schedule:" + any(List.of("s1", "s2", "s3"));
            case 9 -> "payload.customer.id:" + any(List.of("42", "43", "44", "42,43"));
            case 10 -> "payload.plan:" + any(List.of("gold", "\"x y\""));
            case 11 -> "id:" + any(ids).toString().substring(0, 1 + random.nextInt(36)).replaceAll("-$", "");
            case 12 -> "parent:" + any(ids);
            case 13 -> "created:" + time();
            case 14 -> "ended:" + time();
            case 15 -> "started:" + time();
            case 16 -> "attempts:" + any(List.of("0", "1", ">0", "<1", "1..3", "..0"));
            case 17 -> "priority:" + any(List.of("-1", ">0", "<=1", "-2..0"));
            case 18 -> "duration:" + any(List.of(">5s", "<2s", "1s", "..1m", "10s..1h"));
            default -> any(List.of("error:timeout", "error:\"timed OUT\"", "error:50%", "error:_", "error:\"\\\"x\"",
                    "error:Über", "error:über", "reason:retries", "reason:EARLY", "node:node-1", "node:node-2"));
        };
    }

    private String time() {
        return any(List.of("<2h", ">2h", "<=1d", "2h..20h", "2026-03-01", ">=2026-03-01", "<2026-03-01",
                "2026-02-28..2026-03-01T06:00Z", ">2026-03-01T12:00:01Z", "..2026-02-28"));
    }

    private String query(List<JobId> ids, int depth) {
        int kind = depth > 3 ? 10 : random.nextInt(depth == 0 ? 10 : 6);
        return switch (kind) {
            case 0 -> "not " + query(ids, depth + 1);
            case 1 -> "(" + query(ids, depth + 1) + " or " + query(ids, depth + 1) + ")";
            case 2, 6, 7 -> query(ids, depth + 1) + " " + query(ids, depth + 1);
            default -> condition(ids);
        };
    }

    @Test
    void findsWhatTheFactsSay() {
        List<JobId> ids = fill();
        Instant now = at(600);
        List<JobFacts> facts = ids.stream().map(this::facts).toList();
        int found = 0;
        for (int i = 0; i < Torture.rounds(600, 20_000); i++) {
            String text = query(ids, 0);
            JobQuery query = JobQuery.parse(text, now).limit(1_000);
            List<JobId> expected = facts.stream().filter(each -> query.conditions().stream().allMatch(each::match))
                    .map(each -> each.job().id()).toList();

            assertThat(ids(store.list(query))).as(text).isEqualTo(expected);
            assertThat(store.count(query)).as("count of " + text).isEqualTo(expected.size());
            found += expected.size();
        }
        assertThat(found).as("the queries find something").isGreaterThan(1_000);
    }

    private JobFacts facts(JobId id) {
        JobDetails details = story(id);
        return new JobFacts(details.job(), details.job().status().node(), details.job().status().startedAt(),
                details.attempts());
    }

    @Test
    void listsPageByPageInBothDirections() {
        List<JobId> ids = IntStream.range(0, 20)
                .mapToObj(i -> insert(JobDraft.of(i % 2 == 0 ? "mail" : "fax").tags("t"))).toList();
        List<JobId> mails = IntStream.range(0, 10).mapToObj(i -> ids.get(2 * i)).toList();

        for (String text : List.of("type:mail", "type:mail tag:t", "state:queued type:mail", "type:mail created:<1d",
                "not type:fax")) {
            JobQuery query = JobQuery.parse(text, at(60)).limit(3);
            assertThat(pages(query, true)).as(text).isEqualTo(mails.reversed());
            assertThat(pages(query.after(0), false)).as(text + " oldest first").isEqualTo(mails);
        }
    }

    private List<JobId> pages(JobQuery first, boolean newestFirst) {
        List<JobId> found = new ArrayList<>();
        JobQuery next = first;
        while (true) {
            List<Job> page = store.list(next);
            found.addAll(ids(page));
            if (page.size() < first.limit()) {
                return found;
            }
            long last = page.getLast().seq();
            next = newestFirst ? next.before(last) : next.after(last);
        }
    }

    @Test
    void forgetsTheValuesOfDeletedAndReplacedJobs() {
        JobQuery query = JobQuery.parse("payload.customer.id:42", T0);
        JobId deleted = insert(JobDraft.of("mail").searchable(Map.of("customer.id", "42")));
        insert(JobDraft.of("fax").searchable(Map.of("customer.id", "42")).tags("old").key("k", Dedupe.replace()));
        assertThat(store.count(query)).isEqualTo(2);

        store.execute(new AdminCommand.Delete(deleted, ACTOR, at(1)));
        insert(JobDraft.of("fax").searchable(Map.of("customer.id", "43")).tags("new").key("k", Dedupe.replace()));

        assertThat(store.list(query)).isEmpty();
        assertThat(store.list(JobQuery.parse("payload.customer.id:43 tag:new", T0))).hasSize(1);
        assertThat(store.list(JobQuery.all().tag("old"))).isEmpty();
    }

    @Test
    void keepsSavedViews() {
        ViewStore views = capability(ViewStore.class);
        ViewStore.View late = new ViewStore.View("late", "state:failed created:<2h", ACTOR, at(1));
        ViewStore.View all = new ViewStore.View("All of \"them\"", "", ACTOR, at(2));
        views.saveView(late);
        views.saveView(all);
        assertThat(views.views()).containsExactly(all, late);

        ViewStore.View changed = new ViewStore.View("late", "state:failed", "bob", at(3));
        views.saveView(changed);
        restart(at(4));

        ViewStore kept = capability(ViewStore.class);
        assertThat(kept.views()).containsExactly(all, changed);
        assertThat(kept.removeView("late")).isTrue();
        assertThat(kept.removeView("late")).isFalse();
        assertThat(kept.views()).containsExactly(all);
    }

    @Test
    void keepsTheValuesByWhichAJobIsFound() {
        JobDraft draft = JobDraft.of("mail").searchable(Map.of("customer.id", "42"));
        insert(draft);

        assertThat(job(draft.id()).spec()).isEqualTo(draft.job().spec());
        assertThat(job(draft.id()).spec().extras().searchable()).isEqualTo(Map.of("customer.id", "42"));
    }
}
