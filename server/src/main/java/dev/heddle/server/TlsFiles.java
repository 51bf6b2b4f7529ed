package dev.heddle.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * The certificate and the private key of a server.
 *
 * @param certificate a PEM file with the certificate of the server, followed by those of intermediate authorities
 * @param key a PEM file with the private key in PKCS #8, not encrypted
 */
record TlsFiles(Path certificate, Path key) {

    private static final Pattern PRIVATE_KEY = Pattern
            .compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    /**
     * Reads both files.
     *
     * @throws IllegalArgumentException if a file cannot be read or is not what it should be
     */
    SslContextFactory.Server contextFactory() {
        Certificate[] chain = chain();
        char[] password = new char[0];
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, password);
            store.setKeyEntry("server", privateKey(chain[0].getPublicKey().getAlgorithm()), password, chain);
            SslContextFactory.Server factory = new SslContextFactory.Server();
            factory.setKeyStore(store);
            factory.setKeyStorePassword("");
            factory.setKeyManagerPassword("");
            return factory;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("the private key in " + key + " does not fit the certificate in "
                    + certificate + ": " + e.getMessage(), e);
        }
    }

    private Certificate[] chain() {
        try (InputStream in = Files.newInputStream(certificate)) {
            Certificate[] chain = CertificateFactory.getInstance("X.509").generateCertificates(in)
                    .toArray(Certificate[]::new);
            if (chain.length > 0) {
                return chain;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the certificate " + certificate + ": " + e, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(certificate + " has no certificate in PEM format: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException(certificate + " has no certificate in PEM format");
    }

    private PrivateKey privateKey(String algorithm) throws GeneralSecurityException {
        String text;
        try {
            text = Files.readString(key, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the private key " + key + ": " + e, e);
        }
        Matcher pem = PRIVATE_KEY.matcher(text);
        if (!pem.find()) {
            throw new IllegalArgumentException(key + " has no section 'BEGIN PRIVATE KEY'; convert the key with"
                    + " 'openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW'");
        }
        byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1).strip());
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    }
}
