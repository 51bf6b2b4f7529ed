package dev.heddle.benchmarks.trial;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The process that started this one as its {@link ChildProcess}. This process exits when its parent is gone. */
public final class ParentProcess {

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    public ParentProcess() {
        Thread.ofPlatform().daemon().name("parent").start(this::listen);
    }

    private void listen() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            System.err.println("cannot hear the parent: " + e);
        }
        Runtime.getRuntime().halt(3);
    }

    public void say(String line) {
        System.out.println(ChildProcess.MARK + line);
        System.out.flush();
    }

    public String hear() throws InterruptedException {
        return lines.take();
    }
}
