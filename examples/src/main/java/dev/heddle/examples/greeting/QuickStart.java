package dev.heddle.examples.greeting;

import java.nio.file.Path;
import java.time.Duration;

import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;

class QuickStart {
    record Greeting(String name) {}

    static final JobType<Greeting, String> GREET = JobType.of("greet", Greeting.class, String.class);

    public static void main(String[] args) throws Exception {
        try (Pool pool = Pool.on(SqliteStore.at(Path.of("jobs.db"))) // created if it does not exist
                .workers(4)
                .register(GREET, (greeting, job) -> "Hello " + greeting.name())
                .open()) {
            JobHandle<String> ada = pool.submit(GREET, new Greeting("Ada")); // on disk when this returns
            System.out.println(ada.await(Duration.ofSeconds(30)));
        }
    }
}
