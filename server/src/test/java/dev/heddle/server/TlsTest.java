package dev.heddle.server;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.net.ssl.SSLContext;

import dev.heddle.control.ControlException;
import dev.heddle.control.remote.RemoteControl;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.testkit.TestCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** HTTPS with the certificate of PEM files. */
class TlsTest {

    @TempDir
    private Path directory;

    @Test
    void servesHttpsWithSecureCookies() throws Exception {
        TestCertificate own = TestCertificate.create(directory, "own", "EC");
        SSLContext trusting = own.trusting();
        try (Pool pool = Pool.on(new MemoryStore()).open();
                HeddleServer server = HeddleServer.on(pool).port(0).tls(own.certificate(), own.key()).start();
                HttpClient http = HttpClient.newBuilder().sslContext(trusting).build()) {
            URI link = server.loginLink();
            assertThat(link.getScheme()).isEqualTo("https");
            HttpResponse<String> login = http.send(HttpRequest.newBuilder(link).build(), BodyHandlers.ofString());

            assertThat(login.statusCode()).isEqualTo(303);
            String cookie = login.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).contains("; Secure").contains("; HttpOnly");
            HttpRequest change = HttpRequest.newBuilder(server.uri().resolve("/api/v1/workers"))
                    .POST(HttpRequest.BodyPublishers.noBody()).header("Cookie", cookie.replaceFirst(";.*", ""))
                    .header("Origin", server.uri().toString()).build();
            assertThat(http.send(change, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void isTrustedByAClientThatKnowsItsCertificateAndByNoOther() throws Exception {
        TestCertificate own = TestCertificate.create(directory, "own", "RSA");
        TestCertificate other = TestCertificate.create(directory, "other", "EC");
        try (Pool pool = Pool.on(new MemoryStore()).open();
                HeddleServer server = HeddleServer.on(pool).port(0).tls(own.certificate(), own.key()).start();
                RemoteControl trusted = RemoteControl.at(server.uri(), server.token(), own.certificate());
                RemoteControl pinnedToOther = RemoteControl.at(server.uri(), server.token(), other.certificate());
                RemoteControl standard = RemoteControl.at(server.uri(), server.token())) {
            assertThat(trusted.stats().nodeId()).isEqualTo(pool.admin().nodeId());
            assertThatThrownBy(pinnedToOther::stats).isInstanceOf(ControlException.class);
            assertThatThrownBy(standard::stats).isInstanceOf(ControlException.class);
        }
    }

    @Test
    void refusesFilesThatDoNotFit() throws Exception {
        TestCertificate own = TestCertificate.create(directory, "own", "EC");
        TestCertificate other = TestCertificate.create(directory, "other", "RSA");
        Path text = Files.writeString(directory.resolve("text"), "-----BEGIN RSA PRIVATE KEY-----");
        try (Pool pool = Pool.on(new MemoryStore()).open()) {
            assertRefused(pool, own.certificate(), text, "openssl pkcs8 -topk8 -nocrypt");
            assertRefused(pool, text, own.key(), "has no certificate");
            assertRefused(pool, directory.resolve("none"), own.key(), "cannot read the certificate");
            assertRefused(pool, own.certificate(), other.key(), "does not fit the certificate");
        }
    }

    private static void assertRefused(Pool pool, Path certificate, Path key, String message) {
        assertThatThrownBy(() -> HeddleServer.on(pool).port(0).tls(certificate, key).start().close())
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }
}
