package dev.heddle.testkit.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.LimitKey;
import dev.heddle.job.Transition;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.StoreListener;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Rates per key: in no window do more jobs start than the rate admits, whatever happens to nodes and jobs. */
abstract class RateStoreContract extends StoreFixture {

    private static final String RATE = "customer";

    RateStoreContract(StoreContract contract) {
        super(contract);
    }

    @Test
    void neverStartsMoreInAnyWindowThanTheBurstAndTheRateAndLosesNoJob() {
        for (int seed = 1; seed <= 4; seed++) {
            new RandomRun(seed).play();
        }
    }

    private final class RandomRun {
        private final int seed;
        private final Random random;
        private final Duration interval;
        private final int burst;
        private final List<Fence> held = new ArrayList<>();
        private final List<JobId> all = new ArrayList<>();
        /** Of the attempts whose handlers have started or may have. */
        private final Map<Fence, Start> starts = new HashMap<>();
        private int restarts;

        private record Start(Instant time, LimitKey key) {}

        RandomRun(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.interval = Duration.ofMillis(random.nextInt(100, 3_000));
            this.burst = random.nextInt(1, 8);
        }

        void play() {
            capability(LimitStore.class).setLimit(Limit.named(RATE).rate(1, interval).burst(burst));
            for (int i = 0; i < 200; i++) {
                step();
            }
            for (int round = 0; round < 1_000 && !isDone(); round++) {
                clock.advance(interval.multipliedBy(random.nextInt(1, burst + 2)));
                claimSome();
                List.copyOf(held).forEach(this::complete);
            }
            assertThat(all).as("seed %d: jobs that do not end", seed).allMatch(id -> job(id).state().isFinal());
            List.of("a", "b").forEach(this::check);
        }

        private boolean isDone() {
            return all.stream().allMatch(id -> job(id).state().isFinal());
        }

        private void step() {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> all.add(insert(JobDraft.of("mail").limit(RATE, random.nextBoolean() ? "a" : "b",
                        random.nextInt(4) > 0 ? 1 : random.nextInt(1, burst + 1))));
                case 3, 4, 5 -> claimSome();
                case 6 -> List.copyOf(held).stream().limit(2).forEach(this::complete);
                case 7 -> List.copyOf(held).stream().limit(1).forEach(this::fail);
                case 8 -> List.copyOf(held).stream().limit(3).forEach(this::release);
                case 9 -> clock.advance(interval.multipliedBy(random.nextInt(burst * 2)));
                case 10 -> clock.advance(interval.dividedBy(random.nextInt(1, 10)));
                default -> restartSometimes();
            }
        }

        private void claimSome() {
            claim(clock.instant(), random.nextInt(1, 20), any("mail"), suspects("mail")).claims().forEach(claim -> {
                held.add(claim.fence());
                starts.put(claim.fence(),
                        new Start(clock.instant(), claim.job().spec().limits().getFirst()));
            });
        }

        private void complete(Fence fence) {
            held.remove(fence);
            applied(completion(fence));
        }

        private void fail(Fence fence) {
            held.remove(fence);
            applied(ended(fence, Attempt.End.FAILED, new Transition.Retry(interval, "again")));
        }

        private void release(Fence fence) {
            held.remove(fence);
            starts.remove(fence);
            applied(new Change.Released(fence, "closing", clock.instant()));
        }

        /** What a dead node had claimed counts as started. */
        private void restartSometimes() {
            if (random.nextInt(3) == 0) {
                held.clear();
                String next = "node-of-%d-%d".formatted(seed, ++restarts);
                restartAs(next, clock.instant(), StoreListener.none());
                store.recover(next, all(new Transition.Requeue("node died"), false), clock.instant());
            }
        }

        private void check(String key) {
            List<Start> ofKey = starts.values().stream().filter(start -> start.key.key().equals(key))
                    .sorted((one, other) -> one.time.compareTo(other.time)).toList();
            assertThat(ofKey).hasSizeGreaterThan(burst);
            for (int from = 0; from < ofKey.size(); from++) {
                int weight = 0;
                for (Start start : ofKey.subList(from, ofKey.size())) {
                    weight += start.key.weight();
                    Duration window = Duration.between(requireNonNull(ofKey.get(from)).time, start.time);
                    assertThat(weight).as("seed %d: starts of %s in %s, burst %d, one in %s", seed, key, window, burst,
                            interval).isLessThanOrEqualTo(burst + (int) window.dividedBy(interval));
                }
            }
        }
    }
}
