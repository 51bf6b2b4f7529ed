package dev.heddle.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks the model of the protocol, and that it notices each fault that is built into it on purpose. */
class ModelTest {

    private static final Pattern VIOLATES = Pattern.compile("\\\\\\* Violates: (\\w+)");
    private static final Pattern FAULT = Pattern.compile("\"(\\w+)\" \\\\(?:not)?in Faults");

    @TempDir
    Path scratch;

    static List<Path> configurations() {
        return Tlc.configurations("configurations");
    }

    static List<Path> longConfigurations() {
        return Tlc.configurations("long");
    }

    static List<Path> mustFail() {
        return Tlc.configurations("must-fail");
    }

    /** The clocks behind a lease have a module of their own. */
    private Tlc.Report check(Path configuration) throws IOException {
        boolean isLease = Files.readString(configuration).contains("Horizon");
        return Tlc.check(Tlc.SPEC.resolve(isLease ? "Lease.tla" : "HeddleModel.tla"), configuration, scratch);
    }

    private void assertClean(Path configuration) throws IOException {
        Tlc.Report report = check(configuration);

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

    /** A model that does not notice what is wrong proves nothing. */
    @ParameterizedTest
    @MethodSource("mustFail")
    void noticesTheFault(Path configuration) throws IOException {
        Matcher expected = VIOLATES.matcher(Files.readString(configuration));
        assertThat(expected.find()).as("the file says what it violates").isTrue();

        Tlc.Report report = check(configuration);

        boolean isLiveness = expected.group(1).equals("EveryJobEnds");
        assertThat(report.violated()).as(report.output())
                .isEqualTo(isLiveness ? "a temporal property" : expected.group(1));
    }

    @Test
    void hasAConfigurationForEveryFault() throws IOException {
        Stream<String> faults = Stream.of("HeddleStore.tla", "Heddle.tla", "Lease.tla")
                .flatMap(module -> FAULT.matcher(read(Tlc.SPEC.resolve(module))).results())
                .map(found -> found.group(1)).distinct();

        assertThat(faults).containsExactlyInAnyOrderElementsOf(
                mustFail().stream().map(file -> file.getFileName().toString().replace(".cfg", "")).toList());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
