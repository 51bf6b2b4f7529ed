package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.LimitKey;
import dev.heddle.job.Transition;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.limit.LimitUsage;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.CommandResult;
import dev.heddle.store.Fence;
import dev.heddle.store.Receipt;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Limits per key, within claims. */
abstract class LimitStoreContract extends StoreFixture {

    private static final Limit CUSTOMER = Limit.named("customer").maxConcurrent(2);
    private static final Limit REGION = Limit.named("region").maxConcurrent(2);

    LimitStoreContract(StoreContract contract) {
        super(contract);
    }

    private LimitStore limits() {
        return capability(LimitStore.class);
    }

    private static JobDraft of(String customer) {
        return JobDraft.of("mail").limit("customer", customer);
    }

    private List<Fence> claimAll(Wanted... wanted) {
        return claim(clock.instant(), 100, wanted).claims().stream().map(ClaimResult.Claim::fence).toList();
    }

    private List<JobId> claimIds(int limit, Wanted... wanted) {
        return ids(claim(clock.instant(), limit, wanted));
    }

    @Test
    void keepsLimitsWithAllTheirOptions() {
        Limit full = Limit.named("api").ofTag("web").key("$.customer['the id'][0]").maxConcurrent(7)
                .rate(100, Duration.ofMinutes(1)).burst(10).whenFull(Limit.WhenFull.DROP_NEW);
        limits().setLimit(CUSTOMER);
        limits().setLimit(full);
        limits().setLimit(CUSTOMER.maxConcurrent(5));
        restart(at(1));
        assertThat(limits().limits()).containsExactly(full, CUSTOMER.maxConcurrent(5));
        assertThat(limits().removeLimit("api")).isTrue();
        assertThat(limits().removeLimit("api")).isFalse();
        assertThat(limits().limits()).containsExactly(CUSTOMER.maxConcurrent(5));
    }

    @Test
    void keepsTheKeysOfAJob() {
        JobId id = insert(of("42").limit("region", "eu"));
        assertThat(job(id).spec().limits()).containsExactly(new LimitKey("customer", "42"),
                new LimitKey("region", "eu"));
    }

    @Test
    void claimsNoMoreOfAKeyThanItsLimit() {
        limits().setLimit(CUSTOMER);
        JobId one = insert(of("a"));
        JobId two = insert(of("a"));
        insert(of("a"));
        JobId other = insert(of("b"));
        JobId unlimited = insert(JobDraft.of("mail"));
        assertThat(claimIds(100, any("mail"))).containsExactlyInAnyOrder(one, two, other, unlimited);
        assertThat(claimIds(100, any("mail"))).isEmpty();
    }

    @Test
    void claimsTheNextJobOfAKeyOnceOneHasEnded() {
        limits().setLimit(CUSTOMER);
        insert(of("a"));
        insert(of("a"));
        JobId third = insert(of("a"));
        JobId fourth = insert(of("a"));
        List<Fence> held = claimAll(any("mail"));
        assertThat(claimIds(100, any("mail"))).isEmpty();
        applied(completion(held.getFirst()));
        assertThat(claimIds(100, any("mail"))).containsExactly(third);
        applied(death(held.getLast()));
        assertThat(claimIds(100, any("mail"))).containsExactly(fourth);
    }

    @Test
    void aRetryAReleaseAndAWaitGiveTheSlotBack() {
        limits().setLimit(CUSTOMER.maxConcurrent(1));
        JobId first = insert(of("a"));
        JobId second = insert(of("a"));
        Fence held = claimAll(any("mail")).getFirst();
        assertThat(claimIds(100, any("mail"))).isEmpty();
        applied(new Change.Released(held, "closing", at(1)));
        held = claimAll(any("mail")).getFirst();
        assertThat(claimIds(100, any("mail"))).isEmpty();
        applied(ended(held, Attempt.End.FAILED, retry(at(60), "again")));
        assertThat(claimIds(100, any("mail"))).containsExactly(second);
        assertThat(job(first).state()).isEqualTo(JobState.SCHEDULED);
        passUntil(at(61));
        assertThat(claimIds(100, any("mail"))).isEmpty();
    }

    @Test
    void aCancelledJobHoldsItsSlotUntilItsAttemptEnds() {
        limits().setLimit(CUSTOMER.maxConcurrent(1));
        JobId first = insert(of("a"));
        JobId second = insert(of("a"));
        Fence held = claimAll(any("mail")).getFirst();
        assertThat(claimIds(100, any("mail"))).isEmpty();
        store.execute(cancel(first, at(1)));
        assertThat(claimIds(100, any("mail"))).isEmpty();
        apply(completion(held));
        assertThat(claimIds(100, any("mail"))).containsExactly(second);
    }

    @Test
    void theSlotsOfADeadNodeComeBackWithItsJobs() {
        limits().setLimit(CUSTOMER);
        List<JobId> all = IntStream.range(0, 4).mapToObj(_ -> insert(of("a"))).toList();
        List<Fence> held = claimAll(any("mail"));
        assertThat(claimIds(100, any("mail"))).isEmpty();
        store.execute(cancel(all.getFirst(), at(1)));
        crash(new Transition.Requeue("node died"), false, at(2));
        assertThat(held).hasSize(2);
        // The cancelled one has ended, the other one is queued again.
        assertThat(claimIds(100, any("mail"), suspects("mail"))).hasSize(2);
        assertThat(claimIds(100, any("mail"), suspects("mail"))).isEmpty();
    }

    @Test
    void keysTakeTurnsHoweverManyJobsOneHas() {
        limits().setLimit(CUSTOMER.maxConcurrent(100));
        List<JobId> big = IntStream.range(0, 50).mapToObj(_ -> insert(of("big"))).toList();
        List<JobId> small = IntStream.range(0, 5).mapToObj(i -> insert(of("small-" + i % 2))).toList();
        List<JobId> claimed = claimIds(9, any("mail"));
        assertThat(claimed).containsAll(small).contains(big.getFirst(), big.get(1)).hasSize(9);
        assertThat(claimIds(3, any("mail"))).hasSize(3);
    }

    @Test
    void aKeyWhoseJobsCameOneByOneBeforeDoesNotDelayOthers() {
        limits().setLimit(CUSTOMER.maxConcurrent(100));
        IntStream.range(0, 40).forEach(_ -> insert(of("big")));
        JobId small = insert(of("small"));
        assertThat(claimIds(1, any("mail"))).doesNotContain(small);
        assertThat(claimIds(1, any("mail"))).containsExactly(small);
        assertThat(claimIds(100, any("mail"))).hasSize(39);
    }

    @Test
    void theJobsOfAKeyRunInTheirOrderHoweverTheyCame() {
        limits().setLimit(CUSTOMER.maxConcurrent(1));
        List<JobId> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            List<JobDraft> together = List.of(of("a"), of("a"));
            submit(together.toArray(JobDraft[]::new));
            together.forEach(draft -> all.add(draft.id()));
            all.add(insert(of("a")));
        }
        List<JobId> claimed = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            ClaimResult claim = claim(clock.instant(), 100, any("mail"));
            claimed.addAll(ids(claim));
            if (i == 3) {
                JobDraft last = of("a");
                all.add(insert(last));
            }
            claim.claims().forEach(one -> applied(completion(one.fence())));
        }
        claimed.addAll(claimIds(100, any("mail")));
        assertThat(claimed).containsExactlyElementsOf(all);
    }

    @Test
    void aLimitWithARateCountsAJobOnce() {
        limits().setLimit(CUSTOMER.maxConcurrent(3).rate(60, Duration.ofMinutes(1)).burst(10));
        IntStream.range(0, 6).forEach(_ -> insert(of("a").limit("region", "eu")));
        assertThat(claimIds(2, any("mail"))).hasSize(2);
        assertThat(claimIds(100, any("mail"))).hasSize(1);
        assertThat(claimIds(100, any("mail"))).isEmpty();
        assertThat(limits().limitUsage("customer", 10)).containsExactly(new LimitUsage("customer", "a", 3, 3));
    }

    @Test
    void turnsGoOnFromClaimToClaim() {
        limits().setLimit(CUSTOMER.maxConcurrent(100));
        for (int i = 0; i < 12; i++) {
            insert(of("k" + i % 3));
        }
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < 6; i++) {
            claim(clock.instant(), 1, any("mail")).claims()
                    .forEach(claim -> counts.merge(claim.job().spec().limits().getFirst().key(), 1, Integer::sum));
        }
        assertThat(counts).containsOnly(Map.entry("k0", 2), Map.entry("k1", 2), Map.entry("k2", 2));
    }

    @Test
    void priorityComesBeforeTurns() {
        limits().setLimit(CUSTOMER.maxConcurrent(100));
        insert(of("a"));
        insert(of("b"));
        JobId urgent = insert(of("a").priority(5));
        JobId urgentToo = insert(of("a").priority(4));
        JobId plain = insert(JobDraft.of("mail").priority(3));
        assertThat(claimIds(3, any("mail"))).containsExactly(urgent, urgentToo, plain);
    }

    @Test
    void amongEqualPrioritiesTheOldestOfLimitedAndUnlimitedJobsRunsFirst() {
        limits().setLimit(CUSTOMER.maxConcurrent(100));
        JobId first = insert(JobDraft.of("mail"));
        JobId second = insert(of("a"));
        JobId third = insert(JobDraft.of("mail"));
        assertThat(claimIds(1, any("mail"))).containsExactly(first);
        assertThat(claimIds(1, any("mail"))).containsExactly(second);
        assertThat(claimIds(1, any("mail"))).containsExactly(third);
    }

    @Test
    void allLimitsOfAJobMustHaveRoom() {
        limits().setLimit(CUSTOMER.maxConcurrent(1));
        limits().setLimit(REGION);
        JobId a1 = insert(of("a").limit("region", "eu"));
        JobId a2 = insert(of("a").limit("region", "eu"));
        JobId b = insert(of("b").limit("region", "eu"));
        JobId c = insert(of("c").limit("region", "eu"));
        Map<JobId, Fence> held = new HashMap<>();
        claim(T0, 100, any("mail")).claims().forEach(claim -> held.put(claim.job().id(), claim.fence()));
        assertThat(held).containsOnlyKeys(a1, b);
        assertThat(claimIds(100, any("mail"))).isEmpty();
        applied(completion(requireNonNull(held.get(b))));
        // a2 still waits for its customer, and must not keep c from the region.
        assertThat(claimIds(100, any("mail"))).containsExactly(c);
        applied(completion(requireNonNull(held.get(a1))));
        assertThat(claimIds(100, any("mail"))).containsExactly(a2);
    }

    @Test
    void aJobThatNobodyCanRunDoesNotKeepTheRoomOfItsKey() {
        limits().setLimit(CUSTOMER.maxConcurrent(1));
        insert(JobDraft.of("fax").limit("customer", "a"));
        JobId one = insert(of("a"));
        JobId two = insert(of("a"));
        insert(of("a").queue("stopped").priority(9));
        store.execute(new AdminCommand.PauseQueue("stopped", ACTOR, T0));
        Fence held = claimAll(any("mail")).getFirst();
        assertThat(held.seq()).isEqualTo(job(one).seq());
        assertThat(claimIds(100, any("mail"))).isEmpty();
        applied(completion(held));
        assertThat(claimIds(100, any("mail"))).containsExactly(two);
    }

    @Test
    void raisingALimitTakesEffectAtOnceAndLoweringItStopsClaimsOnly() {
        limits().setLimit(CUSTOMER.maxConcurrent(1));
        List<JobId> all = IntStream.range(0, 6).mapToObj(_ -> insert(of("a"))).toList();
        assertThat(claimIds(100, any("mail"))).containsExactly(all.getFirst());
        assertThat(claimIds(100, any("mail"))).isEmpty();
        limits().setLimit(CUSTOMER.maxConcurrent(3));
        List<Fence> held = claimAll(any("mail"));
        assertThat(held).hasSize(2);
        limits().setLimit(CUSTOMER.maxConcurrent(1));
        applied(completion(held.getFirst()));
        assertThat(claimIds(100, any("mail"))).isEmpty();
        limits().removeLimit("customer");
        assertThat(claimIds(100, any("mail"))).hasSize(3);
    }

    @Test
    void aJobThatIsPausedScheduledOrRetriedByHandIsLimitedAgain() {
        limits().setLimit(CUSTOMER.maxConcurrent(1));
        JobId dead = dead(of("a"));
        JobId scheduled = insert(of("a").due(at(10)));
        JobId paused = insert(of("a"));
        store.execute(pause(paused));
        store.execute(new AdminCommand.Retry(dead, ACTOR, at(5)));
        Fence held = claimAll(any("mail")).getFirst();
        assertThat(held.seq()).isEqualTo(job(dead).seq());
        store.execute(new AdminCommand.Resume(paused, ACTOR, at(6)));
        passUntil(at(11));
        assertThat(claimIds(100, any("mail"))).isEmpty();
        applied(completion(held));
        held = claimAll(any("mail")).getFirst();
        assertThat(claimIds(100, any("mail"))).isEmpty();
        applied(completion(held));
        assertThat(claimIds(100, any("mail"))).hasSize(1);
        assertThat(job(scheduled).state()).isEqualTo(JobState.COMPLETED);
        assertThat(job(paused).state()).isEqualTo(JobState.ASSIGNED);
    }

    @Test
    void aWaitingJobThatIsCancelledLeavesTheRoomToOthers() {
        limits().setLimit(CUSTOMER.maxConcurrent(1));
        limits().setLimit(REGION.maxConcurrent(1));
        JobId first = insert(of("a").limit("region", "eu"));
        JobId second = insert(of("b").limit("region", "eu"));
        JobId third = insert(of("c").limit("region", "eu"));
        Fence held = claimAll(any("mail")).getFirst();
        assertThat(claimIds(100, any("mail"))).isEmpty();
        applied(completion(held));
        assertThat(held.seq()).isEqualTo(job(first).seq());
        assertThat(store.execute(cancel(second, at(3)))).isEqualTo(new CommandResult.Done(1));
        assertThat(claimIds(100, any("mail"))).containsExactly(third);
    }

    @Test
    void skipsJobsWithHeldTags() {
        limits().setLimit(CUSTOMER.maxConcurrent(1));
        insert(of("a").tags("costly"));
        JobId cheap = insert(of("a"));
        assertThat(claimIds(100, new Wanted("mail", false, 100, Set.of("costly")))).containsExactly(cheap);
    }

    @Test
    void respectsTheLimitOfWhatIsWanted() {
        limits().setLimit(CUSTOMER.maxConcurrent(100));
        for (int i = 0; i < 10; i++) {
            insert(i % 2 == 0 ? of("a") : JobDraft.of("mail"));
        }
        assertThat(claimIds(100, new Wanted("mail", false, 4))).hasSize(4);
        assertThat(claimIds(100, any("mail"))).hasSize(6);
    }

    @Test
    void countsTheJobsOfAQueueAndAType() {
        limits().setLimit(CUSTOMER.maxConcurrent(1));
        insert(of("a"));
        insert(of("a"));
        insert(JobDraft.of("mail"));
        claimIds(1, any("mail"));
        assertThat(store.countJobs().in(JobState.QUEUED)).isEqualTo(2);
        assertThat(store.countJobs().live()).allMatch(line -> line.type().equals("mail"));
    }

    @Test
    void showsTheUsageOfEachKey() {
        limits().setLimit(CUSTOMER);
        for (int i = 0; i < 5; i++) {
            insert(of("a"));
        }
        insert(of("b"));
        claimIds(100, any("mail"));
        assertThat(limits().limitUsage("customer", 10)).containsExactly(new LimitUsage("customer", "a", 2, 3),
                new LimitUsage("customer", "b", 1, 0));
        assertThat(limits().limitUsage("customer", 1)).hasSize(1);
        assertThat(limits().limitUsage("region", 10)).isEmpty();
    }

    @Test
    void aRateLetsABurstStartAndThenOneAfterAnother() {
        limits().setLimit(Limit.named("customer").rate(60, Duration.ofMinutes(1)).burst(3));
        for (int i = 0; i < 6; i++) {
            insert(of("a"));
        }
        assertThat(claimIds(100, any("mail"))).hasSize(3);
        ClaimResult none = claim(clock.instant(), 100, any("mail"));
        assertThat(none.claims()).isEmpty();
        assertThat(none.untilDue()).isEqualTo(Duration.ofSeconds(1));
        passUntil(at(1));
        assertThat(claimIds(100, any("mail"))).hasSize(1);
        assertThat(claimIds(100, any("mail"))).isEmpty();
        passUntil(at(3));
        assertThat(claimIds(100, any("mail"))).hasSize(2);
    }

    @Test
    void aJobThatArrivesWhileTheRateIsUsedUpStartsLater() {
        limits().setLimit(Limit.named("customer").rate(60, Duration.ofMinutes(1)));
        insert(of("a"));
        insert(of("a"));
        assertThat(claimIds(100, any("mail"))).hasSize(1);
        insert(of("a"));
        assertThat(claim(clock.instant(), 100, any("mail")).untilDue()).isEqualTo(Duration.ofSeconds(1));
        passUntil(at(1));
        assertThat(claimIds(100, any("mail"))).hasSize(1);
    }

    @Test
    void aRateOutlivesTheNode() {
        limits().setLimit(Limit.named("customer").rate(60, Duration.ofHours(1)));
        insert(of("a"));
        insert(of("a"));
        assertThat(claimIds(100, any("mail"))).hasSize(1);
        restart(at(1));
        assertThat(claimIds(100, any("mail"))).isEmpty();
        passUntil(at(60));
        assertThat(claimIds(100, any("mail"))).hasSize(1);
    }

    @Test
    void whatIsReleasedUnstartedIsRefundedAndWhatStartedIsNot() {
        limits().setLimit(Limit.named("customer").rate(60, Duration.ofHours(1)));
        insert(of("a"));
        insert(of("a"));
        Fence held = claimAll(any("mail")).getFirst();
        assertThat(claimIds(100, any("mail"))).isEmpty();
        applied(new Change.Released(held, "closing", at(0)));
        held = claimAll(any("mail")).getFirst();
        applied(completion(start(held)));
        assertThat(claimIds(100, any("mail"))).isEmpty();
    }

    @Test
    void aHeavyJobTakesMoreOfARate() {
        limits().setLimit(Limit.named("customer").rate(60, Duration.ofMinutes(1)).burst(5));
        insert(JobDraft.of("mail").limit("customer", "a", 4));
        JobId second = insert(JobDraft.of("mail").limit("customer", "a", 3));
        assertThat(claimIds(100, any("mail"))).hasSize(1);
        passUntil(at(1));
        assertThat(claimIds(100, any("mail"))).isEmpty();
        passUntil(at(2));
        assertThat(claimIds(100, any("mail"))).containsExactly(second);
    }

    @Test
    void aLimitThatDropsNewJobsRefusesThemUntilOneEnds() {
        limits().setLimit(CUSTOMER.whenFull(Limit.WhenFull.DROP_NEW));
        insert(of("a"));
        JobId second = insert(of("a").due(at(100)));
        assertThat(submit(of("a"))).isEqualTo(new Receipt.NoRoom(new LimitKey("customer", "a")));
        assertThat(submit(of("b"), of("b"), of("b"))).isInstanceOf(Receipt.NoRoom.class);
        insert(of("b"));
        applied(completion(claimAll(any("mail")).getFirst()));
        insert(of("a"));
        assertThat(submit(of("a"))).isInstanceOf(Receipt.NoRoom.class);
        store.execute(cancel(second, at(1)));
        insert(of("a"));
    }

    @Test
    void aSubmitThatIsRepeatedIsNotDropped() {
        limits().setLimit(CUSTOMER.maxConcurrent(1).whenFull(Limit.WhenFull.DROP_NEW));
        JobDraft draft = of("a");
        insert(draft);
        assertThat(submit(draft)).isEqualTo(existing(draft.id()));
    }

    @Test
    void aRateThatDropsNewJobsRefusesWhatCouldNotStartNow() {
        limits().setLimit(Limit.named("customer").rate(60, Duration.ofMinutes(1)).burst(2)
                .whenFull(Limit.WhenFull.DROP_NEW));
        insert(of("a"));
        insert(of("a"));
        assertThat(submit(of("a"))).isInstanceOf(Receipt.NoRoom.class);
        assertThat(claimIds(100, any("mail"))).hasSize(2);
        assertThat(submit(of("a"))).isInstanceOf(Receipt.NoRoom.class);
        passUntil(at(1));
        claimIds(100, any("mail"));
        insert(of("a"));
    }

    @Test
    void findsTheOldestJobsOfAKeyThatAreTooMany() {
        limits().setLimit(CUSTOMER.whenFull(Limit.WhenFull.CANCEL_RUNNING));
        List<JobId> all = IntStream.range(0, 4).mapToObj(_ -> insert(of("a"))).toList();
        insert(of("b"));
        claimAll(any("mail"));
        assertThat(limits().excessJobs(new LimitKey("customer", "a"))).containsExactly(all.get(0), all.get(1));
        store.execute(cancel(all.getFirst(), at(1)));
        assertThat(limits().excessJobs(new LimitKey("customer", "a"))).containsExactly(all.get(1));
    }

    /** Does anything that can be done with jobs, many times, and then lets all of them end. */
    @Test
    void neverExceedsALimitAndLosesNoJob() {
        for (int seed = 1; seed <= 5; seed++) {
            new RandomRun(new Random(seed)).play();
        }
    }

    private final class RandomRun {
        private final Random random;
        private final List<Fence> held = new ArrayList<>();
        private final List<JobId> all = new ArrayList<>();
        private final Map<String, Integer> most = new HashMap<>(Map.of("customer", 2, "region", 3));

        RandomRun(Random random) {
            this.random = random;
        }

        void play() {
            limits().setLimit(CUSTOMER);
            limits().setLimit(REGION.maxConcurrent(3));
            for (int i = 0; i < 250; i++) {
                step();
                checkLimits();
            }
            for (int round = 0; round < 1_000 && !isDone(); round++) {
                clock.advance(Duration.ofSeconds(30));
                claimSome(100);
                checkLimits();
                List.copyOf(held).forEach(this::complete);
            }
            assertThat(all).allMatch(id -> job(id).state().isFinal());
        }

        private boolean isDone() {
            return all.stream().allMatch(id -> job(id).state().isFinal());
        }

        private void step() {
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> submitOne();
                case 3, 4 -> claimSome(1 + random.nextInt(5));
                case 5 -> any(held, this::complete);
                case 6 -> any(held, fence -> {
                    held.remove(fence);
                    apply(random.nextBoolean() ? new Change.Released(fence, "closing", clock.instant())
                            : ended(fence, Attempt.End.FAILED, new Transition.Retry(Duration.ofSeconds(20), "again")));
                });
                case 7 -> any(all,
                        id -> store.execute(random.nextBoolean() ? cancel(id, clock.instant()) : pauseOrResume(id)));
                default -> clock.advance(Duration.ofSeconds(10));
            }
        }

        private AdminCommand pauseOrResume(JobId id) {
            store.execute(pause(id));
            return new AdminCommand.Resume(id, ACTOR, clock.instant());
        }

        private void submitOne() {
            JobDraft draft = JobDraft.of("mail").priority(random.nextInt(2));
            if (random.nextInt(4) > 0) {
                draft.limit("customer", "c" + random.nextInt(3));
            }
            if (random.nextInt(3) > 0) {
                draft.limit("region", "r" + random.nextInt(2));
            }
            all.add(insert(draft));
        }

        private void claimSome(int limit) {
            claim(clock.instant(), limit, StoreFixture.any("mail")).claims()
                    .forEach(claim -> held.add(claim.fence()));
        }

        private void complete(Fence fence) {
            held.remove(fence);
            apply(completion(fence));
        }

        private <T> void any(List<T> list, Consumer<T> action) {
            if (!list.isEmpty()) {
                action.accept(list.get(random.nextInt(list.size())));
            }
        }

        private void checkLimits() {
            most.forEach((limit, max) -> assertThat(limits().limitUsage(limit, 100))
                    .allMatch(usage -> usage.running() <= max));
        }
    }
}
