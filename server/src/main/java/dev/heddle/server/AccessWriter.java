package dev.heddle.server;

import java.time.Duration;

import dev.heddle.control.local.AuditLog;

/** Writes to the store what requests do not wait for: entries of the audit log, and when tokens were last used. */
record AccessWriter(AuditLog audit, NamedTokens tokens) implements Runnable {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int ROUNDS_PER_MINUTE = 60;

    @Override
    public void run() {
        try {
            for (int round = 1; true; round++) {
                Thread.sleep(INTERVAL);
                audit.flush();
                if (round % ROUNDS_PER_MINUTE == 0) {
                    tokens.writeUses();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes everything now. */
    void writeAll() {
        audit.flush();
        tokens.writeUses();
    }
}
