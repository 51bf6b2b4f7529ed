package dev.heddle.simulation;

import java.nio.file.Path;
import java.util.List;

import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The whole list is played by {@code simulation/mutate} and, here, only by the long form of {@code ./check}. */
class MutationTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    /** Found within a few runs. */
    private static final List<String> QUICK = List.of("no-fence", "forget-lost-claims", "wake-parent-early");

    static List<Mutation> mutations() {
        return Mutation.all(ROOT);
    }

    @Test
    void thereAreAtLeastFifteen() {
        assertThat(mutations()).hasSizeGreaterThanOrEqualTo(15);
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void fitsTheProduct(Mutation mutation) {
        mutation.compile();
    }

    static List<Mutation> played() {
        return mutations().stream().filter(mutation -> Torture.isLong() || QUICK.contains(mutation.name())).toList();
    }

    @ParameterizedTest
    @MethodSource("played")
    void isFound(Mutation mutation) {
        assertThat(mutation.play(Torture.rounds(1_000, 10_000))).as(mutation.name()).startsWith("found");
    }
}
