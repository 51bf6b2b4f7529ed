package dev.heddle.engine.support;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.heddle.env.Environment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BackgroundServicesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Fragile service = new Fragile();
    private final BackgroundServices services = new BackgroundServices(Environment.system(), List.of(service));

    /** Runs until it is stopped or told to throw. */
    private static final class Fragile implements BackgroundService {

        final BlockingQueue<Boolean> runs = new LinkedBlockingQueue<>();
        final BlockingQueue<Throwable> toThrow = new LinkedBlockingQueue<>();
        private final CountDownLatch stopped = new CountDownLatch(1);

        @Override
        public String name() {
            return "fragile";
        }

        @Override
        public void run() {
            runs.add(true);
            try {
                while (stopped.getCount() > 0) {
                    Throwable thrown = toThrow.poll(1, TimeUnit.MILLISECONDS);
                    if (thrown instanceof Error error) {
                        throw error;
                    }
                    if (thrown instanceof RuntimeException exception) {
                        throw exception;
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void stop() {
            stopped.countDown();
        }

        void awaitRun() throws InterruptedException {
            assertThat(runs.poll(30, TimeUnit.SECONDS)).as("the service runs").isNotNull();
        }
    }

    @AfterEach
    void stop() {
        services.stopAll(PATIENCE);
    }

    /** The ledger may have changes to write by then. */
    @Test
    void runsAServiceThatIsStoppedBeforeItsThreadBegins() throws Exception {
        CountDownLatch begin = new CountDownLatch(1);
        Environment slow = (Environment) Proxy.newProxyInstance(Environment.class.getClassLoader(),
                new Class<?>[]{Environment.class}, (_, method, args) -> method.getName().equals("start")
                        ? Thread.ofPlatform().daemon().start(() -> {
                            awaitUninterruptibly(begin);
                            ((Runnable) args[1]).run();
                        }) : method.invoke(Environment.system(), args));
        BackgroundServices late = new BackgroundServices(slow, List.of(service));
        late.start();
        late.stopAll(Duration.ofMillis(1));

        begin.countDown();
        service.awaitRun();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void restartsAServiceThatThrows() throws Exception {
        services.start();
        service.awaitRun();

        service.toThrow.add(new IllegalStateException("test"));

        service.awaitRun();
    }

    @Test
    void restartsAServiceThatThrowsAnError() throws Exception {
        services.start();
        service.awaitRun();

        service.toThrow.add(new StackOverflowError("test"));

        service.awaitRun();
    }

    @Test
    void reportsAFailedServiceUntilItRunsAgain() throws Exception {
        services.start();
        service.awaitRun();
        assertThat(services.down()).isEmpty();

        // Each failure in a row makes the pause longer, until it is long enough to observe.
        for (int i = 0; i < 3; i++) {
            service.toThrow.add(new IllegalStateException("test " + i));
            if (i < 2) {
                service.awaitRun();
            }
        }
        await(() -> services.down().equals(List.of("fragile")));

        service.awaitRun();
        await(() -> services.down().isEmpty());
    }

    @Test
    void endsTheThreadOfAServiceThatIsStopped() throws Exception {
        services.start();
        service.awaitRun();

        assertThat(services.stop(service, PATIENCE)).isTrue();

        assertThat(service.runs).as("not started again").isEmpty();
        assertThat(services.down()).isEmpty();
    }

    @Test
    void stopsAServiceThatNeverStarted() {
        assertThat(services.stop(service, PATIENCE)).isTrue();
    }

    private static void await(java.util.function.BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.sleep(1);
        }
    }
}
