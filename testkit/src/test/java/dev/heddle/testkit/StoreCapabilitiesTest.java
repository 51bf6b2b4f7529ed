package dev.heddle.testkit;

import java.lang.reflect.Proxy;
import java.util.Optional;

import dev.heddle.memory.MemoryStore;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StoreCapabilitiesTest {

    @Test
    void returnsACapabilityThatTheStoreOffers() {
        try (Store store = new MemoryStore()) {
            assertThat(StoreCapabilities.require(store, SessionStore.class)).isSameAs(store);
        }
    }

    @Test
    void skipsTheTestIfTheStoreDoesNotOfferTheCapability() {
        Store minimal = (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[]{Store.class},
                (_, _, _) -> Optional.empty());

        assertThatThrownBy(() -> StoreCapabilities.require(minimal, SessionStore.class))
                .isInstanceOf(TestAbortedException.class).hasMessageContaining("SessionStore");
    }
}
