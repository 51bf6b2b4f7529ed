package dev.heddle.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.access.AccessStore;
import dev.heddle.access.AccessToken;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.env.Environment;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of the store, as this node knows them: it reads them again if they are older than {@link #FRESH}, so a
 * token that was revoked elsewhere is refused after that time. While the store cannot be reached, what was last read
 * holds for {@link #LONGEST_TRUST}; the store itself is out of reach for the holders of tokens meanwhile.
 *
 * <p>When each token was last used is noted here, and written once a minute.
 */
final class NamedTokens {

    static final Duration FRESH = Duration.ofSeconds(2);
    static final Duration LONGEST_TRUST = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(HeddleServer.class);

    private final Optional<AccessStore> store;
    private final Environment env;
    private final Map<String, Instant> uses = new ConcurrentHashMap<>();
    private @Nullable Snapshot snapshot;

    /** Tokens read at an {@link Environment#elapsed} time. */
    private record Snapshot(List<AccessToken> tokens, Duration readAt) {}

    NamedTokens(Optional<AccessStore> store, Environment env) {
        this.store = store;
        this.env = env;
    }

    /**
     * Returns the token with this secret, perhaps expired; empty if there is none. It compares hashes, all of them and
     * each in constant time, so the time it takes tells nothing about a secret.
     */
    Optional<AccessToken> find(String secret) {
        if (!secret.startsWith(AccessToken.PREFIX)) {
            return Optional.empty();
        }
        byte[] hash = bytes(AccessToken.hash(secret));
        AccessToken found = null;
        for (AccessToken token : current()) {
            found = MessageDigest.isEqual(bytes(token.hash()), hash) ? token : found;
        }
        return Optional.ofNullable(found);
    }

    private static byte[] bytes(String hash) {
        return hash.getBytes(StandardCharsets.US_ASCII);
    }

    /** Notes that a token was used, to be written later. */
    void used(AccessToken token, Instant now) {
        uses.put(token.hash(), now.truncatedTo(ChronoUnit.MINUTES));
    }

    /** Makes the next request read the tokens again, because one was created or revoked here. */
    synchronized void forget() {
        snapshot = null;
    }

    private synchronized List<AccessToken> current() {
        Snapshot known = snapshot;
        if (store.isEmpty()) {
            return List.of();
        }
        if (known != null && age(known).compareTo(FRESH) < 0) {
            return known.tokens;
        }
        try {
            Snapshot read = new Snapshot(store.get().tokens(), env.elapsed());
            snapshot = read;
            return read.tokens;
        } catch (StoreException e) {
            if (known != null && age(known).compareTo(LONGEST_TRUST) < 0) {
                return known.tokens;
            }
            throw new ControlException(Kind.UNREACHABLE,
                    "cannot read the tokens from the store: " + e.getMessage(), e);
        }
    }

    private Duration age(Snapshot read) {
        return env.elapsed().minus(read.readAt);
    }

    /** Writes when tokens were last used. Uses that cannot be written now are written later. */
    void writeUses() {
        Map<String, Instant> noted = new HashMap<>(uses);
        if (noted.isEmpty() || store.isEmpty()) {
            return;
        }
        try {
            store.get().recordUses(noted);
            noted.forEach(uses::remove);
        } catch (RuntimeException e) {
            LOG.debug("Cannot write the last uses of tokens; trying again in a minute: {}", e.getMessage());
        }
    }
}
