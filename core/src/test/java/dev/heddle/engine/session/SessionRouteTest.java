package dev.heddle.engine.session;

import java.time.Instant;
import java.util.Set;

import dev.heddle.store.SessionStore.Binding;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SessionRouteTest {

    private static final Set<String> HERE = Set.of("n/w-1", "n/w-2");

    private static SessionRoute route(@Nullable String worker, boolean strict, long lostSeq, long seq) {
        return SessionRoute.of(
                new Binding("embed", "anna", worker, "n", strict, Instant.EPOCH, Instant.EPOCH, lostSeq, true),
                seq, HERE, true);
    }

    @Test
    void goesToTheWorkerThatHasTheSession() {
        assertThat(route("n/w-1", true, 0, 7)).isEqualTo(new SessionRoute.To("n/w-1", true));
        assertThat(route("n/w-1", false, 0, 7)).isEqualTo(new SessionRoute.To("n/w-1", true));
    }

    @Test
    void waitsForAWorkerOfAnotherNodeOnlyIfStrict() {
        assertThat(route("m/w-1", true, 0, 7)).isEqualTo(new SessionRoute.Elsewhere("m/w-1"));
        assertThat(route("m/w-1", false, 0, 7)).isEqualTo(new SessionRoute.Anywhere());
    }

    @Test
    void isLostIfSubmittedBeforeItsWorkerWasLost() {
        assertThat(route(null, true, 7, 7)).isEqualTo(new SessionRoute.Lost(true));
        assertThat(route("n/w-1", true, 7, 6)).as("even if the session has started again")
                .isEqualTo(new SessionRoute.Lost(true));
        assertThat(route("n/w-1", true, 7, 8)).as("submitted later").isEqualTo(new SessionRoute.To("n/w-1", true));
    }
}
