package dev.heddle.server;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.heddle.access.Caller;
import dev.heddle.env.Environment;
import org.jspecify.annotations.Nullable;

/**
 * Issues one-time codes and the browser sessions that are started with them. A login link contains a code and never the
 * token; the first browser to open the link gets the session, and the code is invalid afterwards. A session ends when
 * its browser signs out, is idle for {@link #IDLE_LIFETIME}, or is {@link #SESSION_LIFETIME} old.
 */
final class Logins {

    static final Duration IDLE_LIFETIME = Duration.ofHours(1);
    static final Duration SESSION_LIFETIME = Duration.ofHours(12);
    private static final Duration CODE_LIFETIME = Duration.ofMinutes(10);
    /** Beyond this number the oldest are dropped. It only bounds memory: creating codes takes the token. */
    private static final int MAX_KEPT = 100;

    private final SecureRandom random = new SecureRandom();
    private final Environment env;
    private final Map<String, Login> codes = new LinkedHashMap<>();
    private final Map<String, Login> sessions = new LinkedHashMap<>();

    /**
     * A code or a session.
     *
     * @param caller whom it stands for
     * @param until when it ends, as {@link Environment#elapsed} time
     * @param idleUntil when it ends if it is not used
     */
    private record Login(Caller caller, Duration until, Duration idleUntil) {
        boolean isOver(Duration now) {
            return now.compareTo(until) >= 0 || now.compareTo(idleUntil) >= 0;
        }
    }

    Logins(Environment env) {
        this.env = env;
    }

    static String secret(SecureRandom random) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns a code with which a browser starts a session of this caller. */
    synchronized String newCode(Caller caller) {
        return issue(codes, caller, CODE_LIFETIME, CODE_LIFETIME);
    }

    /** Starts a session for a code. Returns null if the code is unknown, used or expired. */
    synchronized @Nullable String exchange(String code) {
        Login login = codes.remove(code);
        return login == null || login.isOver(env.elapsed()) ? null
                : issue(sessions, login.caller, SESSION_LIFETIME, IDLE_LIFETIME);
    }

    /** Returns whom a session stands for, and keeps it from being idle; null if there is no such session. */
    synchronized @Nullable Caller caller(String session) {
        Login login = sessions.get(session);
        if (login == null || login.isOver(env.elapsed())) {
            return null;
        }
        sessions.put(session, new Login(login.caller, login.until, env.elapsed().plus(IDLE_LIFETIME)));
        return login.caller;
    }

    /** Ends a session. */
    synchronized void end(String session) {
        sessions.remove(session);
    }

    private String issue(Map<String, Login> secrets, Caller caller, Duration lifetime, Duration idle) {
        Duration now = env.elapsed();
        secrets.values().removeIf(login -> login.isOver(now));
        if (secrets.size() == MAX_KEPT) {
            secrets.remove(secrets.keySet().iterator().next());
        }
        String issued = secret(random);
        secrets.put(issued, new Login(caller, now.plus(lifetime), now.plus(idle)));
        return issued;
    }
}
