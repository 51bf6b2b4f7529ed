package dev.heddle.engine.suspects;

import dev.heddle.store.Suspicion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class StartLimitTest {

    private static final int NO_CAP = Suspicion.UNCAPPED;

    /** Columns: on probation, the smallest cap among them (0: none), the cap of the next one (0: none); may start. */
    @ParameterizedTest
    @CsvSource({"0,0,0,true", "500,0,0,true", "0,0,1,true", "1,0,1,false", "1,0,2,true", "2,0,2,false", "1,1,0,false",
        "1,2,0,true", "2,2,0,false", "1,1,1,false", "3,4,2,false", "3,4,4,true", "4,4,8,false"})
    void keepsTheNumberOnProbationWithinEveryCap(int onProbation, int smallest, int next, boolean starts) {
        StartLimit limit = new StartLimit(onProbation, smallest == 0 ? NO_CAP : smallest);

        assertThat(limit.allows(next == 0 ? NO_CAP : next)).isEqualTo(starts);
    }

    @Test
    void countsWhatHasStarted() {
        StartLimit limit = StartLimit.NONE.with(NO_CAP).with(5).with(7);

        assertThat(limit).isEqualTo(new StartLimit(3, 5));
        assertThat(limit.room()).isEqualTo(2);
        assertThat(StartLimit.NONE.with(NO_CAP).room()).isEqualTo(Integer.MAX_VALUE);
    }
}
