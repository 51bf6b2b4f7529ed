package dev.heddle.server;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.access.AuditEntry.Outcome;
import dev.heddle.access.Role;
import dev.heddle.control.Audited;
import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.http.Endpoint;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.model.AuditEntryView;
import dev.heddle.control.model.AuditFilter;
import dev.heddle.control.model.AuditPage;
import dev.heddle.control.model.BudgetDraft;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.control.remote.RemoteControl;
import dev.heddle.memory.MemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The audit log of a server. */
class AuditTest {

    private final ServerFixture fixture = ServerFixture.open(new MemoryStore(), settings -> settings
            .proxyUsers(List.of("127.0.0.1"), Map.of(Role.OPERATOR, Set.of("*"))));
    private final RemoteControl admin = RemoteControl.at(fixture.server.uri(), fixture.server.token()).as("ann");

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<AuditEntryView> log() {
        fixture.server.writeAccess();
        return admin.audit(AuditFilter.ALL).entries().reversed();
    }

    private static String line(AuditEntryView entry) {
        return entry.actor() + " " + entry.operation() + " " + entry.target() + " " + entry.count() + " "
                + entry.outcome();
    }

    /** A route that changes something and is in no operation would escape the log. */
    @Test
    void coversEveryRouteThatChangesSomething() {
        Set<String> audited = Arrays.stream(Control.class.getMethods())
                .filter(method -> method.isAnnotationPresent(Audited.class))
                .map(method -> method.getAnnotation(Audited.class).value()).collect(Collectors.toSet());
        Set<String> changing = Endpoints.all().stream()
                .filter(endpoint -> endpoint.method() != Endpoint.Method.GET && !endpoint.isForJobs())
                .map(Endpoints::operation).collect(Collectors.toSet());
        assertThat(changing).isEqualTo(audited).hasSizeGreaterThan(25);
    }

    @Test
    void recordsWhoDidWhatToWhat() {
        String job = admin.submit(List.of(JobDraft.of("idle", null))).jobs().getFirst().id();
        String ops = admin.createToken(new TokenDraft("ops", "operator", null)).secret();
        RemoteControl.at(fixture.server.uri(), ops).cancel(job.substring(0, job.length() - 1), "");
        fixture.ask("POST", "/api/v1/queues/pause", "{\"queue\":\"mail\"}", "X-Forwarded-User", "eve",
                "X-Forwarded-For", "203.0.113.5");
        admin.setBudget(new BudgetDraft(null, "usd/24h", BigDecimal.ONE));
        assertThat(log()).extracting(AuditTest::line).containsExactlyInAnyOrder(
                "cli:ann submit " + job + " 1 DONE", "cli:ann createToken ops 1 DONE",
                "token:ops cancelJob " + job + " 1 DONE", "user:eve pauseQueue mail 1 DONE",
                "cli:ann setBudget pool usd/24h 1 DONE");
        assertThat(log()).filteredOn(entry -> entry.actor().equals("user:eve")).singleElement()
                .extracting(AuditEntryView::address).isEqualTo("203.0.113.5");
        assertThat(log()).filteredOn(entry -> entry.actor().startsWith("token")).singleElement()
                .extracting(AuditEntryView::address).isEqualTo("127.0.0.1");
    }

    @Test
    void recordsWhatWasRefusedAndWhatFailed() {
        String viewer = admin.createToken(new TokenDraft("ci", "viewer", null)).secret();
        RemoteControl ci = RemoteControl.at(fixture.server.uri(), viewer);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> ci.delete("0000")).isInstanceOf(ControlException.class);
        }
        assertThatThrownBy(ci::tokens).isInstanceOf(ControlException.class);
        assertThatThrownBy(() -> admin.pause("0000", "")).isInstanceOf(ControlException.class);
        assertThat(fixture.ask("GET", "/api/v1/stats", null, "Authorization", "Bearer wrong").statusCode())
                .isEqualTo(401);
        List<AuditEntryView> log = log();
        assertThat(log).extracting(AuditTest::line).containsExactlyInAnyOrder("cli:ann createToken ci 1 DONE",
                "token:ci deleteJob 0000 3 REFUSED", "token:ci tokens null 1 REFUSED", "cli:ann pauseJob 0000 1 FAILED",
                "unknown:nobody login null 1 REFUSED");
        assertThat(log).filteredOn(entry -> entry.operation().equals("deleteJob")).singleElement()
                .extracting(AuditEntryView::detail).isEqualTo("your token 'ci' is a viewer; this needs operator");
        assertThat(log.toString()).doesNotContain(viewer);
    }

    @Test
    void countsSubmissionsOfOneCallerInOneEntry() {
        for (int i = 0; i < 5; i++) {
            admin.submit(List.of(JobDraft.of("idle", null), JobDraft.of("idle", null)));
        }
        assertThat(log().stream().filter(entry -> entry.operation().equals("submit"))
                .mapToLong(AuditEntryView::count).sum()).isEqualTo(10);
    }

    @Test
    void isWrittenWhenAnOperationIsAnswered() {
        admin.pauseQueue("mail");
        assertThat(admin.audit(AuditFilter.ALL).entries()).extracting(AuditEntryView::operation)
                .containsExactly("pauseQueue");
    }

    @Test
    void filtersAndPages() {
        for (int i = 0; i < 5; i++) {
            admin.pauseQueue("q" + i);
            admin.resumeQueue("q" + i);
        }
        AuditFilter pauses = new AuditFilter("ann", "pauseQueue", null, "done", null, null, null, null);
        AuditPage first = admin.audit(pauses.page(null, 3));
        AuditPage second = admin.audit(pauses.page(first.next(), 3));
        assertThat(first.entries()).extracting(AuditEntryView::target).containsExactly("q4", "q3", "q2");
        assertThat(second.entries()).extracting(AuditEntryView::target).containsExactly("q1", "q0");
        assertThat(second.next()).isNull();
        assertThat(admin.audit(new AuditFilter(null, null, "q2", null, null, null, null, null)).entries()).hasSize(2);
        assertThat(admin.audit(new AuditFilter("token:ann", null, null, null, null, null, null, null)).entries())
                .isEmpty();
        assertThat(first.entries().getFirst().outcome()).isEqualTo(Outcome.DONE);
        assertThat(fixture.get("/api/v1/audit?from=soon").body()).contains("from must be a time such as");
        assertThat(fixture.get("/api/v1/audit?outcome=good").body()).contains("outcomes are done, refused, failed");
        assertThat(fixture.get("/api/v1/audit?cursor=x").body()).contains("not a cursor");
    }
}
