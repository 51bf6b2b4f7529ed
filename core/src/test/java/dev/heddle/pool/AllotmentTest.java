package dev.heddle.pool;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AllotmentTest {

    private static Allotment among(Set<String> idle, Map<String, Integer> sessions) {
        return new Allotment(List.of("w-1", "w-2", "w-3"), idle, () -> sessions);
    }

    @Test
    void prefersAnIdleWorkerToOneWithFewerSessions() {
        assertThat(among(Set.of("w-2"), Map.of("w-2", 9)).next()).isEqualTo("w-2");
    }

    @Test
    void takesTheOneWithTheFewestSessionsAmongTheIdle() {
        assertThat(among(Set.of("w-2", "w-3"), Map.of("w-2", 2, "w-3", 1)).next()).isEqualTo("w-3");
    }

    @Test
    void takesTheOneWithTheFewestSessionsWhereNobodyIsIdle() {
        Allotment allotment = among(Set.of(), Map.of("w-1", 1, "w-3", 2));
        assertThat(List.of(allotment.next(), allotment.next(), allotment.next()))
                .containsExactly("w-2", "w-1", "w-2");
    }

    @Test
    void givesEachIdleWorkerOneJobBeforeAnyGetsTwo() {
        Allotment allotment = among(Set.of("w-1", "w-2"), Map.of("w-2", 9));
        assertThat(List.of(allotment.next(), allotment.next())).containsExactly("w-1", "w-2");
    }

    @Test
    void countsAWorkerAsBusyThatGetsAJobOfASessionItHas() {
        Allotment allotment = among(Set.of("w-1", "w-2"), Map.of("w-2", 9));
        allotment.occupy("w-1");
        assertThat(allotment.next()).isEqualTo("w-2");
    }
}
