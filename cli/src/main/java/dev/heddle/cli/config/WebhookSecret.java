package dev.heddle.cli.config;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A secret that signs webhooks as the Standard Webhooks specification describes. */
public final class WebhookSecret {

    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    private WebhookSecret(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /**
     * Returns the secret of a text: {@code whsec_} and a key in Base64, or any other text, which is the key itself.
     *
     * @throws IllegalArgumentException if a text that begins with {@code whsec_} is not Base64
     */
    public static WebhookSecret of(String text) {
        if (!text.startsWith(PREFIX)) {
            return new WebhookSecret(text.getBytes(StandardCharsets.UTF_8));
        }
        try {
            return new WebhookSecret(Base64.getDecoder().decode(text.substring(PREFIX.length())));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("what follows whsec_ is not Base64", e);
        }
    }

    /** Returns the signature of a delivery at a time in seconds. */
    public String sign(String id, long timestamp, String body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return "v1," + Base64.getEncoder().encodeToString(
                    mac.doFinal((id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    /** Does not show the secret. */
    @Override
    public String toString() {
        return "a secret";
    }
}
