package dev.heddle.server;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.heddle.env.Environment;
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
    private final Environment env;
    /** Until when each is valid, as {@link Environment#elapsed} time. */
    private final Map<String, Duration> codes = new LinkedHashMap<>();
    private final Map<String, Duration> sessions = new LinkedHashMap<>();

    Logins(Environment env) {
        this.env = env;
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
        Duration until = codes.remove(code);
        return until == null || isOver(until) ? null : issue(sessions, SESSION_LIFETIME);
    }

    synchronized boolean isSession(String session) {
        Duration until = sessions.get(session);
        return until != null && !isOver(until);
    }

    private boolean isOver(Duration until) {
        return env.elapsed().compareTo(until) >= 0;
    }

    private String issue(Map<String, Duration> secrets, Duration lifetime) {
        secrets.values().removeIf(this::isOver);
        if (secrets.size() == MAX_KEPT) {
            secrets.remove(secrets.keySet().iterator().next());
        }
        String issued = secret(random);
        secrets.put(issued, env.elapsed().plus(lifetime));
        return issued;
    }
}
