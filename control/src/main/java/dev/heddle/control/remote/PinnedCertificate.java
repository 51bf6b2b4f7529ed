package dev.heddle.control.remote;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;

/** Trusts one certificate and no other. Commands reach their node by an address that its certificate may not have. */
final class PinnedCertificate extends X509ExtendedTrustManager {

    private final X509Certificate certificate;

    private PinnedCertificate(X509Certificate certificate) {
        this.certificate = certificate;
    }

    /** Reads the first certificate of a PEM file, which is that of the server. */
    static PinnedCertificate read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new PinnedCertificate(
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in));
        } catch (IOException | CertificateException e) {
            throw new ControlException(Kind.UNREACHABLE, "cannot read the certificate of the node, " + file + ": " + e,
                    e);
        }
    }

    SSLSocketFactory socketFactory() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[]{this}, null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (chain.length == 0 || !chain[0].equals(certificate)) {
            throw new CertificateException("another program answers, or the node has another certificate");
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String algorithm) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String algorithm, Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String algorithm, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String algorithm) throws CertificateException {
        throw new CertificateException("this side never asks for the certificate of a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String algorithm, Socket socket)
            throws CertificateException {
        checkClientTrusted(chain, algorithm);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String algorithm, SSLEngine engine)
            throws CertificateException {
        checkClientTrusted(chain, algorithm);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
