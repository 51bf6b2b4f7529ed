package dev.heddle.engine.session;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SessionPlacementTest {

    private static SessionPlacement among(Set<String> idle, Map<String, Integer> sessions) {
        return new SessionPlacement(List.of("w-1", "w-2", "w-3"), idle, () -> sessions);
    }

    @Test
    void prefersAnIdleWorkerToOneWithFewerSessions() {
        assertThat(among(Set.of("w-2"), Map.of("w-2", 9)).assign()).isEqualTo("w-2");
    }

    @Test
    void choosesTheIdleWorkerWithTheFewestSessions() {
        assertThat(among(Set.of("w-2", "w-3"), Map.of("w-2", 2, "w-3", 1)).assign()).isEqualTo("w-3");
    }

    @Test
    void choosesTheWorkerWithTheFewestSessionsIfNoneIsIdle() {
        SessionPlacement placement = among(Set.of(), Map.of("w-1", 1, "w-3", 2));
        assertThat(List.of(placement.assign(), placement.assign(), placement.assign())).containsExactly("w-2", "w-1",
                "w-2");
    }

    @Test
    void givesEachIdleWorkerOneJobBeforeAnyGetsTwo() {
        SessionPlacement placement = among(Set.of("w-1", "w-2"), Map.of("w-2", 9));
        assertThat(List.of(placement.assign(), placement.assign())).containsExactly("w-1", "w-2");
    }

    @Test
    void countsAWorkerAsBusyOnceItGetsAJobOfItsSession() {
        SessionPlacement placement = among(Set.of("w-1", "w-2"), Map.of("w-2", 9));
        placement.occupy("w-1");
        assertThat(placement.assign()).isEqualTo("w-2");
    }
}
