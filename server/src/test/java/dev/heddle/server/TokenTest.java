package dev.heddle.server;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import dev.heddle.access.Actor;
import dev.heddle.access.Caller;
import dev.heddle.access.Role;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.NewTokenView;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.control.model.TokenView;
import dev.heddle.control.remote.RemoteControl;
import dev.heddle.job.HistoryEntry;
import dev.heddle.memory.MemoryStore;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Named tokens over HTTP. */
class TokenTest {

    private final ServerFixture fixture = ServerFixture.open(new MemoryStore(), settings -> settings);
    private final RemoteControl admin = RemoteControl.at(fixture.server.uri(), fixture.server.token());

    @AfterEach
    void close() {
        fixture.close();
    }

    private RemoteControl with(NewTokenView token) {
        return RemoteControl.at(fixture.server.uri(), token.secret());
    }

    private NewTokenView token(String name, Role role) {
        return admin.createToken(new TokenDraft(name, role.text(), null));
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(Kind kind, ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOfSatisfying(ControlException.class,
                e -> assertThat(e.kind()).isEqualTo(kind));
    }

    @Test
    void tellsCallersWhoTheyAre() {
        assertThat(with(token("ci", Role.VIEWER)).caller().actor()).isEqualTo("token:ci");
        assertThat(with(token("ops", Role.OPERATOR)).caller().role()).isEqualTo(Role.OPERATOR);
        assertThat(admin.caller().actor()).isEqualTo("node:token");
        assertThat(admin.as("ann").caller().actor()).isEqualTo("cli:ann");
        assertThat(admin.as("ann\r\nX: y").caller().actor()).isEqualTo("node:token");
        assertThat(with(token("eve", Role.ADMIN)).as("ann").caller().actor())
                .as("only the node's own token may say who uses it").isEqualTo("token:eve");
    }

    @Test
    void saysWhatATokenMayNotDo() {
        RemoteControl viewer = with(token("ci", Role.VIEWER));
        String job = admin.submit(List.of(JobDraft.of("idle", null))).jobs().getFirst().id();
        assertThat(viewer.job(job).job().type()).isEqualTo("idle");
        assertRefused(Kind.DENIED, () -> viewer.cancel(job, ""))
                .hasMessage("your token 'ci' is a viewer; this needs operator");
        assertRefused(Kind.DENIED, viewer::tokens).hasMessage("your token 'ci' is a viewer; this needs admin");
        assertThat(admin.job(job).job().state().isFinal()).isFalse();
    }

    @Test
    void refusesATokenAsSoonAsItIsRevoked() {
        RemoteControl ci = with(token("ci", Role.VIEWER));
        ci.stats();
        assertThat(admin.revokeToken("ci").name()).isEqualTo("ci");
        assertRefused(Kind.UNAUTHENTICATED, ci::stats).hasMessageContaining("was revoked");
        assertRefused(Kind.NOT_FOUND, () -> admin.revokeToken("ci")).hasMessageContaining("no token 'ci'");
        with(token("ci", Role.VIEWER)).stats();
        assertRefused(Kind.UNAUTHENTICATED, ci::stats);
    }

    @Test
    void refusesAnExpiredToken() {
        NewTokenView token = admin.createToken(new TokenDraft("short", "admin", Duration.ofMillis(1)));
        Awaitility.await().untilAsserted(() -> assertRefused(Kind.UNAUTHENTICATED, with(token)::stats)
                .hasMessageContaining("'short' has expired"));
        assertThat(admin.tokens()).singleElement().extracting(TokenView::expired).isEqualTo(true);
    }

    @Test
    void showsTheSecretOnceAndNeverAgain() {
        NewTokenView token = token("ci", Role.OPERATOR);
        HttpResponse<String> list = fixture.get("/api/v1/tokens");
        assertThat(token.secret()).startsWith(token.token().hint()).startsWith("heddle_").hasSize(50);
        assertThat(list.body()).contains("\"ci\"").doesNotContain(token.secret());
        assertThat(admin.tokens()).singleElement().isEqualTo(token.token());
        assertRefused(Kind.CONFLICT, () -> token("ci", Role.ADMIN)).hasMessageContaining("a token 'ci' already");
        assertRefused(Kind.INVALID, () -> admin.createToken(new TokenDraft("x", "root", null)))
                .hasMessage("unknown role 'root'; roles are viewer, operator, admin");
        assertRefused(Kind.INVALID, () -> admin.createToken(new TokenDraft("", "viewer", null)));
        assertRefused(Kind.INVALID, () -> admin.createToken(new TokenDraft("x", "viewer", Duration.ofDays(-1))));
    }

    @Test
    void letsOnlyAdminsSubmitCommandLines() {
        RemoteControl operator = with(token("ops", Role.OPERATOR));
        JobDraft run = JobDraft.of("run", ControlJson.tree("{\"command\":[\"id\"]}"));
        assertRefused(Kind.DENIED, () -> operator.submit(List.of(run)))
                .hasMessageContaining("you are an operator, and only an admin may submit them");
        assertThat(operator.submit(List.of(JobDraft.of("idle", null))).jobs()).hasSize(1);
        assertThat(admin.submit(List.of(run)).jobs()).hasSize(1);
    }

    @Test
    void tellsTheHistoryOfAJobWhoActed() {
        String job = admin.submit(List.of(JobDraft.of("idle", null))).jobs().getFirst().id();
        with(token("ops", Role.OPERATOR)).pause(job, "");
        admin.as("ann").resume(job);
        assertThat(admin.job(job).history()).extracting(HistoryEntry::actor).contains("token:ops", "cli:ann");
        assertThat(admin.job(job).history()).extracting(HistoryEntry::reason).contains("paused by token:ops");
    }

    @Test
    void notesWhenATokenWasLastUsed() {
        with(token("ci", Role.VIEWER)).stats();
        assertThat(admin.tokens()).singleElement().extracting(TokenView::usedAt).isNull();
        fixture.server.writeAccess();
        assertThat(admin.tokens()).singleElement().extracting(TokenView::usedAt).isNotNull();
    }

    @Test
    void givesABrowserTheRoleOfItsLink() {
        URI link = fixture.server.loginLink(new Caller(Actor.cli("ann"), Role.VIEWER));
        String cookie = fixture.ask("GET", link.getPath() + "?" + link.getQuery(), null).headers()
                .firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", "");
        String own = fixture.server.uri().toString();
        assertThat(fixture.ask("GET", "/api/v1/caller", null, "Cookie", cookie).body())
                .isEqualTo("{\"actor\":\"cli:ann\",\"role\":\"VIEWER\"}");
        assertThat(fixture.ask("POST", "/api/v1/drain", null, "Cookie", cookie, "Origin", own).statusCode())
                .isEqualTo(403);
        assertThat(fixture.ask("POST", "/logout", null, "Cookie", cookie).statusCode()).as("another site")
                .isEqualTo(403);
        HttpResponse<String> out = fixture.ask("POST", "/logout", null, "Cookie", cookie, "Origin", own);
        assertThat(out.statusCode()).isEqualTo(204);
        assertThat(out.headers().firstValue("Set-Cookie").orElseThrow()).contains("Max-Age=0", "HttpOnly");
        assertThat(fixture.ask("GET", "/api/v1/caller", null, "Cookie", cookie).statusCode()).isEqualTo(401);
        assertThat(fixture.drains).isEmpty();
    }
}
