package dev.heddle.server;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.heddle.job.JobId;
import dev.heddle.memory.MemoryStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Walks all routes without a token, with a wrong one, with that of the node and with that of a job. A new route must be
 * listed here.
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
    private static final List<String> GUARDED = """
            GET /metrics
            GET /api/v1/openapi.json
            GET /api/v1/events
            POST /api/v1/jobs
            POST /api/v1/jobs/bulk
            GET /api/v1/jobs
            GET /api/v1/jobs/{id}
            GET /api/v1/jobs/{id}/why
            GET /api/v1/jobs/{id}/tree
            GET /api/v1/jobs/{id}/logs
            GET /api/v1/jobs/{id}/conversation
            GET /api/v1/jobs/{id}/output
            GET /api/v1/jobs/{id}/wait
            POST /api/v1/jobs/{id}/cancel
            POST /api/v1/jobs/{id}/pause
            POST /api/v1/jobs/{id}/resume
            POST /api/v1/jobs/{id}/run-now
            POST /api/v1/jobs/{id}/reschedule
            POST /api/v1/jobs/{id}/retry
            DELETE /api/v1/jobs/{id}
            GET /api/v1/dead-letters
            POST /api/v1/dead-letters/retry
            POST /api/v1/dead-letters/purge
            GET /api/v1/dead-letters/{id}
            POST /api/v1/dead-letters/{id}/retry
            GET /api/v1/queues
            POST /api/v1/queues/pause
            POST /api/v1/queues/resume
            GET /api/v1/nodes
            GET /api/v1/workers
            POST /api/v1/workers
            POST /api/v1/workers/<id>/stop
            POST /api/v1/workers/<id>/drain
            GET /api/v1/workers/<id>/log
            GET /api/v1/workers/<id>
            GET /api/v1/batches
            GET /api/v1/batches/{id}
            GET /api/v1/batches/{id}/units
            POST /api/v1/batches/{id}/approve
            POST /api/v1/batches/{id}/retry
            GET /api/v1/budgets
            POST /api/v1/budgets
            GET /api/v1/limits
            POST /api/v1/limits
            POST /api/v1/limits/remove
            GET /api/v1/schedules
            POST /api/v1/schedules
            GET /api/v1/schedules/<id>/next
            POST /api/v1/schedules/<id>/pause
            POST /api/v1/schedules/<id>/resume
            POST /api/v1/schedules/<id>/reset
            POST /api/v1/schedules/<id>/trigger
            POST /api/v1/schedules/<id>/backfill
            GET /api/v1/schedules/<id>
            DELETE /api/v1/schedules/<id>
            GET /api/v1/sessions
            POST /api/v1/sessions/drop
            GET /api/v1/stats
            POST /api/v1/drain
            """.lines().toList();

    private final ServerFixture fixture = ServerFixture.open(new MemoryStore(), builder -> builder.jobTokens(
            token -> token.equals(JOB_TOKEN) ? Optional.of(ServerFixture.jobCaller(JobId.next())) : Optional.empty()));
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
                .newBuilder(URI.create(fixture.server.uri() + parts[1].replaceAll("\\{id}|<id>", "0000")))
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
                .as("the served routes; list a new one as open or guarded")
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(OPEN, List.of(LOGIN), OF_JOBS, GUARDED).flatMap(List::stream).toList());
    }

    @Test
    void refusesGuardedRoutesWithoutTheRightToken() throws Exception {
        for (String route : Stream.concat(GUARDED.stream(), OF_JOBS.stream()).toList()) {
            assertThat(status(route, null)).as("%s without a token", route).isEqualTo(401);
            assertThat(status(route, "wrong")).as("%s with a wrong token", route).isIn(401, 429);
        }
        assertThat(fixture.pool.admin().countJobs().live()).isEmpty();
        assertThat(fixture.drains).isEmpty();
    }

    @Test
    void admitsTheRightTokenEverywhere() throws Exception {
        for (String route : GUARDED) {
            assertThat(status(route, fixture.server.token())).as(route).isNotIn(401, 403, 405, 429, 500);
        }
    }

    @Test
    void keepsProcessesOfJobsToTheirOwnRoutes() throws Exception {
        for (String route : GUARDED) {
            assertThat(status(route, JOB_TOKEN)).as("%s with the token of a job", route).isEqualTo(403);
        }
        for (String route : OF_JOBS) {
            assertThat(status(route, JOB_TOKEN)).as(route).isNotIn(401, 405, 429, 500);
            assertThat(status(route, fixture.server.token())).as("%s with the token of the node", route).isEqualTo(403);
        }
        assertThat(fixture.pool.admin().countJobs().live()).isEmpty();
        assertThat(fixture.drains).isEmpty();
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
