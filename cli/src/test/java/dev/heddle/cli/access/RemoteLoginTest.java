package dev.heddle.cli.access;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;

import dev.heddle.cli.shell.CliException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RemoteLoginTest {

    private static final URI NODE = URI.create("https://heddle.example");

    @TempDir
    Path directory;

    private Map<String, String> environment(String... more) {
        Map<String, String> environment = new HashMap<>(Map.of("XDG_CONFIG_HOME", directory.toString()));
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return environment;
    }

    @Test
    void storesALoginForItsUserOnly() throws Exception {
        RemoteLogin login = new RemoteLogin(NODE, "heddle_secret", directory.resolve("node.pem"));
        login.store(environment());
        assertThat(RemoteLogin.find(environment(), false)).contains(login);
        assertThat(Files.getPosixFilePermissions(directory.resolve("heddle/login")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(login.toString()).doesNotContain("secret");
        assertThat(RemoteLogin.forget(environment())).isTrue();
        assertThat(RemoteLogin.find(environment(), false)).isEmpty();
        assertThat(RemoteLogin.forget(environment())).isFalse();
    }

    @Test
    void prefersAHomeThatExists() throws Exception {
        new RemoteLogin(NODE, "heddle_secret", null).store(environment());
        assertThat(RemoteLogin.find(environment(), true)).isEmpty();
    }

    @Test
    void letsVariablesWin() throws Exception {
        new RemoteLogin(NODE, "heddle_stored", null).store(environment());
        assertThat(RemoteLogin.find(environment("HEDDLE_TOKEN", "heddle_other"), false))
                .contains(new RemoteLogin(NODE, "heddle_other", null));
        assertThat(RemoteLogin.find(environment("HEDDLE_URL", "https://heddle.example/"), true))
                .contains(new RemoteLogin(NODE, "heddle_stored", null));
        assertThat(RemoteLogin.find(environment("HEDDLE_URL", "http://127.0.0.1:7420", "HEDDLE_TOKEN", "heddle_x",
                "HEDDLE_CERTIFICATE", "/node.pem"), true))
                .contains(new RemoteLogin(URI.create("http://127.0.0.1:7420"), "heddle_x", Path.of("/node.pem")));
        assertThatThrownBy(() -> RemoteLogin.find(environment("HEDDLE_URL", "https://other.example"), false))
                .isInstanceOf(CliException.class).hasMessageContaining("HEDDLE_TOKEN is not");
    }

    @Test
    void explainsADamagedFile() throws Exception {
        new RemoteLogin(NODE, "heddle_stored", null).store(environment());
        Files.writeString(directory.resolve("heddle/login"), "https://heddle.example\n");
        assertThatThrownBy(() -> RemoteLogin.find(environment(), false)).isInstanceOf(CliException.class)
                .hasMessageContaining("heddle login URL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"heddle.example", "ftp://x", "https://", "https://x/api", "https://u:p@x", "https://x?y",
        "https://a b"})
    void refusesWhatIsNoAddress(String text) {
        assertThatThrownBy(() -> RemoteLogin.address(text)).isInstanceOf(CliException.class)
                .hasMessageContaining("not the address of a node");
    }
}
