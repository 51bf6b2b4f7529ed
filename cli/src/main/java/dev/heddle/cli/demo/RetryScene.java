package dev.heddle.cli.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;

/** A job fails twice and succeeds on its third attempt. */
final class RetryScene implements Scene {

    private static final JobType<String, String> FETCH = JobType.of("fetch", String.class, String.class)
            .retry(RetryPolicy.linear(2, Duration.ofMillis(100)));

    @Override
    public String title() {
        return "Retries: a flaky job succeeds on its third attempt";
    }

    @Override
    public List<Check> play(Stage stage) throws Exception {
        try (Pool pool = Pool.on(stage.store()).register(FETCH, (page, job) -> {
            if (job.attempt() < 3) {
                throw new IOException("503 from the server");
            }
            return page + " fetched";
        }).open()) {
            JobHandle<String> handle = pool.submit(FETCH, "page");
            String result = handle.await(Duration.ofSeconds(20));
            List<Attempt> attempts = pool.admin().details(handle.id()).orElseThrow().attempts();
            for (Attempt attempt : attempts) {
                stage.say("attempt " + attempt.number() + ": "
                        + (attempt.failure() == null ? result : attempt.failure().message()));
            }
            return List.of(new Check("attempts of a flaky job", "FAILED FAILED COMPLETED",
                    attempts.stream().map(attempt -> attempt.end().name()).collect(Collectors.joining(" "))));
        }
    }
}
