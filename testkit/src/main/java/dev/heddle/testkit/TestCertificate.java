package dev.heddle.testkit;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate for loopback addresses, as PEM files.
 *
 * @param store holds the certificate and its key
 * @param certificate the PEM file with the certificate
 * @param key the PEM file with the private key
 */
public record TestCertificate(KeyStore store, Path certificate, Path key) {

    private static final String PASSWORD = "changeit";

    /** Creates a certificate with a key of this algorithm, such as {@code EC}. */
    public static TestCertificate create(Path directory, String name, String algorithm) throws Exception {
        Path file = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "server", "-keyalg", algorithm, "-dname", "CN=" + name, "-ext",
                "san=ip:127.0.0.1,dns:localhost", "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass",
                PASSWORD).inheritIO().start();
        if (keytool.waitFor() != 0) {
            throw new AssertionError("keytool failed");
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return new TestCertificate(store,
                write(directory.resolve(name + ".crt"), "CERTIFICATE", store.getCertificate("server").getEncoded()),
                write(directory.resolve(name + ".key"), "PRIVATE KEY",
                        store.getKey("server", PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path write(Path file, String title, byte[] content) throws Exception {
        return Files.writeString(file, "-----BEGIN " + title + "-----\n"
                + Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(content) + "\n-----END " + title
                + "-----\n");
    }

    /** Returns a context for clients that trust this certificate. */
    public SSLContext trusting() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", store.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
