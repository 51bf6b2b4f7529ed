package dev.heddle.dedupe;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import dev.heddle.dedupe.KeyState.KeyMemory;
import dev.heddle.dedupe.KeyState.Member;
import dev.heddle.dedupe.KeyState.Stage;
import dev.heddle.job.Dedupe;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobType;
import dev.heddle.job.SubmitEffect;
import dev.heddle.store.NewJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.heddle.job.SubmitEffect.CREATED;
import static dev.heddle.job.SubmitEffect.DEBOUNCED;
import static dev.heddle.job.SubmitEffect.REPLACED;
import static dev.heddle.job.SubmitEffect.SUCCEEDS;
import static dev.heddle.job.SubmitEffect.SUPERSEDED;
import static dev.heddle.job.SubmitEffect.UNCHANGED;
import static org.assertj.core.api.Assertions.assertThat;

/** What a submit does, for each mode and each state of its key. */
class DedupeRulesTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final JobId OLD = JobId.next();
    private static final JobId NEXT = JobId.next();
    private static final JobId NEW = JobId.next();
    private static final Dedupe WITHIN = Dedupe.within(Duration.ofHours(1));
    private static final Dedupe DEBOUNCE = Dedupe.debounce(Duration.ofSeconds(10), Duration.ofSeconds(60));

    private static NewJob job(Dedupe mode) {
        var request = JobType.of("mail", String.class, String.class).with("x").id(NEW).dedupeKey("k", mode);
        return new NewJob(request.spec("\"x\"", NOW), request.start(), NewJob.UNLIMITED);
    }

    private static Member member(JobId id, Stage stage) {
        return new Member(id, stage, null, null);
    }

    private static KeyState holder(Stage stage) {
        return new KeyState(member(OLD, stage), null, null);
    }

    private static KeyState both(Stage older) {
        return new KeyState(member(OLD, older), member(NEXT, Stage.UNCLAIMED), null);
    }

    private static KeyState remembered(@Nullable Instant until) {
        return new KeyState(null, null, new KeyMemory(NEXT, OLD, NOW, until));
    }

    private static Arguments row(Dedupe mode, KeyState key, SubmitEffect effect, JobId stands, @Nullable JobId behind,
            JobId... cancelled) {
        return Arguments.of(mode, key, effect, stands, behind, List.of(cancelled));
    }

    static Stream<Arguments> decisions() {
        Dedupe active = Dedupe.whileActive();
        Dedupe replace = Dedupe.replace();
        Dedupe supersede = Dedupe.supersede();
        return Stream.of(
                row(active, KeyState.UNUSED, CREATED, NEW, null),
                row(active, holder(Stage.UNCLAIMED), UNCHANGED, OLD, null),
                row(active, holder(Stage.STOPPING), UNCHANGED, OLD, null),
                row(active, both(Stage.HELD), UNCHANGED, NEXT, null),
                row(active, remembered(NOW.plusSeconds(1)), CREATED, NEW, null),
                row(WITHIN, KeyState.UNUSED, CREATED, NEW, null),
                row(WITHIN, holder(Stage.HELD), UNCHANGED, OLD, null),
                row(WITHIN, both(Stage.HELD), UNCHANGED, NEXT, null),
                row(WITHIN, remembered(NOW.plusMillis(1)), UNCHANGED, OLD, null),
                row(WITHIN, remembered(NOW), CREATED, NEW, null),
                row(WITHIN, remembered(null), CREATED, NEW, null),
                row(replace, KeyState.UNUSED, CREATED, NEW, null),
                row(replace, holder(Stage.UNCLAIMED), REPLACED, OLD, null),
                row(replace, holder(Stage.BEGUN), SUCCEEDS, NEW, OLD),
                row(replace, holder(Stage.HELD), SUCCEEDS, NEW, OLD),
                row(replace, holder(Stage.STOPPING), SUCCEEDS, NEW, OLD),
                row(replace, both(Stage.HELD), REPLACED, NEXT, null),
                row(replace, remembered(NOW.plusSeconds(1)), CREATED, NEW, null),
                row(DEBOUNCE, KeyState.UNUSED, CREATED, NEW, null),
                row(DEBOUNCE, holder(Stage.UNCLAIMED), DEBOUNCED, OLD, null),
                row(DEBOUNCE, holder(Stage.HELD), SUCCEEDS, NEW, OLD),
                row(DEBOUNCE, both(Stage.BEGUN), DEBOUNCED, NEXT, null),
                row(supersede, KeyState.UNUSED, CREATED, NEW, null),
                row(supersede, holder(Stage.UNCLAIMED), SUPERSEDED, NEW, null, OLD),
                row(supersede, holder(Stage.BEGUN), SUPERSEDED, NEW, null, OLD),
                row(supersede, holder(Stage.HELD), SUPERSEDED, NEW, OLD, OLD),
                row(supersede, holder(Stage.STOPPING), SUCCEEDS, NEW, OLD),
                row(supersede, both(Stage.HELD), SUPERSEDED, NEW, OLD, OLD, NEXT),
                row(supersede, both(Stage.STOPPING), SUPERSEDED, NEW, OLD, NEXT));
    }

    @ParameterizedTest
    @MethodSource("decisions")
    void decides(Dedupe mode, KeyState key, SubmitEffect effect, JobId stands, @Nullable JobId behind,
            List<JobId> cancelled) {
        KeyDecision decision = DedupeRules.decide(job(mode), key, NOW);
        assertThat(decision.effect()).isEqualTo(effect);
        assertThat(decision.job()).isEqualTo(stands);
        assertThat(decision.behind()).isEqualTo(behind);
        assertThat(decision.cancelled()).extracting(Member::id).isEqualTo(cancelled);
    }

    @ParameterizedTest
    @MethodSource("decisions")
    void aRepeatedSubmitChangesNothing(Dedupe mode, KeyState key) {
        KeyDecision first = DedupeRules.decide(job(mode), key, NOW);
        KeyState after = DedupeRules.after(first, job(mode), key);
        if (first.memory() != null) {
            KeyDecision again = DedupeRules.decide(job(mode), after, NOW.plusSeconds(1));
            assertThat(again.effect()).isEqualTo(UNCHANGED);
            assertThat(again.job()).isEqualTo(first.job());
            assertThat(again.memory()).isNull();
        }
    }

    private static Start debounced(KeyState key, Instant now) {
        return DedupeRules.decide(job(DEBOUNCE), key, now).start();
    }

    @Test
    void debounceWaitsAfterEachSubmitUntilItsMax() {
        KeyState waiting = new KeyState(member(OLD, Stage.UNCLAIMED), null, new KeyMemory(OLD, OLD, NOW, null));
        assertThat(debounced(KeyState.UNUSED, NOW)).isEqualTo(new Start.After(Duration.ofSeconds(10)));
        assertThat(debounced(waiting, NOW.plusSeconds(50))).isEqualTo(new Start.After(Duration.ofSeconds(10)));
        assertThat(debounced(waiting, NOW.plusSeconds(55))).isEqualTo(new Start.After(Duration.ofSeconds(5)));
        assertThat(debounced(waiting, NOW.plusSeconds(60))).isEqualTo(new Start.AtOnce());
        assertThat(debounced(waiting, NOW.plusSeconds(99))).isEqualTo(new Start.AtOnce());
    }

    @Test
    void aJobOfAnotherModeIsDebouncedFromTheFirstSubmitThatDoes() {
        KeyState waiting = new KeyState(member(OLD, Stage.UNCLAIMED), null,
                new KeyMemory(NEXT, NEXT, NOW.minusSeconds(1_000), null));
        assertThat(debounced(waiting, NOW)).isEqualTo(new Start.After(Duration.ofSeconds(10)));
    }

    @Test
    void withinNeverShortensWhatIsRemembered() {
        KeyMemory memory = DedupeRules.decide(job(WITHIN), remembered(NOW.plus(Duration.ofDays(9))), NOW).memory();
        assertThat(memory).isNotNull().extracting(KeyMemory::until).isEqualTo(NOW.plus(Duration.ofDays(9)));
        KeyMemory after = DedupeRules.decide(job(Dedupe.replace()), remembered(NOW.plus(Duration.ofDays(9))), NOW)
                .memory();
        assertThat(after).isNotNull().extracting(KeyMemory::until).isEqualTo(NOW.plus(Duration.ofDays(9)));
    }
}
