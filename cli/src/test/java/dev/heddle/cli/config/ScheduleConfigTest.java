package dev.heddle.cli.config;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Set;

import dev.heddle.cli.shell.CliException;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobSpec;
import dev.heddle.schedule.Missed;
import dev.heddle.schedule.Overlap;
import dev.heddle.schedule.Schedule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Schedules in the configuration file. */
class ScheduleConfigTest extends ConfigFixture {

    @Test
    void readsEveryKey() throws Exception {
        Schedule schedule = read("""
                schedules:
                  nightly:
                    cron: "0 2 * * *"
                    zone: Europe/Berlin
                    missed: catchUp(3)
                    overlap: queueOne
                    jitter: 5m
                    until: 2030-01-01T00:00:00Z
                    runs: 10
                    type: report
                    payload: {kind: sales, top: 3, deep: [true, null, 1.50]}
                    queue: reports
                    priority: 7
                    attempts: 2
                    timeout: 3m
                    tags: [b, a]
                    subject: sales
                    headers: {tenant: acme}
                """).schedules().getFirst();
        assertThat(schedule.name()).isEqualTo("nightly");
        assertThat(schedule.rule()).hasToString("0 2 * * *");
        assertThat(schedule.zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(schedule.missed()).isEqualTo(Missed.catchUp(3));
        assertThat(schedule.overlap()).isEqualTo(Overlap.QUEUE_ONE);
        assertThat(schedule.jitter()).isEqualTo(Duration.ofMinutes(5));
        assertThat(schedule.until()).contains(Instant.parse("2030-01-01T00:00:00Z"));
        assertThat(schedule.runs()).contains(10);
        JobRequest<?, ?> job = schedule.job();
        assertThat(job.payload()).hasToString("{\"kind\":\"sales\",\"top\":3,\"deep\":[true,null,1.50]}");
        JobSpec spec = job.spec("{}", Instant.EPOCH);
        assertThat(spec.type()).isEqualTo("report");
        assertThat(spec.queue()).isEqualTo("reports");
        assertThat(spec.priority()).isEqualTo(7);
        assertThat(spec.extras().maxRetries()).isEqualTo(1);
        assertThat(spec.timeout()).contains(Duration.ofMinutes(3));
        assertThat(spec.tags()).isEqualTo(Set.of("a", "b"));
        assertThat(spec.subject()).contains("sales");
        assertThat(spec.headers()).containsEntry("tenant", "acme");
    }

    @Test
    void readsAnInterval() throws Exception {
        assertThat(read("schedules: {poll: {every: 15m, type: poll}}").schedules().getFirst().rule())
                .hasToString("every 15m");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    {type: a}                              | schedules.x must have either cron
                    {cron: "@daily", every: 1m, type: a}   | schedules.x must have either cron
                    {cron: "@daily"}                       | schedules.x has no type
                    {cron: "0 0 30 2 *", type: a}          | schedules.x.cron is invalid: invalid cron expression '0 0 30 2 *': it never fires
                    {cron: "@daily", type: a, zone: Mars}  | schedules.x.zone is invalid: unknown time zone 'Mars'
                    {every: 500ms, type: a}                | schedules.x.every is invalid: interval must be at least 1 s
                    {every: 1m, type: a, missed: never}    | schedules.x.missed is invalid: unknown policy for missed runs 'never'
                    {every: 1m, type: a, overlap: two}     | schedules.x.overlap is invalid: unknown policy for overlaps 'two'
                    {every: 1m, type: a, runs: 0}          | schedules.x.runs is invalid: runs must be at least 1: 0
                    {every: 0s, type: a}                   | schedules.x.every is invalid: interval must be at least 1 s, in whole seconds: 0 ms
                    {cron: "*/0 * * * *", type: a}         | the step 0 must be from 1 to 59
                    {every: 1m, type: a, runs: -1}         | schedules.x.runs is invalid: runs must be at least 1: -1
                    {every: 1m, type: a, jitter: 2d}       | jitter must be at most 1 day: 2d
                    {every: 1m, type: run}                 | schedules.x.type is reserved
                    {every: 1m, type: a, delay: 1m}        | unknown key 'schedules.x.delay'
                    """)
    void refusesWhatCannotBeMeant(String schedule, String reason) {
        assertThatThrownBy(() -> read("workers: 2\nschedules:\n  x: " + schedule)).isInstanceOf(CliException.class)
                .hasMessageContaining("heddle.yaml:3").hasMessageContaining(reason);
    }
}
