package dev.heddle.postgres;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.postgres.FaultHandlers.Done;
import dev.heddle.postgres.FaultHandlers.Work;
import dev.heddle.postgres.FaultLog.Kind;
import dev.heddle.postgres.FaultLog.Line;
import dev.heddle.store.StoreException;

/**
 * A node of a {@link FaultTest} that creates its own load. It follows the words on its standard input, and exits when
 * the input ends, so it never outlives the test.
 */
final class FaultNode {

    static final Duration LEASE = Duration.ofSeconds(4);
    static final String QUIET = "quiet";
    static final String FRESH = "fresh";
    static final String CLOSE = "close";

    private static final Duration RENEW_EVERY = Duration.ofSeconds(1);
    private static final int WORKERS = 6;
    private static final int FRESH_JOBS = 20;

    private final FaultLog log;
    private final FaultHandlers handlers;
    private final Pool pool;
    private final List<Thread> submitters = new ArrayList<>();
    private volatile boolean loading = true;

    private FaultNode(FaultLog log, FaultHandlers handlers, Pool pool) {
        this.log = log;
        this.handlers = handlers;
        this.pool = pool;
    }

    /** Arguments: JDBC URL, log file, seed. */
    public static void main(String[] args) throws Exception {
        System.setProperty("logback.configurationFile", "fault-node.xml");
        try (FaultLog log = FaultLog.open(Path.of(args[1]))) {
            FaultHandlers handlers = new FaultHandlers(log);
            try (Pool pool = open(args[0], handlers)) {
                FaultNode node = new FaultNode(log, handlers, pool);
                node.load(new Random(Long.parseLong(args[2])));
                node.followInput();
            }
        }
    }

    /** Tries until the pool is open, as the supervisor of a service would, because the server may go away meanwhile. */
    private static Pool open(String url, FaultHandlers handlers) {
        while (true) {
            try {
                return handlers.addTo(Pool.on(PostgresStore.at(url))).workers(WORKERS).lease(LEASE)
                        .renewEvery(RENEW_EVERY).cancelGrace(Duration.ofMillis(200), Duration.ofMillis(300))
                        .maxCrashes(1_000).retry(RetryPolicy.linear(20, Duration.ofMillis(20))).open();
            } catch (StoreException e) {
                System.out.println("cannot open yet: " + e.getMessage());
            }
        }
    }

    private void load(Random random) {
        for (int i = 0; i < 2; i++) {
            long seed = random.nextLong();
            submitters.add(Thread.ofPlatform().daemon().start(() -> submit(new Random(seed))));
        }
    }

    private void submit(Random random) {
        try {
            while (loading) {
                JobRequest<Work, Done> request = draw(random).with(new Work(random.nextInt(50)))
                        .priority(random.nextInt(3));
                submit(random.nextInt(5) > 0 ? request : request.dedupeKey("key" + random.nextInt(3)));
                TimeUnit.MILLISECONDS.sleep(random.nextInt(30, 200));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static JobType<Work, Done> draw(Random random) {
        int lot = random.nextInt(100);
        return lot < 1 ? FaultHandlers.LONG
                : lot < 2 ? FaultHandlers.STUBBORN : lot < 5 ? FaultHandlers.DOOMED : lot < 16 ? FaultHandlers.CAREFUL
                        : lot < 32 ? FaultHandlers.FLAKY : lot < 65 ? FaultHandlers.STEPS : FaultHandlers.SHORT;
    }

    /** Repeats the same request until it is accepted. If only the answer was lost, that is the same job. */
    private void submit(JobRequest<Work, Done> request) throws InterruptedException {
        while (true) {
            try {
                JobId id = pool.submit(request).id();
                log.write(new Line(Kind.ACK, id.toString(), 0, pool.admin().nodeId(), request.type().name()));
                return;
            } catch (StoreException e) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    /** Follows the words on the input, and repeats each when it is done. */
    private void followInput() throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String word = input.readLine(); !CLOSE.equals(word); word = input.readLine()) {
            switch (word) {
                case QUIET -> stopLoad();
                case FRESH -> submitFresh();
                // The test has ended.
                case null, default -> Runtime.getRuntime().halt(1);
            }
            System.out.println(word);
        }
    }

    private void stopLoad() throws InterruptedException {
        loading = false;
        for (Thread submitter : submitters) {
            submitter.join();
        }
    }

    /** Submits jobs until this node has run some: while it is delayed, the other nodes may run all of them. */
    private void submitFresh() throws InterruptedException {
        submit(FaultHandlers.FRESH.with(new Work((int) FaultHandlers.LONG_TIME.toMillis())));
        do {
            for (int i = 0; i < FRESH_JOBS; i++) {
                submit(FaultHandlers.FRESH.with(new Work(100)));
            }
        } while (!handlers.ranFresh(Duration.ofSeconds(1)));
    }
}
