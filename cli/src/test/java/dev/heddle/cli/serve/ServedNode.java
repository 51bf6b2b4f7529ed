package dev.heddle.cli.serve;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.cli.Main;
import dev.heddle.testkit.ChildJvm;

/** Runs {@code heddle serve} in a child JVM on a free port. */
final class ServedNode implements AutoCloseable {

    private static final String LISTENING = "heddle: listening on http";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ChildJvm jvm;

    private ServedNode(ChildJvm jvm) {
        this.jvm = jvm;
    }

    static ServedNode start(Path home, String... more) {
        return startIn(List.of(), home, more);
    }

    /** Starts a node with a prefix command that runs the rest of its arguments. */
    static ServedNode startIn(List<String> prefix, Path home, String... more) {
        List<String> arguments = new ArrayList<>(List.of("--home", home.toString(), "serve"));
        arguments.addAll(more.length == 0 ? List.of("--port", "0") : List.of(more));
        return new ServedNode(ChildJvm.startIn(prefix, Main.class, arguments.toArray(String[]::new)));
    }

    /** Wraps a child JVM that announces itself like {@code heddle serve}. */
    static ServedNode of(ChildJvm jvm) {
        return new ServedNode(jvm);
    }

    /** Starts a node with another class path. */
    static ServedNode startFrom(String classPath, Path home) {
        return new ServedNode(ChildJvm.startIn(List.of(), classPath, Main.class, "--home", home.toString(), "serve",
                "--port", "0"));
    }

    ServedNode awaitListening() {
        jvm.awaitLine(line -> line.startsWith(LISTENING));
        return this;
    }

    void awaitLine(String line) {
        jvm.awaitLine(line::equals);
    }

    /** Returns the address that the node printed. */
    URI uri() {
        return lines().stream().filter(line -> line.startsWith(LISTENING)).findFirst()
                .map(line -> URI.create(line.replaceFirst(".* (https?://[^;]+);.*", "$1"))).orElseThrow();
    }

    List<String> lines() {
        return jvm.lines();
    }

    long pid() {
        return jvm.pid();
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(jvm.pid())).start().waitFor();
    }

    void kill() {
        jvm.kill();
    }

    int exitCode() {
        return jvm.exitCode(PATIENCE);
    }

    @Override
    public void close() {
        jvm.close();
    }
}
