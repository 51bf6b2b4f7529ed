package dev.heddle.server;

import java.io.IOException;
import java.net.http.HttpResponse;

import dev.heddle.control.http.Problem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks that invalid requests are refused with one line that names the place and what is expected there. */
class RequestValidationTest {

    private final ServerFixture fixture = ServerFixture.open();

    @AfterEach
    void close() {
        assertThat(fixture.pool.admin().countJobs().live()).isEmpty();
        fixture.close();
    }

    private static void assertRefused(HttpResponse<String> answer, String detail) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.headers().firstValue("Content-Type")).contains(Problem.MEDIA_TYPE);
        assertThat(ServerFixture.json(answer).get("kind").stringValue()).isEqualTo("INVALID");
        assertThat(ServerFixture.json(answer).get("detail").stringValue()).contains(detail).doesNotContain("\n")
                .doesNotContain("dev.heddle").doesNotContain("java.").hasSizeLessThan(500);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    {"type":"a","prio":1}                | unknown field 'prio'; known fields: dedupe, dedupeKey, delay, headers, id, limitKeys, maxRetries
                    {"type":1}                           | type: expected text
                    {"type":true}                        | type: expected text
                    {"payload":{}}                       | type is missing
                    {"type":null}                        | type is missing
                    {"type":"a","priority":"high"}       | priority: expected a whole number
                    {"type":"a","priority":"1"}          | priority: expected a whole number
                    {"type":"a","priority":1.5}          | priority: expected a whole number
                    {"type":"a","priority":2147483648}   | priority: expected a whole number within its range
                    {"type":"a","maxRetries":-1}         | maxRetries must be at least 0: -1
                    {"type":"a","timeout":"PT0S"}        | timeout must be longer than zero: PT0S
                    {"type":"a","timeout":"P99999999D"}  | timeout must be at most 36500 days: over 100 years
                    {"type":"a","delay":"PT9223372036854775807S"} | delay must be at most 36500 days: over 100 years
                    {"type":"a","runAt":"+999999999-12-31T23:59:59Z"} | runAt must be from 1970-01-01T00:00:00Z to 2170-01-01T00:00:00Z
                    {"type":"a\\u0000"}                   | type must have 1 to 200 characters and no control characters
                    {"type":"a","headers":{"h":"\\ud800"}} | the value of header 'h' must be a string
                    {"type":"a","payload":{"n":1e1000}}  | has a number of more than 1000 digits: 1E+1000; pass it as text
                    {"type":"a","payload":1e-20000}      | has a number of more than 1000 digits
                    {"type":"a","payload":1e99999999999} | a number is out of range
                    {"type":"a","payload":3e2147483648}  | a number is out of range
                    {"type":"a","payload":{"n":1,"n":2}} | not JSON: Duplicate
                    {"type":"a","delay":"1 minute"}      | delay: expected a duration such as PT1M30S: '1 minute'
                    {"type":"a","delay":60}              | delay: expected a duration
                    {"type":"a","runAt":"tomorrow"}      | runAt: expected a time such as 2026-03-01T12:00:00Z
                    {"type":"a","runAt":1}               | runAt: expected a time
                    {"type":"a","tags":"x"}              | tags: expected an array
                    {"type":"a","tags":[1]}              | tags[0]: expected text
                    {"type":"a","tags":[null]}           | tag is missing
                    {"type":"a","type":"b"}              | not JSON
                    {"type":"a"} {}                      | expected
                    {"type":"a"                          | not JSON
                    nonsense                             | not JSON
                    [1]                                  | expected an object
                    null                                 | expected a JSON object, not null
                    "x"                                  | expected an object
                    7                                    | expected an object
                    ``                                   | the body is missing
                    """)
    void refusesAnInvalidBody(String body, String detail) {
        assertRefused(fixture.send("POST", "/api/v1/jobs", body), detail);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"jobs":[{"type":"a"},{"type":"b","x":1}]} | unknown field 'jobs[1].x'
            {"jobs":[{"type":"a"},null]}               | a job must be an object and not null
            {"jobs":{}}                                | jobs: expected an array
            {"jobs":[]}                                | from 1 to 10000 jobs: 0
            {}                                         | from 1 to 10000 jobs: 0
            [{"type":"a"}]                             | expected an object
            """)
    void refusesAnInvalidSubmissionOfManyJobs(String body, String detail) {
        assertRefused(fixture.send("POST", "/api/v1/jobs/bulk", body), detail);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /jobs?stat=QUEUED              | unknown query parameter 'stat'; known parameters: state, type, queue
            /jobs?limit=ten                | limit must be a whole number
            /jobs?limit=0                  | limit must be from 1 to 1000: 0
            /jobs?limit=1&limit=2          | 'limit' was given 2 times
            /jobs?state=BROKEN             | states are: [QUEUED, SCHEDULED
            /jobs?state=                   | states are
            /jobs?cursor=x                 | not a cursor: 'x'
            /jobs?parent=zz                | not a job id or a prefix of one: 'zz'
            /jobs/zz/output?offset=-9223372036854775808 | offset must be a whole number
            /jobs/zz/output?offset=9223372036854775808  | offset must be a whole number
            /jobs?limit=-9223372036854775808 | limit must be a whole number
            /jobs/zz                       | not a job id or a prefix of one: 'zz'
            /jobs/-1                       | not a job id or a prefix of one: '-1'
            /jobs/-                        | not a job id or a prefix of one: '-'
            /jobs/zz/logs?level=loud       | levels are: TRACE, DEBUG, INFO, WARN, ERROR
            /jobs/zz/logs?stream=log,x     | streams are: [LOG, STDOUT, STDERR, EVENT]
            /jobs/zz/logs?limit=many       | limit must be a whole number
            /jobs/zz/wait?timeout=5        | timeout must be a duration such as PT30S
            /jobs/zz/wait?timeout=-PT1S    | timeout must be a duration such as PT30S, and not negative
            /stats?verbose=true            | unknown query parameter 'verbose'; known parameters: reveal
            /events?since=5                | unknown query parameter 'since'; known parameters: kind, type, queue
            """)
    void refusesAnInvalidPathOrQuery(String path, String detail) {
        assertRefused(fixture.get("/api/v1" + path), detail);
    }

    /** The query parser drops all parameters if one has a broken escape; clients never send one. */
    @ParameterizedTest
    @ValueSource(strings = {"type=a&limit=%", "%zz=1", "state=%4"})
    void refusesABrokenEscape(String query) throws IOException {
        String answer = fixture
                .raw("GET /api/v1/jobs?" + query + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                        + fixture.server.token() + "\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400 ").contains("does not start an escape");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /dead-letters/purge | {"limit":0}           | limit must be from 1 to 1000: 0
            /dead-letters/purge | {"limits":1}          | unknown field 'limits'
            /dead-letters/retry | {"states":["GONE"]}   | states[0]: expected one of QUEUED
            /dead-letters/retry | {"states":[null]}     | states[0]: expected one of QUEUED
            /queues/pause       | {"queue":" "}         | queue must have 1 to 200 characters
            /queues/pause       | {}                    | queue is missing
            /tokens             | {"name":"x"}          | role is missing
            /tokens             | {"name":"x","role":"root"} | unknown role 'root'; roles are viewer, operator, admin
            /tokens/revoke      | {}                    | name is missing
            /jobs/01/reschedule | {"runAt":"soon"}      | runAt
            /jobs/01/cancel     | {"why":"x"}           | unknown field 'why'; known fields: reason
            /jobs/01/resume     | {"why":"x"}           | this endpoint takes no body
            /jobs/01/retry      | [                     | not JSON
            /dead-letters/01/retry | 7                  | this endpoint takes no body
            """)
    void refusesAnInvalidCommand(String path, String body, String detail) {
        assertRefused(fixture.send("POST", "/api/v1" + path, body), detail);
    }

    @ParameterizedTest
    @CsvSource({"/dead-letters/purge", "/dead-letters/retry", "/queues/pause", "/jobs/bulk"})
    void refusesACommandOnManyJobsWithoutABody(String path) {
        assertRefused(fixture.send("POST", "/api/v1" + path, null), "the body is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "1e-999999999", "9e2147483647", "123e999999"})
    void refusesALimitOfABudgetWithAHugeExponentWithoutWritingItOut(String limit) {
        HttpResponse<String> answer = fixture.send("POST", "/api/v1/budgets",
                "{\"measure\":\"usd/24h\",\"limit\":" + limit + "}");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).hasSizeLessThan(500);
    }
}
