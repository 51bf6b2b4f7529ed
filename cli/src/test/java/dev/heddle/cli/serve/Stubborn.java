package dev.heddle.cli.serve;

import java.util.concurrent.CountDownLatch;

/** A program that is told to stop and does not. */
final class Stubborn {

    private Stubborn() {}

    public static void main(String[] args) throws InterruptedException {
        StopSignal stop = StopSignal.listen(() -> System.out.println("forced"));
        System.out.println("listening");
        stop.told().join();
        System.out.println("told");
        new CountDownLatch(1).await();
    }
}
