package dev.heddle.engine.suspects;

import java.time.Duration;

import dev.heddle.store.Suspicion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ProbationTest {

    /** Columns: how long it ran when its node last died, at how many deaths it may have been the cause; probation. */
    @ParameterizedTest
    @CsvSource({"PT0S,0,PT10S", "PT1S,1,PT10S", "PT5S,1,PT10S", "PT6S,1,PT12S", "PT2M30S,3,PT5M", "PT1H,1,PT5M",
        "PT1H,3,PT5M", "PT1H,4,PT2H", "PT3S,4,PT10S"})
    void lastsTwiceTheTimeToTheLastDeathWithinLimits(Duration ran, int deaths, Duration probation) {
        assertThat(Probation.of(new Suspicion(true, Suspicion.UNCAPPED, deaths, ran, 0))).isEqualTo(probation);
    }
}
