package dev.heddle.pool;

import java.time.Instant;
import java.util.Set;

import dev.heddle.store.SessionStore.Binding;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RouteTest {

    private static final Set<String> HERE = Set.of("n/w-1", "n/w-2");

    private static Route route(@Nullable String worker, boolean strict, long lostSeq, long seq) {
        return Route.of(
                new Binding("embed", "anna", worker, "n", strict, Instant.EPOCH, Instant.EPOCH, lostSeq), seq,
                HERE, true);
    }

    @Test
    void goesToTheWorkerThatHasTheSession() {
        assertThat(route("n/w-1", true, 0, 7)).isEqualTo(new Route.To("n/w-1", true));
        assertThat(route("n/w-1", false, 0, 7)).isEqualTo(new Route.To("n/w-1", true));
    }

    @Test
    void waitsForAWorkerOfAnotherNodeOnlyWhereItMust() {
        assertThat(route("m/w-1", true, 0, 7)).isEqualTo(new Route.Elsewhere("m/w-1"));
        assertThat(route("m/w-1", false, 0, 7)).isEqualTo(new Route.Anywhere());
    }

    @Test
    void isLostWhereItWasMeantForALostWorker() {
        assertThat(route(null, true, 7, 7)).isEqualTo(new Route.Lost());
        assertThat(route("n/w-1", true, 7, 6)).as("though the session has begun anew")
                .isEqualTo(new Route.Lost());
        assertThat(route("n/w-1", true, 7, 8)).as("submitted later").isEqualTo(new Route.To("n/w-1", true));
    }
}
