package dev.heddle.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks that the model notices each fault that is built into it on purpose: one that does not proves nothing. */
class ModelFaultsTest {

    private static final Pattern VIOLATES = Pattern.compile("\\\\\\* Violates: (\\w+)");
    private static final Pattern FAULT = Pattern.compile("\"(\\w+)\" \\\\(?:not)?in Faults");

    @TempDir
    Path scratch;

    static List<Path> mustFail() {
        return Tlc.configurations("must-fail");
    }

    @ParameterizedTest
    @MethodSource("mustFail")
    void noticesTheFault(Path configuration) throws IOException {
        Matcher expected = VIOLATES.matcher(Files.readString(configuration));
        assertThat(expected.find()).as("the file says what it violates").isTrue();

        Tlc.Report report = Tlc.check(configuration, scratch);

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
