package dev.heddle.testkit.fuzz;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import net.jqwik.api.Arbitraries;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FuzzTest {

    @Test
    void shrinksAFailingInput() {
        List<String> samples = List.of("name: docs\nunits: units.csv\nworkers: 3\n");

        assertThatThrownBy(() -> Fuzz.check(FuzzTest.class, Duration.ofSeconds(30), Inputs.mutated(samples), input -> {
            if (input.contains("-1")) {
                throw new IllegalStateException("found");
            }
        })).isInstanceOf(AssertionError.class).hasMessageContaining("shrunk to \"-1\":")
                .hasRootCauseMessage("found");
    }

    @Test
    void triesTheCorpusFirst() throws Exception {
        List<String> inputs = new ArrayList<>();

        Fuzz.check(FuzzTest.class, Duration.ZERO, Arbitraries.of("generated"), inputs::add);

        assertThat(inputs).containsExactly("a fault of the past\n", "generated");
    }
}
