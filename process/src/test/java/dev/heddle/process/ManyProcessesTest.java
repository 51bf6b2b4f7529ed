package dev.heddle.process;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Hundreds of processes at once, each awaited on a virtual thread. */
class ManyProcessesTest extends ProcessFixture {

    private static final int MANY = 300;

    @Test
    void leavesCarriersForOtherVirtualThreads() throws Exception {
        Processes processes = open(Isolation.NAMESPACE);
        CountDownLatch started = new CountDownLatch(MANY);
        List<ByteArrayOutputStream> outputs = IntStream.range(0, MANY).mapToObj(_ -> new ByteArrayOutputStream())
                .toList();
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Exit>> exits = IntStream.range(0, MANY).mapToObj(i -> workers.submit(() -> {
                RunningProcess process = processes
                        .start(shell("echo up " + i + "; until test -e go; do sleep 0.5; done; exit 3")
                                .output(Output.to(outputs.get(i))));
                started.countDown();
                return process.await();
            })).toList();
            assertThat(started.await(120, TimeUnit.SECONDS)).isTrue();
            assertThat(processes.running()).hasSize(MANY);

            // While all of them block and all pipes are read, another virtual thread must still get to run.
            assertThat(workers.submit(() -> "turn").get(60, TimeUnit.SECONDS)).isEqualTo("turn");

            assertThat(file("go").toFile().createNewFile()).isTrue();
            for (int i = 0; i < MANY; i++) {
                assertThat(exits.get(i).get(120, TimeUnit.SECONDS).code()).isEqualTo(3);
                assertThat(outputs.get(i)).hasToString("up " + i + "\n");
            }
        }
    }
}
