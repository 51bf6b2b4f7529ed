package dev.heddle.simulation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks the model of the protocol. */
class ModelTest {

    @TempDir
    Path scratch;

    static List<Path> configurations() {
        return Tlc.configurations("configurations");
    }

    static List<Path> longConfigurations() {
        return Tlc.configurations("long");
    }

    private void assertClean(Path configuration) throws IOException {
        Tlc.Report report = Tlc.check(configuration, scratch);

        assertThat(report.isClean()).as(report.output()).isTrue();
        System.out.println(configuration.getFileName() + ": " + report.states() + " states");
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void holds(Path configuration) throws IOException {
        assertClean(configuration);
    }

    @ParameterizedTest
    @MethodSource("longConfigurations")
    void holdsInLargerConfigurations(Path configuration) throws IOException {
        Assumptions.assumeTrue(Torture.isLong());
        assertClean(configuration);
    }
}
