package dev.heddle.server;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Issues one-time codes and the browser sessions that are started with them. A login link contains a code and never the
 * token; the first browser to open the link gets the session, and the code is invalid afterwards.
 */
final class Logins {

    private static final Duration CODE_LIFETIME = Duration.ofMinutes(10);
    private static final Duration SESSION_LIFETIME = Duration.ofHours(12);
    /** Beyond this number the oldest are dropped. It only bounds memory: creating codes takes the token. */
    private static final int MAX_KEPT = 100;

    private final SecureRandom random = new SecureRandom();
    private final InstantSource clock;
    private final Map<String, Instant> codes = new LinkedHashMap<>();
    private final Map<String, Instant> sessions = new LinkedHashMap<>();

    Logins(InstantSource clock) {
        this.clock = clock;
    }

    static String secret(SecureRandom random) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    synchronized String newCode() {
        return issue(codes, CODE_LIFETIME);
    }

    /** Starts a session for a code. Returns null if the code is unknown, used or expired. */
    synchronized @Nullable String exchange(String code) {
        Instant until = codes.remove(code);
        return until == null || !clock.instant().isBefore(until) ? null : issue(sessions, SESSION_LIFETIME);
    }

    synchronized boolean isSession(String session) {
        Instant until = sessions.get(session);
        return until != null && clock.instant().isBefore(until);
    }

    private String issue(Map<String, Instant> secrets, Duration lifetime) {
        Instant now = clock.instant();
        secrets.values().removeIf(until -> !now.isBefore(until));
        if (secrets.size() == MAX_KEPT) {
            secrets.remove(secrets.keySet().iterator().next());
        }
        String issued = secret(random);
        secrets.put(issued, now.plus(lifetime));
        return issued;
    }
}
