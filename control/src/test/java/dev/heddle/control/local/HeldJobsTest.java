package dev.heddle.control.local;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import dev.heddle.control.Control;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobPage;
import dev.heddle.control.model.JobView;
import dev.heddle.control.model.WaitKind;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Gate;
import dev.heddle.pool.Pool;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Queued jobs that a closed gate keeps from starting. */
class HeldJobsTest {

    private static final JobType<Integer, Void> UNIT = JobType.of("unit", Integer.class);

    /** Closed for the type "closed" and for the tag "blue". */
    private static final Gate GATE = new Gate() {
        @Override
        public Optional<String> holdReason(String type) {
            return type.equals("closed") ? Optional.of("no memory") : Optional.empty();
        }

        @Override
        public Map<String, String> heldTags(String type) {
            return Map.of("blue", "no budget");
        }
    };

    @Test
    void areShownAsPausedWithTheReasonForTheirTypeOrTag() throws Exception {
        try (Pool pool = Pool.on(new MemoryStore()).gate(GATE).register(UNIT, (_, _) -> null)
                .register(JobType.of("closed", Integer.class), (_, _) -> null).open()) {
            Control control = LocalControl.on(pool);
            String tagged = pool.submit(UNIT.with(1).tags("blue", "red")).id().toString();
            String typed = pool.submit(JobType.of("closed", Integer.class), 2).id().toString();
            pool.submit(UNIT.with(3).tags("red")).await(Duration.ofSeconds(30));

            assertThat(control.job(tagged).job().state()).isEqualTo(JobState.PAUSED);
            assertThat(control.job(tagged).job().reason()).isEqualTo("no budget");
            assertThat(control.job(typed).job().reason()).isEqualTo("no memory");
            assertThat(control.why(tagged).reasons()).singleElement().satisfies(reason -> {
                assertThat(reason.kind()).isEqualTo(WaitKind.GATE_CLOSED);
                assertThat(reason.name()).isEqualTo("application");
                assertThat(reason.text()).endsWith("the gate 'application' holds it back: no budget.");
            });
            assertThat(control.jobs(JobFilter.ALL.states(JobState.PAUSED)).jobs()).extracting(JobView::id)
                    .containsExactly(typed, tagged);
            JobPage first = control.jobs(JobFilter.ALL.states(JobState.PAUSED).limit(1));
            assertThat(control.jobs(JobFilter.ALL.states(JobState.PAUSED).limit(1).cursor(first.next())).jobs())
                    .extracting(JobView::id).containsExactly(tagged);
            assertThat(control.jobs(JobFilter.ALL.states(JobState.PAUSED).tag("red")).jobs()).hasSize(1);
            assertThat(control.jobs(JobFilter.ALL).jobs()).extracting(JobView::state)
                    .containsExactly(JobState.COMPLETED, JobState.PAUSED, JobState.PAUSED);
        }
    }
}
