package dev.heddle.job;

import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JobIdTest {

    @Test
    void createsLargerIdsEachTime() {
        Set<JobId> seen = new HashSet<>();
        JobId last = JobId.next();
        for (int i = 0; i < 20_000; i++) {
            JobId next = JobId.next();
            assertThat(next).isGreaterThan(last);
            assertThat(seen.add(next)).isTrue();
            last = next;
        }
    }

    @Test
    void isAUuidOfVersion7ThatStartsWithTheTime() {
        long before = System.currentTimeMillis();
        JobId id = JobId.next();

        assertThat(id.value().version()).isEqualTo(7);
        assertThat(id.value().variant()).isEqualTo(2);
        assertThat(id.value().getMostSignificantBits() >>> 16).isBetween(before, System.currentTimeMillis() + 100);
    }

    @Test
    void parsesItsOwnText() {
        JobId id = JobId.next();

        assertThat(JobId.of(id.toString())).isEqualTo(id);
        assertThatThrownBy(() -> JobId.of("nonsense")).hasMessageContaining("not a job id: 'nonsense'");
    }
}
