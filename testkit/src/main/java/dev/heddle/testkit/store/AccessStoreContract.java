package dev.heddle.testkit.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.heddle.access.AccessStore;
import dev.heddle.access.AccessToken;
import dev.heddle.access.Role;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The tokens of people and programs. */
abstract class AccessStoreContract extends StoreFixture {

    private static final AccessToken CI = token("ci", Role.OPERATOR, at(500));
    private static final AccessToken ANN = token("ann's \"own\" / ü", Role.ADMIN, null);

    AccessStoreContract(StoreContract contract) {
        super(contract);
    }

    private AccessStore tokens() {
        return capability(AccessStore.class);
    }

    private static AccessToken token(String name, Role role, @Nullable Instant expiresAt) {
        return AccessToken.of(name, role, "heddle_0123-" + name, "cli:ann", T0, expiresAt);
    }

    private static AccessToken used(AccessToken token, Instant at) {
        return new AccessToken(token.name(), token.role(), token.hash(), token.hint(), token.createdBy(),
                token.createdAt(), token.expiresAt(), at);
    }

    @Test
    void keepsTokensAcrossARestart() {
        assertThat(tokens().addToken(CI)).isTrue();
        assertThat(tokens().addToken(ANN)).isTrue();
        restart(at(10));
        assertThat(tokens().tokens()).containsExactly(ANN, CI);
    }

    @Test
    void keepsTheTokenThatHasTheNameAlready() {
        tokens().addToken(CI);
        assertThat(tokens().addToken(AccessToken.of("ci", Role.ADMIN, "heddle_other", "cli:eve", at(1), null)))
                .isFalse();
        assertThat(tokens().tokens()).containsExactly(CI);
    }

    @Test
    void forgetsARemovedToken() {
        tokens().addToken(CI);
        assertThat(tokens().removeToken("ci")).isTrue();
        assertThat(tokens().removeToken("ci")).isFalse();
        assertThat(tokens().tokens()).isEmpty();
        assertThat(tokens().addToken(CI)).as("the name is free again").isTrue();
    }

    @Test
    void recordsTheLatestUse() {
        tokens().addToken(CI);
        tokens().addToken(ANN);
        tokens().recordUses(Map.of(CI.hash(), at(20), "unknown", at(20)));
        assertThat(tokens().tokens()).containsExactly(ANN, used(CI, at(20)));
        tokens().recordUses(Map.of(CI.hash(), at(10), ANN.hash(), at(30)));
        assertThat(tokens().tokens()).containsExactly(used(ANN, at(30)), used(CI, at(20)));
        tokens().recordUses(Map.of());
        assertThat(tokens().tokens()).isEqualTo(List.of(used(ANN, at(30)), used(CI, at(20))));
    }
}
