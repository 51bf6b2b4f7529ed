package dev.heddle.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.heddle.env.Environment;
import dev.heddle.env.Environment.ProcessUse;
import dev.heddle.waiting.NodeStatus.Load;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoadMeterTest {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private Duration elapsed = Duration.ZERO;
    private Duration cpu = Duration.ofSeconds(3);
    private boolean known = true;
    private final LoadMeter meter = new LoadMeter(() -> START.plus(elapsed), () -> elapsed,
            () -> known ? Optional.of(new ProcessUse(cpu, 1_000)) : Optional.empty());

    private void pass(int seconds, int busyMillis) {
        elapsed = elapsed.plusSeconds(seconds);
        cpu = cpu.plusMillis(busyMillis);
    }

    @Test
    void measuresTheShareOfTheTimeBetweenTwoReadings() {
        assertThat(meter.now()).as("needs two readings").isNull();
        pass(10, 15_000);
        assertThat(meter.now()).isEqualTo(new Load(START.plusSeconds(10), 150, 1_000));
        pass(4, 0);
        assertThat(meter.now()).as("is not measured more often").isEqualTo(new Load(START.plusSeconds(10), 150, 1_000));
        pass(6, 1_000);
        assertThat(meter.now()).isEqualTo(new Load(START.plusSeconds(20), 10, 1_000));
        assertThat(meter.all()).extracting(Load::cpu).containsExactly(150, 10);
    }

    @Test
    void keepsOnlyTheLastMeasurements() {
        for (int i = 0; i < 1_000; i++) {
            meter.now();
            pass(10, 0);
        }
        assertThat(meter.all()).hasSize(120);
        assertThat(meter.all().getLast().at()).isEqualTo(START.plusSeconds(9_990));
    }

    @Test
    void saysNothingIfTheSystemDoesNotTell() {
        known = false;
        meter.now();
        pass(10, 0);
        assertThat(meter.now()).isNull();
    }

    @Test
    void readsTheUseOfThisProcess() {
        assertThat(Environment.system().processUse()).hasValueSatisfying(use -> {
            assertThat(use.cpu()).isPositive();
            assertThat(use.memory()).isGreaterThan(10 << 20);
        });
    }
}
