package dev.heddle.server;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.heddle.access.AccessStore;
import dev.heddle.access.AccessToken;
import dev.heddle.access.Role;
import dev.heddle.control.ControlException;
import dev.heddle.env.Environment;
import dev.heddle.memory.MemoryStore;
import dev.heddle.store.StoreException;
import dev.heddle.testkit.ManualClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a node knows of the tokens in a store that others change too. */
class NamedTokensTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:30Z");
    private static final String SECRET = "heddle_secret";
    private static final AccessToken TOKEN = AccessToken.of("ci", Role.VIEWER, SECRET, "cli:ann", NOW, null);

    private final ManualClock clock = new ManualClock(NOW);
    private final AccessStore store = new MemoryStore().capability(AccessStore.class).orElseThrow();
    private boolean broken;
    private final NamedTokens tokens = new NamedTokens(Optional.of(new BreakableStore()),
            Environment.system().withClock(clock));

    /** Passes everything to the store, unless it is broken. */
    private final class BreakableStore implements AccessStore {
        private AccessStore open() {
            if (broken) {
                throw new StoreException(StoreException.Kind.UNREACHABLE, "the database is down");
            }
            return store;
        }

        @Override
        public boolean addToken(AccessToken token) {
            return open().addToken(token);
        }

        @Override
        public boolean removeToken(String name) {
            return open().removeToken(name);
        }

        @Override
        public List<AccessToken> tokens() {
            return open().tokens();
        }

        @Override
        public void recordUses(Map<String, Instant> uses) {
            open().recordUses(uses);
        }
    }

    @Test
    void findsATokenByItsSecretOnly() {
        store.addToken(TOKEN);
        assertThat(tokens.find(SECRET)).contains(TOKEN);
        assertThat(tokens.find(SECRET + "x")).isEmpty();
        assertThat(tokens.find("secret")).isEmpty();
        assertThat(tokens.find(TOKEN.hash())).isEmpty();
        assertThat(tokens.find(TOKEN.hint())).isEmpty();
        assertThat(tokens.find("")).isEmpty();
    }

    @Test
    void noticesWhatOtherNodesChangeWithinSeconds() {
        assertThat(tokens.find(SECRET)).isEmpty();
        store.addToken(TOKEN);
        clock.advance(NamedTokens.FRESH);
        assertThat(tokens.find(SECRET)).contains(TOKEN);
        store.removeToken("ci");
        clock.advance(NamedTokens.FRESH);
        assertThat(tokens.find(SECRET)).isEmpty();
    }

    @Test
    void noticesWhatThisNodeChangesAtOnce() {
        store.addToken(TOKEN);
        assertThat(tokens.find(SECRET)).contains(TOKEN);
        store.removeToken("ci");
        tokens.forget();
        assertThat(tokens.find(SECRET)).isEmpty();
    }

    @Test
    void trustsWhatItKnowsForAMinuteIfTheStoreIsDown() {
        store.addToken(TOKEN);
        assertThat(tokens.find(SECRET)).contains(TOKEN);
        broken = true;
        clock.advance(NamedTokens.LONGEST_TRUST.minus(Duration.ofSeconds(1)));
        assertThat(tokens.find(SECRET)).contains(TOKEN);
        clock.advance(Duration.ofSeconds(1));
        assertThatThrownBy(() -> tokens.find(SECRET)).isInstanceOfSatisfying(ControlException.class,
                e -> assertThat(e.kind()).isEqualTo(ControlException.Kind.UNREACHABLE));
    }

    @Test
    void writesLastUsesLaterIfTheStoreIsDown() {
        store.addToken(TOKEN);
        tokens.used(TOKEN, NOW);
        broken = true;
        tokens.writeUses();
        broken = false;
        assertThat(store.tokens().getFirst().usedAt()).isNull();
        tokens.writeUses();
        assertThat(store.tokens().getFirst().usedAt()).isEqualTo("2026-03-01T12:00:00Z");
    }
}
