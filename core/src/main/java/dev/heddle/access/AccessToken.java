package dev.heddle.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/**
 * A token that a store knows. The secret itself is shown once, when the token is created, and is stored nowhere.
 *
 * @param name says who or what uses the token
 * @param role what its holder may do
 * @param hash the SHA-256 of the secret, in hexadecimal
 * @param hint how the secret starts, to recognize it
 * @param createdBy who created it
 * @param createdAt when it was created
 * @param expiresAt from when on it is refused; null if it does not expire
 * @param usedAt when it was last used, to the minute; null if never
 */
public record AccessToken(String name, Role role, String hash, String hint, String createdBy, Instant createdAt,
        @Nullable Instant expiresAt, @Nullable Instant usedAt) {

    /** How every secret starts. */
    public static final String PREFIX = "heddle_";

    private static final int HINT = PREFIX.length() + 4;

    /** Checks the name, and cuts times to milliseconds. */
    public AccessToken {
        Limits.name("the name of a token", name);
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
        expiresAt = expiresAt == null ? null : expiresAt.truncatedTo(ChronoUnit.MILLIS);
        usedAt = usedAt == null ? null : usedAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Returns a new token with this secret. */
    public static AccessToken of(String name, Role role, String secret, String createdBy, Instant createdAt,
            @Nullable Instant expiresAt) {
        return new AccessToken(name, role, hash(secret), secret.substring(0, HINT), createdBy, createdAt, expiresAt,
                null);
    }

    /** Returns whether it is refused at this time. */
    public boolean isExpired(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    /** Returns the SHA-256 of a secret, in hexadecimal. A secret is random and long, so it needs no salt. */
    public static String hash(String secret) {
        try {
            return HexFormat.of().formatHex(
                    MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
