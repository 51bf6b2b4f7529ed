package dev.heddle.engine.suspects;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.engine.testing.Samples;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Suspicion;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StartControlTest {

    private final AtomicInteger room = new AtomicInteger();
    private final StartControl control = new StartControl(room::incrementAndGet);
    private int claims;

    private Claim claim(Suspicion suspicion) {
        Claim claim = new Claim(Samples.claim(++claims).job(), suspicion);
        control.add(claim);
        return claim;
    }

    private Claim ordinary() {
        return claim(Suspicion.NONE);
    }

    private Claim capped(int cap) {
        return claim(new Suspicion(true, cap, 1, Duration.ZERO, 0));
    }

    @Test
    void startsEverythingIfNothingHasACap() {
        claim(Suspicion.NONE.suspected());

        for (int i = 0; i < 50; i++) {
            assertThat(control.tryStart(ordinary())).isTrue();
        }
        assertThat(control.room()).isEqualTo(Integer.MAX_VALUE);
        assertThat(control.holdReason()).isEmpty();
    }

    @Test
    void holdsASuspectUntilItEndsOrIsCleared() {
        assertThat(control.holdsSuspect()).isFalse();
        Claim first = claim(Suspicion.NONE.suspected());
        Claim second = capped(4);
        assertThat(control.holdsSuspect()).isTrue();

        control.remove(first.fence());
        control.clear(second.fence());

        assertThat(control.holdsSuspect()).isFalse();
        control.remove(second.fence());
        assertThat(control.holdsSuspect()).isFalse();
    }

    @Test
    void startsNoMoreThanTheSmallestCapAllows() {
        assertThat(control.tryStart(capped(2))).isTrue();
        assertThat(control.room()).isEqualTo(1);
        assertThat(control.tryStart(ordinary())).isTrue();
        assertThat(control.tryStart(ordinary())).isFalse();
        assertThat(control.room()).isZero();
        assertThat(control.holdReason())
                .contains("a job crashed its node; until it is found, at most 2 jobs start here at a time");
    }

    @Test
    void makesRoomWhenAnAttemptEndsOrIsCleared() {
        Claim running = capped(1);
        Claim waiting = ordinary();
        assertThat(control.tryStart(running)).isTrue();
        assertThat(control.tryStart(waiting)).isFalse();

        control.clear(running.fence());

        assertThat(room).hasPositiveValue();
        assertThat(control.takeRefused()).isTrue();
        assertThat(control.takeRefused()).isFalse();
        assertThat(control.tryStart(waiting)).isTrue();
        assertThat(control.isOnProbation(running.fence())).isFalse();
        assertThat(control.isOnProbation(waiting.fence())).isTrue();
    }

    @Test
    void letsASuspectThatDoesNotFitYetGoFirst() {
        Claim early = ordinary();
        assertThat(control.tryStart(early)).isTrue();
        Claim alone = capped(1);
        assertThat(control.tryStart(alone)).isFalse();
        Claim late = ordinary();

        assertThat(control.tryStart(late)).as("it would delay the suspect").isFalse();
        assertThat(control.room()).isZero();
        assertThat(control.holdReason())
                .contains("a job crashed its node; until it is found, 1 job starts here at a time");

        control.remove(early.fence());
        assertThat(control.tryStart(late)).as("the suspect goes first").isFalse();
        assertThat(control.tryStart(alone)).isTrue();
        assertThat(control.tryStart(late)).isFalse();
        control.remove(alone.fence());
        assertThat(control.tryStart(late)).isTrue();
    }

    @Test
    void forgetsASuspectThatIsReleasedWhileOthersWaitForIt() {
        assertThat(control.tryStart(ordinary())).isTrue();
        Claim alone = capped(1);
        control.tryStart(alone);

        control.remove(alone.fence());

        assertThat(control.tryStart(ordinary())).isTrue();
    }

    @Test
    void doesNotCountAStartThatFailed() {
        Claim failed = ordinary();
        control.tryStart(failed);
        control.startFailed(failed);

        assertThat(control.tryStart(capped(1))).isTrue();
    }
}
