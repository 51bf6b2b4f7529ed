package dev.heddle.server;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.access.Role;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Users whom a proxy has logged in. */
class ProxyTest {

    private static final String CALLER = "/api/v1/caller";
    private static final Map<Role, Set<String>> GROUPS = Map.of(Role.VIEWER, Set.of("*"), Role.OPERATOR,
            Set.of("ops", "on call"), Role.ADMIN, Set.of("admins"));

    private final ServerFixture fixture = ServerFixture.open(new MemoryStore(),
            settings -> settings.proxyUsers(List.of("127.0.0.1"), GROUPS));

    @AfterEach
    void close() {
        fixture.close();
    }

    private String caller(String... headers) {
        return fixture.ask("GET", CALLER, null, headers).body();
    }

    private static String user(String name, Role role) {
        return "{\"actor\":\"user:" + name + "\",\"role\":\"" + role + "\"}";
    }

    @Test
    void givesAUserTheHighestRoleOfTheirGroups() {
        assertThat(caller("X-Forwarded-User", "ann")).isEqualTo(user("ann", Role.VIEWER));
        assertThat(caller("X-Forwarded-User", "ann", "X-Forwarded-Groups", "x, on call"))
                .isEqualTo(user("ann", Role.OPERATOR));
        assertThat(caller("X-Forwarded-User", "ann", "X-Forwarded-Groups", "ops,admins"))
                .isEqualTo(user("ann", Role.ADMIN));
        assertThat(caller("X-Forwarded-User", "ann", "X-Forwarded-Groups", "admins2"))
                .isEqualTo(user("ann", Role.VIEWER));
    }

    @Test
    void stillNeedsATokenFromWhomTheProxyDoesNotName() {
        assertThat(fixture.ask("GET", CALLER, null).statusCode()).isEqualTo(401);
        assertThat(fixture.ask("GET", CALLER, null, "X-Forwarded-User", " ").statusCode()).isEqualTo(401);
        assertThat(fixture.ask("GET", CALLER, null, "X-Forwarded-Groups", "admins").statusCode()).isEqualTo(401);
        assertThat(fixture.ask("GET", CALLER, null, "X-Forwarded-User", "ann", "X-Forwarded-User", "eve").statusCode())
                .as("a client's own header that the proxy did not remove").isEqualTo(401);
        assertThat(caller("Authorization", "Bearer " + fixture.server.token(), "X-Forwarded-User", "ann"))
                .as("a token wins").contains("node:token");
    }

    @Test
    void ignoresTheHeadersOfAnybodyElse() {
        try (ServerFixture other = ServerFixture.open(new MemoryStore(),
                settings -> settings.proxyUsers(List.of("192.0.2.0/24", "::1"), GROUPS))) {
            assertThat(other.ask("GET", CALLER, null, "X-Forwarded-User", "ann", "X-Forwarded-Groups", "admins")
                    .statusCode()).isEqualTo(401);
        }
        try (ServerFixture other = ServerFixture.open()) {
            assertThat(other.ask("GET", CALLER, null, "X-Forwarded-User", "ann").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void refusesAUserWhoseGroupsHaveNoRole() {
        try (ServerFixture strict = ServerFixture.open(new MemoryStore(), settings -> settings
                .proxyUsers(List.of("127.0.0.0/8"), Map.of(Role.ADMIN, Set.of("admins")))
                .proxyHeaders("X-Auth-User", "X-Auth-Groups"))) {
            HttpResponse<String> refused = strict.ask("GET", CALLER, null, "X-Auth-User", "eve");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("user 'eve' is in no group that has a role here");
            assertThat(strict.ask("GET", CALLER, null, "X-Auth-User", "ann", "X-Auth-Groups", "admins").body())
                    .isEqualTo(user("ann", Role.ADMIN));
            assertThat(strict.ask("GET", CALLER, null, "X-Forwarded-User", "ann").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void refusesChangesFromPagesOfOtherSites() {
        String[] ann = {"X-Forwarded-User", "ann", "X-Forwarded-Groups", "ops"};
        String pause = "/api/v1/queues/pause";
        String body = "{\"queue\":\"mail\"}";
        String host = fixture.server.uri().getAuthority();
        assertThat(fixture.ask("POST", pause, body, ann[0], ann[1], ann[2], ann[3]).statusCode()).isEqualTo(200);
        assertThat(fixture.ask("POST", pause, body, ann[0], ann[1], ann[2], ann[3], "Origin", "https://" + host)
                .statusCode()).isEqualTo(200);
        for (String origin : List.of("https://evil.example", "null", "http://" + host + ".evil.example")) {
            assertThat(fixture.ask("POST", pause, body, ann[0], ann[1], ann[2], ann[3], "Origin", origin).statusCode())
                    .as(origin).isEqualTo(403);
        }
        assertThat(fixture.ask("POST", pause, body, ann[0], ann[1], ann[2], ann[3], "Sec-Fetch-Site", "cross-site")
                .statusCode()).isEqualTo(403);
    }

    @Test
    void keepsUsersOfAProxyFromCommandLinesOfThisMachine() {
        assertThat(fixture.ask("POST", "/api/v1/jobs", "{\"type\":\"run\",\"payload\":{\"command\":[\"id\"]}}",
                "X-Forwarded-User", "ann", "X-Forwarded-Groups", "admins").statusCode()).isEqualTo(403);
    }

    @Test
    void refusesSettingsThatLetNobodyIn() {
        try (Pool pool = Pool.on(new MemoryStore()).open()) {
            assertThatThrownBy(() -> HeddleServer.on(pool).proxyUsers(List.of("10.0.0.1"), Map.of()))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("no group has a role");
            assertThatThrownBy(() -> HeddleServer.on(pool).proxyHeaders("Cookie", "X-Groups"))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'Cookie'");
        }
    }
}
