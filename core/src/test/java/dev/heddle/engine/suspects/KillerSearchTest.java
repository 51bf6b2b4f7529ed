package dev.heddle.engine.suspects;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import dev.heddle.engine.suspects.SimulatedPool.Life;
import dev.heddle.pool.Staging;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The search for jobs that kill their node, on random pools in simulated time. */
class KillerSearchTest {

    private static final int MAX_CRASHES = 3;

    static IntStream seeds() {
        return IntStream.range(0, 400);
    }

    private static Staging staging(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> Staging.none();
            case 1 -> Staging.standard();
            default -> new Staging(1 + random.nextInt(5), random.nextInt(5), Duration.ofMillis(random.nextInt(5_000)),
                    Duration.ofSeconds(random.nextInt(600)));
        };
    }

    /** Mostly short, sometimes up to two hours. */
    private static Duration length(Random random) {
        return Duration.ofMillis((long) Math.pow(10, 1 + 5.85 * random.nextDouble()));
    }

    private static int log2(int number) {
        return 32 - Integer.numberOfLeadingZeros(number - 1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void findsOneKillerWithinTheBoundAndDeadLettersNobodyElse(int seed) {
        Random random = new Random(seed);
        int jobs = 1 + random.nextInt(120);
        int workers = 1 + random.nextInt(140);
        SimulatedPool pool = new SimulatedPool(workers, MAX_CRASHES, staging(random), random);
        int killer = random.nextInt(jobs);
        for (int i = 0; i < jobs; i++) {
            pool.submit(
                    i == killer ? Life.killer(Duration.ofMillis(random.nextInt(300_000))) : Life.of(length(random)));
        }

        pool.run();

        assertThat(pool.deadLetters()).as("seed %s", seed).containsExactly(killer);
        assertThat(pool.completed()).as("seed %s", seed).hasSize(jobs - 1);
        int candidates = Math.min(jobs, workers);
        assertThat(pool.deaths()).as("seed %s, %s candidates", seed, candidates)
                .isLessThanOrEqualTo(1 + log2(candidates) + MAX_CRASHES);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void findsSeveralKillersAndDeadLettersNobodyElse(int seed) {
        Random random = new Random(seed);
        int jobs = 2 + random.nextInt(60);
        SimulatedPool pool = new SimulatedPool(1 + random.nextInt(40), 1 + random.nextInt(4), staging(random), random);
        List<Integer> killers = IntStream.range(0, jobs).filter(_ -> random.nextInt(6) == 0).boxed().toList();
        for (int i = 0; i < jobs; i++) {
            // One that first runs among suspects has the shortest probation.
            pool.submit(killers.contains(i) ? Life.killer(Duration.ofMillis(random.nextInt(10_000)))
                    : Life.of(length(random)));
        }

        pool.run();

        assertThat(pool.deadLetters()).as("seed %s", seed).containsExactlyElementsOf(killers);
        assertThat(pool.completed()).as("seed %s", seed).hasSize(jobs - killers.size());
    }

    /** Its first three probations are too short. Then it is among the suspects for as long as it takes. */
    @Test
    void findsAJobThatKillsItsNodeAfterAnHour() {
        SimulatedPool pool = new SimulatedPool(20, MAX_CRASHES, Staging.none(), new Random(1));
        for (int i = 0; i < 12; i++) {
            pool.submit(i == 7 ? Life.killer(Duration.ofHours(1)) : Life.of(Duration.ofHours(3)));
        }

        pool.run();

        assertThat(pool.deadLetters()).containsExactly(7);
        assertThat(pool.completed()).hasSize(11);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void delaysNothingBeyondItsStageUnlessTheNodeDiesAgain(int seed) {
        Random random = new Random(seed);
        int jobs = 1 + random.nextInt(100);
        SimulatedPool pool = new SimulatedPool(jobs, MAX_CRASHES, staging(random), random);
        for (int i = 0; i < jobs; i++) {
            pool.submit(Life.of(Duration.ofMinutes(1).plus(length(random))));
        }
        pool.killAt(Duration.ofMillis(random.nextInt(60_000)));

        pool.run();

        assertThat(pool.completed()).as("seed %s", seed).hasSize(jobs);
        assertThat(pool.delaysBeyondStage()).as("seed %s", seed).allMatch(Duration::isZero);
    }

    /** Kills from outside can blame a lone innocent job, but they must not keep the others from running. */
    @ParameterizedTest
    @MethodSource("seeds")
    void starvesNobodyHoweverOftenTheNodeIsKilled(int seed) {
        Random random = new Random(seed);
        int jobs = 1 + random.nextInt(60);
        SimulatedPool pool = new SimulatedPool(1 + random.nextInt(20), 1_000, staging(random), random);
        for (int i = 0; i < jobs; i++) {
            pool.submit(Life.of(length(random)));
        }
        Duration at = Duration.ZERO;
        for (int i = 0; i < 20; i++) {
            at = at.plusMillis(random.nextInt(600_000));
            pool.killAt(at);
        }

        pool.run();

        assertThat(pool.completed()).as("seed %s", seed).hasSize(jobs);
    }
}
