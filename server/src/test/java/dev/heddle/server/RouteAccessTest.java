package dev.heddle.server;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.access.Role;
import dev.heddle.control.local.LocalControl;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.job.JobId;
import dev.heddle.memory.MemoryStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Walks all routes without a token, with a wrong one, with one of each role, with that of the node and with that of a
 * job. A new route must be listed here, with the least role that may use it.
 */
class RouteAccessTest {

    /** Routes that answer without a token. */
    private static final List<String> OPEN = List.of("GET /healthz", "GET /readyz");
    /** Needs a code instead of a token. */
    private static final String LOGIN = "GET /login";
    /** For the processes of jobs, with the token of their job. */
    private static final List<String> OF_JOBS = List.of("GET /api/v1/job", "POST /api/v1/job/progress",
            "POST /api/v1/job/children");
    private static final String JOB_TOKEN = "hjt_of-a-job";
    /** Every other route, with the least role that may use it. */
    private static final Map<String, Role> GUARDED = roles("""
            viewer   GET /metrics
            viewer   GET /api/v1/openapi.json
            viewer   GET /api/v1/events
            operator POST /api/v1/jobs
            operator POST /api/v1/jobs/bulk
            viewer   GET /api/v1/query-fields
            viewer   GET /api/v1/bulk
            operator POST /api/v1/bulk
            viewer   GET /api/v1/bulk/{id}
            operator POST /api/v1/bulk/{id}/cancel
            viewer   GET /api/v1/views
            operator POST /api/v1/views
            operator DELETE /api/v1/views/<id>
            viewer   GET /api/v1/jobs
            viewer   GET /api/v1/jobs/{id}
            viewer   GET /api/v1/jobs/{id}/why
            viewer   GET /api/v1/jobs/{id}/tree
            viewer   GET /api/v1/jobs/{id}/logs
            viewer   GET /api/v1/jobs/{id}/conversation
            viewer   GET /api/v1/jobs/{id}/diff
            viewer   GET /api/v1/jobs/{id}/output
            viewer   GET /api/v1/jobs/{id}/artifacts
            viewer   GET /api/v1/jobs/{id}/artifacts/<name>
            viewer   GET /api/v1/jobs/{id}/wait
            operator POST /api/v1/jobs/{id}/cancel
            operator POST /api/v1/jobs/{id}/pause
            operator POST /api/v1/jobs/{id}/resume
            operator POST /api/v1/jobs/{id}/run-now
            operator POST /api/v1/jobs/{id}/reschedule
            operator POST /api/v1/jobs/{id}/retry
            operator POST /api/v1/jobs/{id}/resubmit
            operator POST /api/v1/jobs/{id}/continue
            operator DELETE /api/v1/jobs/{id}
            viewer   GET /api/v1/dead-letters
            operator POST /api/v1/dead-letters/retry
            operator POST /api/v1/dead-letters/purge
            viewer   GET /api/v1/dead-letters/{id}
            operator POST /api/v1/dead-letters/{id}/retry
            viewer   GET /api/v1/queues
            operator POST /api/v1/queues/pause
            operator POST /api/v1/queues/resume
            viewer   GET /api/v1/nodes
            viewer   GET /api/v1/nodes/differences
            viewer   GET /api/v1/nodes/<id>
            viewer   GET /api/v1/workers
            admin    POST /api/v1/workers
            admin    POST /api/v1/workers/<id>/stop
            admin    POST /api/v1/workers/<id>/drain
            viewer   GET /api/v1/workers/<id>/log
            viewer   GET /api/v1/workers/<id>
            viewer   GET /api/v1/batches
            viewer   GET /api/v1/batches/{id}
            viewer   GET /api/v1/batches/{id}/units
            operator POST /api/v1/batches/{id}/approve
            operator POST /api/v1/batches/{id}/retry
            viewer   GET /api/v1/budgets
            admin    POST /api/v1/budgets
            admin    POST /api/v1/budgets/remove
            viewer   GET /api/v1/limits
            admin    POST /api/v1/limits
            admin    POST /api/v1/limits/remove
            viewer   GET /api/v1/schedules
            admin    POST /api/v1/schedules
            viewer   GET /api/v1/schedules/<id>/next
            operator POST /api/v1/schedules/<id>/pause
            operator POST /api/v1/schedules/<id>/resume
            admin    POST /api/v1/schedules/<id>/reset
            operator POST /api/v1/schedules/<id>/trigger
            operator POST /api/v1/schedules/<id>/backfill
            viewer   GET /api/v1/schedules/<id>
            admin    DELETE /api/v1/schedules/<id>
            viewer   GET /api/v1/sessions
            operator POST /api/v1/sessions/drop
            viewer   GET /api/v1/short-ids
            viewer   GET /api/v1/stats
            viewer   GET /api/v1/stats/series
            viewer   GET /api/v1/errors
            viewer   GET /api/v1/errors/{id}
            operator POST /api/v1/errors/{id}
            operator POST /api/v1/errors/{id}/retry
            operator POST /api/v1/errors/{id}/purge
            admin    POST /api/v1/drain
            viewer   GET /api/v1/caller
            admin    GET /api/v1/tokens
            admin    POST /api/v1/tokens
            admin    POST /api/v1/tokens/revoke
            admin    GET /api/v1/audit
            viewer   POST /logout
            """);

    private static Map<String, Role> roles(String table) {
        return table.lines().map(line -> line.split(" +", 2)).collect(Collectors.toMap(parts -> parts[1],
                parts -> Role.parse(parts[0]), (one, _) -> one, LinkedHashMap::new));
    }

    private final ServerFixture fixture = ServerFixture.open(new MemoryStore(), builder -> builder.jobTokens(
            token -> token.equals(JOB_TOKEN) ? Optional.of(ServerFixture.jobCaller(JobId.next())) : Optional.empty()));
    private final LocalControl control = LocalControl.on(fixture.pool);
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        http.shutdownNow();
        fixture.close();
    }

    /** Returns the status of a route, without reading the body: that of the events does not end. */
    private int status(String route, @Nullable String token) throws Exception {
        String[] parts = route.split(" ", 2);
        HttpRequest.Builder request = HttpRequest
                .newBuilder(URI.create(fixture.server.uri() + parts[1].replaceAll("\\{id}|<id>|<name>", "0000")))
                .method(parts[0], parts[0].equals("POST") ? BodyPublishers.ofString("{}") : BodyPublishers.noBody())
                .header("Content-Type", "application/json");
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<InputStream> answer = http.send(request.build(), BodyHandlers.ofInputStream());
        answer.body().close();
        return answer.statusCode();
    }

    @Test
    void knowsEveryRoute() {
        assertThat(fixture.server.endpoints())
                .as("the served routes; list a new one as open, or with the least role that may use it")
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(OPEN, List.of(LOGIN), OF_JOBS, GUARDED.keySet()).flatMap(Collection::stream)
                                .toList());
    }

    @Test
    void refusesGuardedRoutesWithoutTheRightToken() throws Exception {
        for (String route : Stream.concat(GUARDED.keySet().stream(), OF_JOBS.stream()).toList()) {
            assertThat(status(route, null)).as("%s without a token", route).isEqualTo(401);
            assertThat(status(route, "wrong")).as("%s with a wrong token", route).isIn(401, 429);
        }
        assertNothingHappened();
    }

    @Test
    void admitsTheTokenOfTheNodeEverywhere() throws Exception {
        for (String route : GUARDED.keySet()) {
            assertThat(status(route, fixture.server.token())).as(route).isNotIn(401, 403, 405, 429, 500);
        }
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void admitsEachRoleToTheRoutesThatItMayUse(Role role) throws Exception {
        String token = control.createToken(new TokenDraft("of a " + role, role.text(), null)).secret();
        for (Map.Entry<String, Role> route : GUARDED.entrySet()) {
            int status = status(route.getKey(), token);
            if (role.includes(route.getValue())) {
                assertThat(status).as("%s as %s", route, role).isNotIn(401, 403, 405, 429, 500);
            } else {
                assertThat(status).as("%s as %s", route, role).isEqualTo(403);
            }
        }
        for (String route : OF_JOBS) {
            assertThat(status(route, token)).as("%s as %s", route, role).isEqualTo(403);
        }
        if (role != Role.ADMIN) {
            assertThat(fixture.drains).isEmpty();
            assertThat(control.budgets()).isEmpty();
            assertThat(control.tokens()).hasSize(1);
        }
    }

    @Test
    void keepsProcessesOfJobsToTheirOwnRoutes() throws Exception {
        for (String route : GUARDED.keySet()) {
            assertThat(status(route, JOB_TOKEN)).as("%s with the token of a job", route).isEqualTo(403);
        }
        for (String route : OF_JOBS) {
            assertThat(status(route, JOB_TOKEN)).as(route).isNotIn(401, 405, 429, 500);
            assertThat(status(route, fixture.server.token())).as("%s with the token of the node", route).isEqualTo(403);
        }
        assertNothingHappened();
    }

    private void assertNothingHappened() {
        assertThat(fixture.pool.admin().countJobs().live()).isEmpty();
        assertThat(fixture.drains).isEmpty();
        assertThat(control.tokens()).isEmpty();
    }

    @Test
    void answersOpenRoutesToEverybody() throws Exception {
        for (String route : OPEN) {
            assertThat(status(route, null)).as(route).isEqualTo(200);
            assertThat(status(route, "wrong")).as(route).isEqualTo(200);
            assertThat(status(route, fixture.server.token())).as(route).isEqualTo(200);
        }
        assertThat(status(LOGIN, null)).isEqualTo(401);
        assertThat(status(LOGIN, fixture.server.token())).as("a token is not a code").isEqualTo(401);
    }
}
