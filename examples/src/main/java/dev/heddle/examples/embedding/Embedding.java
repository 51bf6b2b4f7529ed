package dev.heddle.examples.embedding;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import dev.heddle.external.External;
import dev.heddle.external.Recycling;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolSession;
import dev.heddle.process.ProcessSettings;
import dev.heddle.process.Processes;
import dev.heddle.sqlite.SqliteStore;

/** Turns texts into vectors in Python. Jobs are durable; workers are replaced when they fail or use too much memory. */
public final class Embedding {

    /** The payload. */
    record Texts(List<String> texts) {}

    /** The result, with the number of texts that the worker has seen in the session. */
    record Vectors(List<List<Double>> vectors, int seenInSession) {}

    static final JobType<Texts, Vectors> EMBED = JobType.of("embed", Texts.class, Vectors.class)
            .timeout(Duration.ofMinutes(1));

    private Embedding() {}

    private static void run(Path home, Path script) throws Exception {
        try (Processes processes = Processes.open(ProcessSettings.in(home.resolve("processes")));
                Pool pool = Pool.on(SqliteStore.at(home.resolve("jobs.db")))
                        .with(External.of(EMBED, "python3", script.toString()).workers(2)
                                .recycle(Recycling.never().afterJobs(1000).aboveMemory(512L << 20))
                                .on(processes))
                        .open()) {
            PoolSession ada = pool.session("ada");
            for (List<String> texts : List.of(List.of("the warp", "the weft"), List.of("the heddle"))) {
                Vectors vectors = Objects
                        .requireNonNull(ada.submit(EMBED, new Texts(texts)).await(Duration.ofSeconds(30)));
                System.out.println(
                        texts.size() + " texts, " + vectors.vectors().getFirst().size() + " numbers each; "
                                + vectors.seenInSession() + " seen of ada");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        run(Path.of(args[0]), Path.of(args[1]));
    }
}
