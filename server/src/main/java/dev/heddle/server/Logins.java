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
 * Codes that are good once, and the browser sessions that were begun with one. A link that is printed or passed on
 * carries a code and never the token; who opens it first has the session, and the code is worth nothing afterwards.
 */
final class Logins {

    private static final Duration CODE_LIFE = Duration.ofMinutes(10);
    private static final Duration SESSION_LIFE = Duration.ofHours(12);
    /** The oldest go first: whoever can make codes has the token anyway. */
    private static final int MOST = 100;

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
        return remember(codes, CODE_LIFE);
    }

    /** A session for a code that was not used before; null for any other. */
    synchronized @Nullable String exchange(String code) {
        Instant until = codes.remove(code);
        return until == null || !clock.instant().isBefore(until) ? null : remember(sessions, SESSION_LIFE);
    }

    synchronized boolean isSession(String session) {
        Instant until = sessions.get(session);
        return until != null && clock.instant().isBefore(until);
    }

    private String remember(Map<String, Instant> where, Duration life) {
        Instant now = clock.instant();
        where.values().removeIf(until -> !now.isBefore(until));
        if (where.size() == MOST) {
            where.remove(where.keySet().iterator().next());
        }
        String made = secret(random);
        where.put(made, now.plus(life));
        return made;
    }
}
