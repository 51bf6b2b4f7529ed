package dev.heddle.control;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.BulkAction;
import dev.heddle.control.model.BulkDraft;
import dev.heddle.control.model.BulkView;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobPage;
import dev.heddle.control.model.JobView;
import dev.heddle.control.model.QueryFieldView;
import dev.heddle.control.model.SavedView;
import dev.heddle.control.model.ViewDraft;
import dev.heddle.job.JobState;
import dev.heddle.query.Field;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a {@link Control} does with queries. */
abstract class QueryControlContract extends JobControlContract {

    private List<String> find(JobFilter filter) {
        return control.jobs(filter).jobs().stream().map(JobView::id).toList();
    }

    @Test
    void findsJobsByAQuery() {
        String first = submit(JobDraft.of(IDLE, null).queue("mail").subject("ä & b"));
        String second = submit(JobDraft.of(IDLE, null).queue("mail"));
        submit(JobDraft.of(IDLE, null).queue("fax"));

        assertThat(find(JobFilter.ALL.q("queue:mail created:<1h"))).containsExactly(second, first);
        assertThat(find(JobFilter.ALL.q("subject:\"ä & b\" or queue:x").queue("mail"))).containsExactly(first);
        JobPage page = control.jobs(JobFilter.ALL.q("queue:mail").limit(1));
        assertThat(page.jobs()).extracting(JobView::id).containsExactly(second);
        assertThat(find(JobFilter.ALL.q("queue:mail").limit(1).cursor(page.next()))).containsExactly(first);
        assertThat(control.deadLetters(JobFilter.ALL.q("queue:mail")).deadLetters()).isEmpty();
    }

    @Test
    void refusesAnInvalidQueryInOneLine() {
        assertThat(assertRefused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.q("stat:failed"))))
                .hasMessage("unknown field 'stat'; did you mean 'state'? (at character 1 of the query)");
        assertRefused(Kind.INVALID, () -> control.deadLetters(JobFilter.ALL.q("error:")));
        assertRefused(Kind.INVALID, () -> control.purgeDead(JobFilter.ALL.q("(")));
    }

    private static BulkDraft bulk(BulkAction action, String q) {
        return new BulkDraft(action, q, null, null, null, null);
    }

    /** Starts a bulk operation and waits for its end. */
    private BulkView run(BulkDraft draft) {
        String id = Objects.requireNonNull(control.startBulk(draft).id());
        control.await(id, LONG);
        return control.bulk(id);
    }

    @Test
    void cancelsTheJobsOfAQuery() {
        List<String> mails = Stream.generate(() -> submit(JobDraft.of(IDLE, null).queue("mail"))).limit(450).toList();
        String fax = submit(JobDraft.of(IDLE, null).queue("fax"));
        BulkView counted = control.startBulk(
                new BulkDraft(BulkAction.CANCEL, "queue:mail state:queued", true, null, null, null));
        assertThat(counted.id()).isNull();
        assertThat(counted.total()).isEqualTo(450);
        assertThat(control.bulks()).as("a dry run leaves nothing behind").isEmpty();

        BulkView ended = run(new BulkDraft(BulkAction.CANCEL, "queue:mail state:queued", false, "typo", null, null));

        assertThat(ended.state()).isEqualTo(JobState.COMPLETED);
        assertThat(ended.total()).isEqualTo(450);
        assertThat(ended.done()).isEqualTo(450);
        assertThat(ended.failed() + ended.skipped()).isZero();
        assertThat(control.jobs(JobFilter.ALL.q("queue:mail not state:cancelled")).jobs()).isEmpty();
        assertThat(control.job(fax).job().state()).isEqualTo(JobState.QUEUED);
        assertThat(control.job(mails.getFirst()).history().getLast())
                .satisfies(entry -> assertThat(entry.actor()).isEqualTo(ended.actor()))
                .satisfies(entry -> assertThat(entry.reason()).isEqualTo("typo"));
        assertThat(control.bulks()).containsExactly(ended);
    }

    @Test
    void movesPausesAndDeletesTheJobsOfAQuery() {
        String job = submit(JobDraft.of(IDLE, null).queue("mail"));
        String running = submitRunning();

        assertThat(run(new BulkDraft(BulkAction.MOVE, "queue:mail", null, null, null, "fax")).done()).isEqualTo(1);
        assertThat(run(new BulkDraft(BulkAction.REPRIORITIZE, "queue:fax", null, null, 7, null)).done()).isEqualTo(1);
        assertThat(run(bulk(BulkAction.PAUSE, "id:" + job)).done()).isEqualTo(1);
        JobView moved = control.job(job).job();
        assertThat(moved.queue()).isEqualTo("fax");
        assertThat(moved.priority()).isEqualTo(7);
        assertThat(moved.state()).isEqualTo(JobState.PAUSED);
        assertThat(run(bulk(BulkAction.RESUME, "id:" + job)).done()).isEqualTo(1);

        BulkView deleted = run(bulk(BulkAction.DELETE, "id:" + job + " or id:" + running));
        assertThat(deleted.done()).isEqualTo(1);
        assertThat(deleted.failed()).as("a node is running it").isEqualTo(1);
        assertRefused(Kind.NOT_FOUND, () -> control.job(job));
    }

    @Test
    void refusesBulkOperationsThatMakeNoSense() {
        assertRefused(Kind.INVALID, () -> control.startBulk(bulk(BulkAction.CANCEL, " ")));
        assertRefused(Kind.INVALID, () -> control.startBulk(bulk(BulkAction.CANCEL, "stat:failed")));
        assertRefused(Kind.INVALID, () -> control.startBulk(bulk(BulkAction.MOVE, "type:mail")));
        assertRefused(Kind.INVALID,
                () -> control.startBulk(new BulkDraft(BulkAction.PAUSE, "type:mail", null, null, 7, null)));
        assertRefused(Kind.INVALID, () -> control.startBulk(new BulkDraft(null, "type:mail", null, null, null, null)));
        assertRefused(Kind.NOT_FOUND, () -> control.bulk(submit(JobDraft.of(IDLE, null))));
    }

    @Test
    void keepsSavedViews() {
        SavedView saved = control.saveView(new ViewDraft("late / ü", "state:failed created:<2h"));
        control.saveView(new ViewDraft("all", ""));

        assertThat(control.views()).extracting(SavedView::name).containsExactly("all", "late / ü");
        assertThat(control.views()).contains(saved);
        assertThat(control.removeView("late / ü")).isEqualTo(saved);
        assertRefused(Kind.NOT_FOUND, () -> control.removeView("late / ü"));
        assertRefused(Kind.INVALID, () -> control.saveView(new ViewDraft("x", "stat:failed")));
    }

    @Test
    void listsTheFieldsOfQueries() {
        submit(JobDraft.of(IDLE, null).queue("mail"));

        List<QueryFieldView> fields = control.queryFields();

        assertThat(fields).extracting(QueryFieldView::name).isEqualTo(Field.words());
        assertThat(field(fields, "state").values()).hasSize(JobState.values().length).contains("failed");
        assertThat(field(fields, "type").values()).contains(IDLE, "echo");
        assertThat(field(fields, "queue").values()).contains("mail");
        assertThat(field(fields, "error").indexed()).isFalse();
    }

    private static QueryFieldView field(List<QueryFieldView> fields, String name) {
        return fields.stream().filter(field -> field.name().equals(name)).findFirst().orElseThrow();
    }
}
