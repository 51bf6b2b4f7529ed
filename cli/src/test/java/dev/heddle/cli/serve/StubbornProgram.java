package dev.heddle.cli.serve;

import java.util.concurrent.CountDownLatch;

/** A program that ignores the first stop signal. */
final class StubbornProgram {

    private StubbornProgram() {}

    public static void main(String[] args) throws InterruptedException {
        StopSignal stop = StopSignal.listen(() -> System.out.println("forced"));
        System.out.println("listening");
        stop.requested().join();
        System.out.println("stop requested");
        new CountDownLatch(1).await();
    }
}
