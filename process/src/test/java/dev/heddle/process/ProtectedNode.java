package dev.heddle.process;

import java.io.IOException;

/** A node that protects itself once it is told to. */
final class ProtectedNode {

    private ProtectedNode() {}

    static void main() throws IOException {
        System.out.println("pid " + ProcessHandle.current().pid());
        System.in.read();
        System.out.println("protected " + NodeProtection.apply());
        System.out.println("sees " + System.getenv("DB_LOGIN"));
        Process child = new ProcessBuilder("/bin/sh", "-c", "echo child sees $DB_LOGIN").inheritIO().start();
        child.onExit().join();
        while (System.in.read() >= 0) {
            // lives until its input ends
        }
    }
}
