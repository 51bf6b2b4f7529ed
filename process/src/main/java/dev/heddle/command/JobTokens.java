package dev.heddle.command;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.heddle.job.JobCaller;
import dev.heddle.job.JobContext;

/**
 * The tokens by which the processes of jobs call their node. Each is good for one attempt, as long as this node runs
 * it. Only hashes are kept: in memory, and beside a run that outlives its node, so that its token stays valid when the
 * next node takes the run over.
 */
public final class JobTokens {

    /** How every token starts. */
    public static final String PREFIX = "hjt_";

    /** Jobs may start just before the API does. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final SecureRandom random = new SecureRandom();
    private final Map<String, JobCaller> callers = new ConcurrentHashMap<>();
    private final CompletableFuture<URI> api = new CompletableFuture<>();

    /** Sets the address of the API that accepts the tokens. Processes get tokens only once it is known. */
    public void serveAt(URI address) {
        api.complete(address);
    }

    /** Returns the job that a process with this token acts for; empty if the token is unknown or no longer valid. */
    public Optional<JobCaller> find(String token) {
        return Optional.ofNullable(callers.get(hash(token)))
                .filter(caller -> !caller.job().cancellation().isCancelled());
    }

    /** Returns where processes find the API; empty if it does not start. */
    Optional<URI> api() {
        try {
            return Optional.of(api.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (TimeoutException | ExecutionException e) {
            return Optional.empty();
        }
    }

    /** Returns a new token, which is of no use before it is {@linkplain #admit admitted}. */
    String next() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    void admit(String hash, JobCaller caller) {
        callers.put(hash, caller);
    }

    /** Revokes a token, unless another attempt has taken it over by now. */
    void revoke(String hash, JobContext job) {
        callers.computeIfPresent(hash, (_, caller) -> caller.job().equals(job) ? null : caller);
    }

    static String hash(String token) {
        try {
            return HexFormat.of().formatHex(
                    MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
